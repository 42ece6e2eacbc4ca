/** The pages about products in docs/guide/move-in: their tables say what happens to the columns of each export. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COLUMNS, plainName } from './columns/index.ts';
import { matchFile } from './match.ts';

const PAGES = new URL('../../../../docs/guide/move-in/', import.meta.url);

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

/** Returns the rows of the table of a page: the kind, the columns, and those that are not imported. */
function exportsIn(page: string): { kind: string; columns: string[]; left: string[] }[] {
  const rows = readFileSync(new URL(page, PAGES), 'utf8').matchAll(/^\| (.+) \| (.+) \| (`.+) \| (.+) \|$/gm);
  return [...rows].map(([, , kind, columns, left]) => ({
    kind: kind.toLowerCase(),
    columns: namesIn(columns),
    left: namesIn(left),
  }));
}

test('each export of a product is what its page says, and every column that is left out is named there', () => {
  const pages = readdirSync(PAGES);
  assert.ok(pages.length >= 6, pages.join());
  for (const page of pages) {
    const all = exportsIn(page);
    assert.ok(all.length > 0, page);
    for (const { kind, columns, left } of all) {
      const found = matchFile(columns, null);
      assert.deepEqual([found.kind, found.unclear], [kind, false], `${page}: ${columns.join()}`);
      const asked = new Set(COLUMNS[found.kind].asks?.map(plainName));
      assert.deepEqual(
        columns.filter((name, i) => found.properties[i] === null && !asked.has(plainName(name))),
        left,
        `${page}: ${kind}`,
      );
    }
  }
});
