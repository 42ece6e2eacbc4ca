// Prints the changes of the interface since the last release. --release records them under the version of package.json:
// the list in docs/api/changes.json, and the interface itself in docs/api/surface.json, with which the next release is
// compared. --date YYYY-MM-DD sets the date; the default is today. Nothing else writes to docs/api.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CHANGES_FILE, readChanges, type Change, type Release } from '../../areas/sites/reference/changes.ts';
import { changesBetween, describeSurface, type Surface } from './api-surface.ts';
import { parseDate } from '../../kernel/base/values/date.ts';
import { registry } from '../../app.ts';
import manifest from '../../../package.json' with { type: 'json' };

export const SURFACE_FILE = join(dirname(CHANGES_FILE), 'surface.json');

/** Returns the interface of the last release; null before the first one. */
export function recorded(file = SURFACE_FILE): Surface | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Returns the list with one more release.
 * @throws Error if the version was released already, or the date is before the last release
 */
export function withRelease(
  releases: readonly Release[],
  { version, date }: Omit<Release, 'changes'>,
  changes: readonly Change[],
): Release[] {
  if (releases.some((one) => one.version === version))
    throw new Error(`${version} is recorded already. Remedy: set the version of this release in package.json.`);
  const last = releases.at(-1);
  if (last && last.date > date) throw new Error(`${last.version} is of ${last.date}; ${date} is before it.`);
  return [...releases, { version, date, changes }];
}

/** One property or operation per line, so that each change changes one line. */
const print = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

function main(): void {
  const { values } = parseArgs({ options: { release: { type: 'boolean' }, date: { type: 'string' } } });
  const now = describeSurface(registry());
  const changes = changesBetween(recorded(), now);
  if (!values.release) {
    for (const change of changes) console.log(JSON.stringify(change));
    return;
  }
  const date = values.date ?? new Date().toISOString().slice(0, 10);
  if (parseDate(date) === null) throw new Error(`"${date}" is not a date, for example 2026-01-31`);
  const releases = withRelease(readChanges(), { version: manifest.version, date }, changes);
  mkdirSync(dirname(SURFACE_FILE), { recursive: true });
  writeFileSync(CHANGES_FILE, print(releases));
  writeFileSync(SURFACE_FILE, print(now));
  console.log(`Recorded ${changes.length} changes for ${manifest.version} of ${date} in docs/api. Commit both files.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
