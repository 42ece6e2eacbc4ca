/**
 * Rules for each column of an archive on import. A file can be created by hand, so values that only a verification or
 * the operator may set are not taken from it.
 */
import { ArchiveDamaged } from './tar.ts';

export type Row = Readonly<Record<string, any>>;

/** A value that is not taken from the file. */
export interface Reset {
  /** the replacement, computed from the row in the file */
  readonly to: (row: Row) => unknown;
  /** description for the operator, after the number of rows; null: only the notation changes */
  readonly said: string | null;
}

/** A value that could make the service fail for other businesses too. */
export interface Check {
  readonly holds: (value: any, row: Row) => boolean;
  /** completes "has a row whose timezone" */
  readonly must: string;
}

export interface ArrivingTable {
  /** names, separated by spaces: stored as they are in the file. They affect this business alone. */
  readonly own: string;
  readonly reset?: Readonly<Record<string, Reset>>;
  readonly checked?: Readonly<Record<string, Check>>;
  /** rows that are not imported */
  readonly without?: { readonly row: (row: Row) => boolean; readonly said: string };
}

export interface Arriving {
  readonly tables: Readonly<Record<string, ArrivingTable>>;
  /** tasks of jobs that are imported */
  readonly jobs: readonly string[];
  /** readers of the feed that this release has */
  readonly readers: readonly string[];
}

/** Counts of resets, by description. */
export class Resets {
  readonly #counts = new Map<string, number>();

  add(said: string): void {
    this.#counts.set(said, (this.#counts.get(said) ?? 0) + 1);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

/** Returns the columns with a rule, in the order in which they are written. */
export const decidedColumns = ({ own, reset = {}, checked = {} }: ArrivingTable): string[] => [
  ...own.split(/\s+/).filter((name) => name !== ''),
  ...Object.keys(reset),
  ...Object.keys(checked),
];

/**
 * Checks that every column has a rule.
 * @throws Error for a column without one: a file could set it
 */
export function checkDecided(table: string, arriving: ArrivingTable | undefined, columns: readonly string[]): void {
  const decided = arriving ? decidedColumns(arriving) : [];
  const open = columns.find((column) => !decided.includes(column));
  if (open !== undefined)
    throw new Error(`nobody says what becomes of ${table}.${open} when a business arrives: see server/arriving`);
}

/**
 * More than any installation issues, and less than the end of a sequence: an id in a file must not use up all others.
 */
export const MAX_ID = 50_000_000_000;

export const isArrivingId = (id: unknown, perMonth: number | null): boolean =>
  Number.isSafeInteger(id) &&
  (id as number) > 0 &&
  (perMonth === null ? (id as number) : (id as number) % perMonth) <= MAX_ID;

/**
 * Checks a row.
 * @throws ArchiveDamaged
 */
export function checkRow(path: string, { checked = {} }: ArrivingTable, row: Row): void {
  for (const [column, { holds, must }] of Object.entries(checked))
    // An archive of an earlier release lacks columns that were added since.
    if ((row[column] ?? null) !== null && !holds(row[column], row))
      throw new ArchiveDamaged(`${path} has a row whose ${column} ${must}`);
}

/** Returns the row as it is imported; null if it is not. */
export function arrivingRow<T extends Row>({ reset = {}, without }: ArrivingTable, row: T, resets: Resets): T | null {
  if (without?.row(row)) {
    resets.add(without.said);
    return null;
  }
  const arrived: Record<string, unknown> = { ...row };
  for (const [column, { to, said }] of Object.entries(reset)) {
    const value = to(row);
    if (column in row && value !== row[column] && said !== null) resets.add(said);
    arrived[column] = value;
  }
  return arrived as T;
}
