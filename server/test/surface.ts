// Compares docs/api/surface.json with what is declared; --write dates the differences into docs/api/changes.json and
// brings the snapshot up to date. --date YYYY-MM-DD says when, today without it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CHANGES_FILE, readChanges, type Change, type DatedChanges } from '../kernel/api/changes.ts';
import { changesBetween, surfaceOf, type Surface } from './api-surface.ts';
import { parseDate } from '../kernel/values/date.ts';
import { registry } from '../app.ts';

const FILE = fileURLToPath(new URL('../../docs/api/surface.json', import.meta.url));
export const REMEDY =
  'Remedy: run "node bin/rollcall.mjs run server/test/surface.ts --write" and commit docs/api with the change.';

/** The snapshot on record; null before the first one. */
export function recorded(file = FILE): Surface | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The list with the changes of a day behind it; changes of the same day stand together. */
export function dated(list: readonly DatedChanges[], date: string, changes: readonly Change[]): DatedChanges[] {
  if (changes.length === 0) return [...list];
  const last = list.at(-1);
  if (last && last.date > date) throw new Error(`The last changes are of ${last.date}; ${date} is before them.`);
  if (last?.date === date) return [...list.slice(0, -1), { date, changes: [...last.changes, ...changes] }];
  return [...list, { date, changes }];
}

export const differences = (): Change[] => changesBetween(recorded(), surfaceOf(registry()));

/** One property or operation on a line, so that a change of one is a change of one line. */
const print = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

function main(): void {
  const { values } = parseArgs({ options: { write: { type: 'boolean' }, date: { type: 'string' } } });
  const changes = differences();
  if (values.write) {
    const date = values.date ?? new Date().toISOString().slice(0, 10);
    if (parseDate(date) === null) throw new Error(`"${date}" is no date, as 2026-01-31`);
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(CHANGES_FILE, print(dated(readChanges(), date, changes)));
    writeFileSync(FILE, print(surfaceOf(registry())));
    console.log(`Wrote docs/api/surface.json; ${changes.length} changes are dated ${date} in docs/api/changes.json.`);
  } else if (changes.length > 0) {
    console.error(
      `docs/api/surface.json is not what is declared:\n${changes.map((c) => JSON.stringify(c)).join('\n')}\n${REMEDY}`,
    );
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
