/** Turns whatever was thrown into a refusal that a caller can act on; what is not one stays an error of ours. */
import { AccessChanged, isConnectionLoss } from '../db/database.ts';
import { Busy } from '../db/gate.ts';
import { Problem } from './problem.ts';

interface PgError {
  readonly code?: string;
  readonly constraint?: string;
}

export class Failure extends Problem {
  /** what really happened, for the log only */
  override readonly cause: unknown;
  constructor(code: 'internal_error' | 'unavailable', message: string, cause: unknown) {
    super(code, message, {}, code === 'unavailable' ? { 'retry-after': '1' } : {});
    this.cause = cause;
  }
}

export function translate(error: unknown, constraints: ReadonlyMap<string, () => Problem>): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof AccessChanged) return new Failure('unavailable', 'What the credential reaches keeps changing; try again.', error);
  if (error instanceof Busy) return new Failure('unavailable', 'The service is too busy for this now. Try again.', error);
  const { code, constraint } = error as PgError;
  const known = constraint !== undefined ? constraints.get(constraint) : undefined;
  if (known) return known();
  switch (code) {
    case '23505':
      return new Problem('already_exists', 'Something with this unique property exists.');
    case '23503':
      return new Problem('in_use', 'Something else refers to it, or it refers to something that is gone.');
    case '23514':
    case '23P01':
    case '23001':
      return new Problem('conflict', 'The change contradicts what is stored.');
    case '22003':
    case '22008':
      return new Problem('parameter_invalid', 'A number or a time is out of range.');
    case '57014':
      return new Failure('unavailable', 'This took too long and was stopped. Narrow a list with filters, or try again.', error);
    case '55P03':
    case '40001':
    case '40P01':
      return new Failure('unavailable', 'The service is too busy for this now; try again.', error);
  }
  if (isConnectionLoss(error)) return new Failure('unavailable', 'The service cannot reach its database; try again.', error);
  return new Failure('internal_error', 'Something went wrong on our side. The request id leads to its log.', error);
}
