/** Returns true if the connection was lost, so that the outcome of the last command is unknown. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  // A bug (a TypeError, ERR_INVALID_…) is not a lost connection, whatever its message says.
  if (code === undefined) return error.constructor === Error && /connect|terminat/i.test(error.message);
  if (code.startsWith('ERR_')) return /^ERR_(STREAM|SOCKET)_/.test(code);
  return code.startsWith('08') || code.startsWith('57P') || code.startsWith('E') || code === '53300';
}
