/** Compares a row before and after a change. Pure. */

type Row = Readonly<Record<string, unknown>>;

interface Change {
  readonly name: string;
  /** null if there was none */
  readonly old: unknown;
  readonly new: unknown;
}

/**
 * Returns the names that differ, in the order of the later row: for a created row, all that have a value; for a deleted
 * row, all that it had.
 */
export function changesBetween(before: Row | null, after: Row | null): Change[] {
  const names = new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})]);
  return [...names].flatMap((name) => {
    const [was, is] = [valueOf(before, name), valueOf(after, name)];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ name, old: was, new: is }];
  });
}

const valueOf = (row: Row | null, name: string): unknown => (row && Object.hasOwn(row, name) ? row[name] : null);
