// Runs tests as if on another day, under Debian's `faketime`: the last minute of a year, a leap day, nights with a
// daylight saving change, the end of a month, and a day years ahead. Arguments: those of `npm test`; `--moment=N` for
// one of the moments. Nothing may fail that doesn't fail today.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Start times of the runs in UTC; time advances from there. */
const MOMENTS: readonly (readonly [what: string, at: string])[] = [
  ['the last minute of a year', '2027-12-31 23:59:00'],
  ['a leap day', '2028-02-29 12:00:00'],
  ['the last minute of a month in Toronto', '2027-05-01 03:59:00'],
  ['the night in which Toronto loses an hour', '2027-03-14 06:59:00'],
  ['the night in which Toronto has an hour twice', '2027-11-07 05:59:00'],
  ['the night in which Berlin loses an hour', '2027-03-28 00:59:00'],
  ['the night in which Berlin has an hour twice', '2027-10-31 00:59:00'],
  ['a day years ahead', '2031-08-20 15:00:00'],
];

/** Tests of file ages: the system sets file times, and its clock isn't moved. */
const OF_FILES = [
  'with its files an hour later',
  'files of an upload that was undone',
  'takes away what killed processes left',
];

const LIBRARY = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];
if (LIBRARY === undefined) {
  console.error('libfaketime is not installed. Remedy: apt-get install faketime');
  process.exit(1);
}

/** Returns the seconds from now, with their sign. */
function aheadOf(at: string): string {
  const seconds = Math.round((Date.parse(`${at.replace(' ', 'T')}Z`) - Date.now()) / 1000);
  return seconds < 0 ? String(seconds) : `+${seconds}`;
}

const args = process.argv.slice(2);
const chosen = args.find((arg) => arg.startsWith('--moment='));
const numbers = chosen ? [Number(chosen.slice('--moment='.length))] : MOMENTS.map((_, n) => n + 1);
const failed: string[] = [];
for (const n of numbers) {
  const [what, at] = MOMENTS[n - 1];
  console.log(`\n${n}. ${what}: ${at} UTC\n`);
  const { status } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'bin/rollcall.mjs'),
      'run',
      join(ROOT, 'server/test/run.ts'),
      ...OF_FILES.map((name) => `--test-skip-pattern=${name}`),
      ...args.filter((arg) => arg !== chosen),
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        TZ: 'UTC',
        LD_PRELOAD: LIBRARY,
        // As an offset, so that all processes agree, including PostgreSQL and the browser.
        FAKETIME: `${aheadOf(at)}s`,
        // Waiting and measuring use the monotonic clock, which nobody sets.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    },
  );
  if (status !== 0) failed.push(what);
}
if (failed.length > 0) {
  console.error(`\nFailed at: ${failed.join('; ')}.`);
  process.exitCode = 1;
}
