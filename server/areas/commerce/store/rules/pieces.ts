/** How many pieces of an item come back: docs/algorithms/stock.md. Pure. */

export interface Pieces {
  readonly bought: number;
  readonly returned: number;
}

/** `asked`: how many; absent: all that have not come back yet. A text says what is against it. */
export function piecesBack({ bought, returned }: Pieces, asked: number | undefined): number | string {
  const left = bought - returned;
  if (left === 0) return 'All of it was already returned.';
  if (asked !== undefined && asked > left)
    return `Must be at most ${left}: of ${bought}, ${returned} were already returned.`;
  return asked ?? left;
}
