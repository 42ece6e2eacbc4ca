/** How somebody without a pointer gets to a part of a page, and what files hold that they keep. */
import type { Locator } from 'playwright-core';

/** More than any page has to stop at. */
const MOST_STOPS = 400;

/** Goes from part to part with the Tab key until the focus is on it; an error where that never happens. */
export async function reach(target: Locator): Promise<void> {
  const one = target.first();
  await one.waitFor();
  const page = one.page();
  const isThere = () => one.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} can't be reached by keyboard`);
}

/** The lines of a CSV file by the names of its columns. Our exports quote a field where it needs that. */
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
