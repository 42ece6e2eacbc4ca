/** What differs between a row as it was and as it is. Pure. */

type Row = Readonly<Record<string, unknown>>;

export interface Change {
  readonly name: string;
  /** null where there was none */
  readonly old: unknown;
  readonly new: unknown;
}

/**
 * Names that differ, in the order of the later row; of what was made, everything that has a value; of what was deleted,
 * all it had.
 */
export function changesBetween(before: Row | null, after: Row | null): Change[] {
  const names = new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})]);
  return [...names].flatMap((name) => {
    const [was, is] = [valueOf(before, name), valueOf(after, name)];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ name, old: was, new: is }];
  });
}

const valueOf = (row: Row | null, name: string): unknown => (row && Object.hasOwn(row, name) ? row[name] : null);
