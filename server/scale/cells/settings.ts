/** The number of this cell, and the URLs of the others: `CELL` and `CELLS`. */

/** The remainder of an id is the cell that issued it, so the number of cells is fixed forever. */
export const MAX_CELLS = 32;

export interface CellSettings {
  /** the number of this cell, from 1 */
  readonly own: number;
  /**
   * base URLs at which the servers of each cell, including this one, answer the other cells, without a trailing slash
   */
  readonly addresses: ReadonlyMap<number, string>;
}

/**
 * Reads the settings; null: this installation does not have several cells.
 * @throws Error that names the variable
 */
export function readCells(env: NodeJS.ProcessEnv): CellSettings | null {
  if (!env.CELL && !env.CELLS) return null;
  for (const name of ['CELL', 'CELLS', 'SECRET_KEY', 'DATABASE_URL', 'PUBLIC_URL'])
    if (!env[name]) throw new Error(`${name} must be set where an installation has several cells`);
  const addresses = new Map(env.CELLS!.split(',').map((text) => readCell(text.trim())));
  const own = cellNumber(env.CELL!);
  if (own === null || !addresses.has(own))
    throw new Error(`CELL must be one of the cells in CELLS (${[...addresses.keys()].join(', ')}), not "${env.CELL}"`);
  if (addresses.size !== env.CELLS!.split(',').length) throw new Error('CELLS lists a cell twice');
  return { own, addresses };
}

function readCell(text: string): [number, string] {
  const [, name, address] = /^(\d+)=(\S+)$/.exec(text) ?? [];
  const cell = name === undefined ? null : cellNumber(name);
  if (cell === null || !/^https?:\/\/[^/?#@]+\/*$/.test(address) || !URL.canParse(address))
    throw new Error(
      `CELLS must name each cell, from 1 to ${MAX_CELLS}, with its address, such as 1=https://cell1.example.net,2=https://cell2.example.net, not "${text}"`,
    );
  return [cell, address.replace(/\/+$/, '')];
}

function cellNumber(text: string): number | null {
  const n = Number(text);
  return /^\d+$/.test(text) && n >= 1 && n <= MAX_CELLS ? n : null;
}
