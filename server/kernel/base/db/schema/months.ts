/**
 * Months of the tables that are partitioned by month, counted from January 2000, which is 0. See the first part of
 * `db/migrations/0001_kernel.sql`. Pure.
 */

/** Ids of a month start at its number times this. */
export const IDS_OF_A_MONTH = 100_000_000_000;

/** Returns a month as `2026-11` */
export function nameOfMonth(month: number): string {
  return `${2000 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/** Returns the name of the partition, as `make_months` creates it. */
export const partitionOf = (table: string, month: number): string => `${table}_${nameOfMonth(month).replace('-', '_')}`;

/** Returns the month of a partition; null: it is another table. */
export function monthOf(table: string, partition: string): number | null {
  const [, year, month] = new RegExp(`^${table}_(\\d{4})_(\\d{2})$`).exec(partition) ?? [];
  return year === undefined ? null : (Number(year) - 2000) * 12 + Number(month) - 1;
}

/**
 * Returns the first month that is kept: the current one minus the number of whole months. So everything is kept for at
 * least the promised time.
 */
export const firstKept = (thisMonth: number, months: number): number => thisMonth - months;

/** Returns the file of a month's lines. `part`: 1, or more if another business brought rows of an old month. */
export const fileOf = (table: string, month: number, part: number): string =>
  `archives/${table}/${nameOfMonth(month)}${part === 1 ? '' : `-${part}`}.gz`;
