/** The cell that started a session: the secret in its cookie names it to any cell that has to ask it. */

const PREFIX = 'rcs';
const MARKED = /^rcs([1-9]\d?)_/;

/** Returns the prefix of a cell's secrets; null: an installation without cells. */
export const sessionPrefix = (cell: number | null): string => `${PREFIX}${cell ?? ''}_`;

/** Returns null if the secret names no cell: it is older than the cells, or is no session secret. */
export function sessionCell(secret: string): number | null {
  const [, cell] = MARKED.exec(secret) ?? [];
  return cell === undefined ? null : Number(cell);
}
