/** Columns of a file that nothing is read from. */
import type { ColumnOf } from '../column.ts';
import type { KindName } from './columns.ts';

export interface Unimported {
  readonly heading: string;
  readonly value_count: number;
}

/** Returns the columns with values that are not imported: without a property, or with one that others replace. */
export function unimportedIn(kind: KindName, columns: readonly ColumnOf[]): Unimported[] {
  const mapped = new Set(columns.map(({ property }) => property));
  // Customers have their first and last name, or else both from one column.
  const isReplaced = ({ property }: ColumnOf) =>
    kind === 'customers' && property === 'name' && (mapped.has('first_name') || mapped.has('last_name'));
  return columns.flatMap((column) => {
    const { heading, property, value_count: count } = column;
    return count > 0 && (property === null || isReplaced(column)) ? [{ heading, value_count: count }] : [];
  });
}
