/** The connection went away: nothing can be said about what the server did last. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  // A mistake of the program (a TypeError, ERR_INVALID_…) is none, whatever words it uses.
  if (code === undefined) return error.constructor === Error && /connect|terminat/i.test(error.message);
  if (code.startsWith('ERR_')) return /^ERR_(STREAM|SOCKET)_/.test(code);
  return code.startsWith('08') || code.startsWith('57P') || code.startsWith('E') || code === '53300';
}
