/**
 * Pages in which an earlier run found no faults: looked.json stores their kinds, so that later runs only check pages
 * that have changed since. This only saves time. A kind covers everything that the checks see; the rules and the
 * browser are stored next to the kinds. A tenth of the pages is checked in turns anyway, and `TEST_ALL=1` checks all of
 * them.
 */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface Looked {
  /** hash of the rules and the browser */
  readonly by: string;
  /** kinds of pages */
  readonly kinds: readonly string[];
}

const KEPT = join(import.meta.dirname, 'looked.json');
const RULES = ['look-at.ts', 'skeleton.ts', 'style-rules.ts'].map((name) => join(import.meta.dirname, name));

/** Returns a hash of the rules and the browser that find faults now. Results of any other combination don't count. */
export const lookedBy = (browserVersion: string): string =>
  hash(
    'sha256',
    [
      browserVersion,
      ...[...RULES, createRequire(import.meta.url).resolve('axe-core')].map((file) => readFileSync(file, 'utf8')),
    ].join('\n'),
    'hex',
  ).slice(0, 16);

export const readLooked = (): Looked => JSON.parse(readFileSync(KEPT, 'utf8')) as Looked;

const folderFile = (folder: string): string => join(folder, 'looks', 'good.json');

/** Writes the kinds of pages without faults in this run to a file for the runner. */
export const keepGood = (folder: string, good: Looked): void => writeFileSync(folderFile(folder), JSON.stringify(good));

/**
 * Returns the known kinds after a run: those of a complete run replace the earlier ones, those of a partial run are
 * added.
 */
export function mergedLooked(before: Looked, good: Looked, all: boolean): Looked {
  const kinds = all || before.by !== good.by ? good.kinds : [...before.kinds, ...good.kinds];
  return { by: good.by, kinds: [...new Set(kinds)].toSorted() };
}

export function recordLooked(folder: string, all: boolean): void {
  if (!existsSync(folderFile(folder))) return;
  const good = JSON.parse(readFileSync(folderFile(folder), 'utf8')) as Looked;
  writeFileSync(KEPT, `${JSON.stringify(mergedLooked(readLooked(), good, all), null, 2)}\n`);
}
