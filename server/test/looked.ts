/**
 * Pages that nothing was wrong with when a run looked at them: looked.json has their kinds, so later runs look at what
 * has changed since. It only saves time. A kind is of everything that the looks see, what they look for and with which
 * browser is kept beside it, a fifth of the pages is looked at in turns anyway, and `TEST_ALL=1` looks at all of them.
 */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface Looked {
  /** the rules and the browser */
  readonly by: string;
  /** kinds of pages */
  readonly kinds: readonly string[];
}

const KEPT = join(import.meta.dirname, 'looked.json');
const RULES = ['look-at.ts', 'skeleton.ts'].map((name) => join(import.meta.dirname, name));

/** What finds faults today; what another found says nothing about it. */
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

/** Tells the runner which kinds of pages of this run have nothing wrong with them. */
export const keepGood = (folder: string, good: Looked): void => writeFileSync(folderFile(folder), JSON.stringify(good));

/** What is known after a run: of all tests, only what it has met; of some, that besides what was known. */
export function mergedLooked(before: Looked, good: Looked, all: boolean): Looked {
  const kinds = all || before.by !== good.by ? good.kinds : [...before.kinds, ...good.kinds];
  return { by: good.by, kinds: [...new Set(kinds)].toSorted() };
}

export function recordLooked(folder: string, all: boolean): void {
  if (!existsSync(folderFile(folder))) return;
  const good = JSON.parse(readFileSync(folderFile(folder), 'utf8')) as Looked;
  writeFileSync(KEPT, `${JSON.stringify(mergedLooked(readLooked(), good, all), null, 2)}\n`);
}
