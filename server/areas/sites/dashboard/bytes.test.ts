/** Bytes that a browser loads before a screen is shown, measured in the output of the build. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { join } from 'node:path';
import { readFileSync, statSync } from 'node:fs';
import { build, SHIPPED } from './built.ts';
import { screens } from './test/screens.ts';

const MAX_BYTES = 180 * 1024;

/** Keyed by the path of its source, or by `_` and its name. */
interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

let folder: string;
let chunks: Readonly<Record<string, Chunk>>;
before(async () => {
  folder = await build(SHIPPED);
  chunks = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as typeof chunks;
});

/** Returns all chunks that are loaded before the first line of these runs. */
function neededBy(keys: readonly string[]): ReadonlySet<string> {
  const needed = new Set<string>();
  const add = (key: string): void => {
    if (needed.has(key)) return;
    needed.add(key);
    for (const one of chunks[key].imports ?? []) add(one);
  };
  keys.forEach(add);
  return needed;
}

/** Returns the texts in each other language that are loaded with these. */
function languagesOf(keys: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const all = new Set([...keys].flatMap((key) => chunks[key].dynamicImports ?? []));
  return Map.groupBy(
    [...all].filter((key) => /texts:[\w/]+:[a-z]{2}$/.test(key)),
    (key) => key.slice(-2),
  );
}

/** Counts the compressed bytes, as they are sent. */
const bytesOf = (keys: Iterable<string>): number =>
  [...new Set([...keys].flatMap((key) => [chunks[key].file, ...(chunks[key].css ?? [])]))]
    .map((file) => statSync(join(folder, `${file}.br`)).size)
    .reduce((sum, size) => sum + size, 0);

describe('a screen that is opened first loads at most 180 KB, in any language', () => {
  for (const { name, source } of screens)
    test(name, () => {
      const needed = neededBy(['index.html', 'src/screen-files.ts', source]);
      const languages = languagesOf(needed);
      assert.equal(languages.size, 8);
      const largest = Math.max(...[...languages.values()].map(bytesOf));
      const bytes = bytesOf(needed) + largest;
      assert.ok(bytes <= MAX_BYTES, `it loads ${bytes} bytes`);
    });
});
