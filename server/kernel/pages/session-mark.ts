/** Which cell began a session: the secret in its cookie says so to the cell that has to ask it. */

const PREFIX = 'rcs';
const MARKED = /^rcs([1-9]\d?)_/;

/** What the secrets of a cell begin with; null: of an installation that has no cells. */
export const sessionPrefix = (cell: number | null): string => `${PREFIX}${cell ?? ''}_`;

/** Null: the secret names no cell, because it is from before there were any, or it is no secret of a session. */
export function sessionCell(secret: string): number | null {
  const [, cell] = MARKED.exec(secret) ?? [];
  return cell === undefined ? null : Number(cell);
}
