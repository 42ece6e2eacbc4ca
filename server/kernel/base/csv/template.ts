/**
 * Text built from the cells of a row: `"Location {Location ID}"`. Names in braces are columns of the file; those that
 * begin with `$` are values that the importer provides.
 */
export interface Template {
  readonly text: string;
  /** the first column that it reads, for messages; empty if it is constant */
  readonly column: string;
  /** Returns the text for a row, or null if one of its cells is empty. */
  fill(cells: readonly string[], offered?: Readonly<Record<string, string>>): string | null;
}

const HOLE = /\{([^{}]+)\}/g;

export const columnsOf = (text: string): string[] =>
  [...text.matchAll(HOLE)].map((m) => m[1]).filter((name) => !name.startsWith('$'));

/**
 * Compiles a template.
 * @param empty texts that count as empty, in addition to the empty text
 * @throws Error that names the column missing from the heading
 */
export function compileTemplate(text: string, heading: readonly string[], empty: ReadonlySet<string>): Template {
  type Part =
    | string
    | { read(cells: readonly string[], offered: Readonly<Record<string, string>>): string | undefined };
  const parts = text.split(HOLE).map((part, i): Part => {
    if (i % 2 === 0) return part;
    if (part.startsWith('$')) return { read: (_cells, offered) => offered[part] };
    const index = heading.indexOf(part);
    if (index < 0) {
      throw new Error(
        `The mapping reads the column "${part}", which the file does not have. It has: ${heading.join(', ')}. Remedy: name one of these in the mapping.`,
      );
    }
    return { read: (cells) => cells[index] };
  });
  return {
    text,
    column: columnsOf(text)[0] ?? '',
    fill(cells, offered = {}) {
      let filled = '';
      for (const part of parts) {
        const piece = typeof part === 'string' ? part : part.read(cells, offered);
        if (piece === undefined || (typeof part !== 'string' && (piece === '' || empty.has(piece)))) return null;
        filled += piece;
      }
      return filled === '' ? null : filled;
    },
  };
}

/** Returns a template for the text of one column, whatever its name contains. */
export const columnTemplate = (index: number, column: string): Template => ({
  text: column,
  column,
  fill: (cells) => cells[index] || null,
});

/** Returns a template with the same text for every row. */
export const constantTemplate = (text: string): Template => ({ text, column: '', fill: () => text });
