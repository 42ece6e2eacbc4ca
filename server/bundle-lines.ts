/** Maps positions in a bundled file to lines of the sources, with a table that is read in a millisecond. */
import { decode } from '@jridgewell/sourcemap-codec';

/** Letters that an escape (`\uffff`) adds. */
const LONGER = 5;

interface Lines {
  /** relative to the project */
  readonly sources: readonly string[];
  /**
   * four numbers each, in order: line and column of the bundle, number of the source, line of the source; all from 0
   */
  readonly places: Int32Array;
}

/**
 * Returns the table of a file whose letters beyond ASCII are escaped after printing.
 * @param code as printed
 * @param map of `code`
 * @param below from the name of a source in the map to its path in the project
 */
export function linesOf(
  code: string,
  map: { readonly mappings: string; readonly sources: readonly string[] },
  below: (source: string) => string,
): Lines {
  const places: number[] = [];
  const texts = code.split('\n');
  for (const [row, segments] of decode(map.mappings).entries()) {
    const escaped = [...(texts[row] ?? '').matchAll(/[^\0-\x7f]/g)].map(({ index }) => index);
    let passed = 0;
    let before = '';
    for (const [column, source, line] of segments) {
      if (source === undefined || line === undefined || `${source}:${line}` === before) continue;
      before = `${source}:${line}`;
      while (passed < escaped.length && escaped[passed] < column) passed += 1;
      places.push(row, column + passed * LONGER, source, line);
    }
  }
  return { sources: map.sources.map(below), places: Int32Array.from(places) };
}
