/** Returns one message with its remedy for the errors that an installation can meet; null for an unexpected error. */
import { portInUse } from '../../bin/port.mjs';
import { CommandFailure } from './command.ts';
import { DataDirInUse } from '../kernel/base/db/embedded/embedded.ts';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOENT',
  'ECONNRESET',
]);
const CONNECTION = new Set(['28000', '28P01', '3D000', '57P01', '57P02', '57P03', '53300']);

/** Driver errors without a code. The last two are of a connection that was lost before it was used again. */
const LOST =
  /^(Connection terminated|timeout expired|timeout exceeded|The database does not answer|Client has encountered a connection error|Client was closed)/;

export function explainFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof CommandFailure || error instanceof DataDirInUse) return error.message;
  const { code, syscall, port, address, path } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return portInUse(port);
  }
  if (syscall === 'listen' && code === 'EACCES')
    return `This account may not use port ${port}. Remedy: choose a port above 1023: PORT=8080.`;
  if (syscall === 'listen')
    return `Cannot listen on ${address ?? 'that address'}: ${error.message}. Remedy: set HOST to an address of this machine.`;
  const lost = whyUnreachable(error);
  if (lost !== null) return unreachable(lost);
  if (code === 'ERR_INVALID_URL')
    return unreachable('DATABASE_URL does not have the form postgresql://user:password@host:5432/database');
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return `${error.message}. Remedy: give this account access to ${path ?? 'that file'}, or set DATA_DIR to a folder that it owns.`;
  if (code === 'ENOSPC')
    return `The disk is full (${path ?? syscall}). Remedy: free up some space and start again. Nothing was lost.`;
  // Texts of this project with a remedy are written for the person who runs the command.
  if (/Remedy:|cannot be (?:restored|imported)/.test(error.message)) return error.message;
  return null;
}

/** Returns why a database is unreachable, or no longer reachable; null for any other error. */
export function whyUnreachable(error: Error): string | null {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code && CONNECTION.has(code)) return error.message;
  if (
    code &&
    UNREACHABLE.has(code) &&
    (syscall === 'connect' || syscall === 'getaddrinfo' || error instanceof AggregateError)
  )
    return messageOf(error);
  return LOST.test(error.message) ? error.message : null;
}

const unreachable = (why: string): string =>
  `The database cannot be reached: ${why}. Remedy: check that PostgreSQL is running and that DATABASE_URL has the right host, port, user and database, or unset it to use the embedded one.`;

/** Returns the message. A host with several addresses fails with one error for each. */
const messageOf = (error: Error): string =>
  error instanceof AggregateError && error.errors.length > 0
    ? error.errors.map((e: Error) => e.message).join('; ')
    : error.message;
