/**
 * What becomes of each column of an archive where it arrives. A file can be made by hand, so what only a proof or the operator
 * of an installation may set is not taken from it.
 */
import { ArchiveDamaged } from './tar.ts';

export type Row = Readonly<Record<string, any>>;

/** A value that is not taken from the file. */
export interface Reset {
  /** the value instead, from the row as it is in the file */
  readonly to: (row: Row) => unknown;
  /** what was reset, for the operator, after the number of rows; null: it is only written in another way */
  readonly said: string | null;
}

/** A value that the service would stumble over for other businesses too. */
export interface Check {
  readonly holds: (value: any, row: Row) => boolean;
  /** after "has a row whose timezone" */
  readonly must: string;
}

export interface ArrivingTable {
  /** names, separated by spaces: stored as the file has them. They reach this business alone. */
  readonly own: string;
  readonly reset?: Readonly<Record<string, Reset>>;
  readonly checked?: Readonly<Record<string, Check>>;
  /** rows that don't arrive */
  readonly without?: { readonly row: (row: Row) => boolean; readonly said: string };
}

export interface Arriving {
  readonly tables: Readonly<Record<string, ArrivingTable>>;
  /** tasks of jobs that arrive */
  readonly jobs: readonly string[];
  /** readers of the feed that this release knows */
  readonly readers: readonly string[];
}

/** How often something was reset, by what is said of it. */
export class Resets {
  readonly #counts = new Map<string, number>();

  add(said: string): void {
    this.#counts.set(said, (this.#counts.get(said) ?? 0) + 1);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

/** The columns that somebody decided on, in the order in which they are written. */
export const decidedOf = ({ own, reset = {}, checked = {} }: ArrivingTable): string[] => [
  ...own.split(/\s+/).filter((name) => name !== ''),
  ...Object.keys(reset),
  ...Object.keys(checked),
];

/** @throws Error for a column that nobody has decided on: a file could set it */
export function checkDecided(table: string, arriving: ArrivingTable | undefined, columns: readonly string[]): void {
  const decided = arriving ? decidedOf(arriving) : [];
  const open = columns.find((column) => !decided.includes(column));
  if (open !== undefined)
    throw new Error(`nobody says what becomes of ${table}.${open} when a business arrives: see server/arriving.ts`);
}

/** More than any installation gives out, and less than a sequence ends at: an id of a file must not use up all others. */
export const MOST_ID = 50_000_000_000;

export const isArrivingId = (id: unknown, perMonth: number | null): boolean =>
  Number.isSafeInteger(id) &&
  (id as number) > 0 &&
  (perMonth === null ? (id as number) : (id as number) % perMonth) <= MOST_ID;

/** @throws ArchiveDamaged */
export function checkRow(path: string, { checked = {} }: ArrivingTable, row: Row): void {
  for (const [column, { holds, must }] of Object.entries(checked))
    if (row[column] !== null && !holds(row[column], row))
      throw new ArchiveDamaged(`${path} has a row whose ${column} ${must}`);
}

/** The row as it arrives; null: it doesn't. */
export function arrivingRow<T extends Row>({ reset = {}, without }: ArrivingTable, row: T, resets: Resets): T | null {
  if (without?.row(row)) {
    resets.add(without.said);
    return null;
  }
  const arrived: Record<string, unknown> = { ...row };
  for (const [column, { to, said }] of Object.entries(reset)) {
    const value = to(row);
    if (value !== row[column] && said !== null) resets.add(said);
    arrived[column] = value;
  }
  return arrived as T;
}
