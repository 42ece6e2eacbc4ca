/** The number of pieces of an item that are returned: docs/algorithms/stock.md. Pure. */

interface Pieces {
  readonly bought: number;
  readonly returned: number;
}

/** `asked`: the requested number; absent: all that have not been returned. Returns a text if there is an objection. */
export function piecesBack({ bought, returned }: Pieces, asked: number | undefined): number | string {
  const left = bought - returned;
  if (left === 0) return 'All of it was already returned.';
  if (asked !== undefined && asked > left)
    return `Must be at most ${left}: of ${bought}, ${returned} were already returned.`;
  return asked ?? left;
}
