/** Readers of downloaded files. */

/** Returns the rows of a CSV file by the names of its columns. Our exports quote a field if necessary. */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  const [names, ...lines] = rows;
  return lines
    .filter((line) => line.length === names.length)
    .map((line) => Object.fromEntries(names.map((name, n) => [name, line[n]])));
}
