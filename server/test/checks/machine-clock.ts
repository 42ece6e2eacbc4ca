// Finds tests that read the machine's clock: their results would depend on the day, the hour, or the load of the
// machine.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Files that may read the machine's clock, by the reason. A test uses `world.now`, or `START` of clock.ts. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  'makes the clock of the tests': ['server/test/clock.ts'],
  'waits, and gives up at some time': [
    'server/areas/sites/dashboard/test/window/desk-window.ts',
    'server/test/pages/shows.ts',
    'server/test/storm.ts',
  ],
  'measures how long files take': ['server/test/run.ts', 'server/test/runner/shards.ts', 'server/test/runner/speed.ts'],
  'reports how long nobody could book, and asserts nothing of it': [
    'server/test/processes/booking-storm.ts',
    'server/test/cells/cells-move-failover.test.ts',
    'server/test/processes/failover.test.ts',
    'server/test/worlds/moving-world.ts',
  ],
  'compares the clocks of machines': [
    'server/scale/doctor/standbys.test.ts',
    'server/commands/doctor/doctor.test.ts',
    'server/test/releases/kept.ts',
    'server/test/cells/cells-move.test.ts',
  ],
  'tells a wait from none, by seconds': [
    'server/areas/platform/feed/stream.test.ts',
    'server/test/processes/peers.test.ts',
  ],
  'is a bucket on another machine, which notes when it got a file': ['server/test/outside/bucket.ts'],
  'names what is not to be read': ['server/test/checks/machine-clock.test.ts'],
  'is no test but a tool for people': [
    'server/test/moved-clock.ts',
    'server/test/pages/site-pictures.ts',
    'server/test/checks/surface.ts',
  ],
};
const EXCEPTIONS = new Set(Object.values(MAY).flat());

const READS = /\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)|\bperformance\.now\b|\bTemporal\.Now\b|\bhrtime\b/g;
const COMMENTS = /^[ \t]*(?:\/\/|\/?\*).*$/gm;

/** Returns every place where a file reads the machine’s clock, as `path:line: Date.now`. */
export const clockReads = (path: string, source: string): string[] =>
  source
    .replace(COMMENTS, '')
    .split('\n')
    .flatMap((line, at) => (line.match(READS) ?? []).map((read) => `${path}:${at + 1}: ${read}`));

export interface Found {
  /** violations, each as a sentence */
  readonly broken: string[];
  /** exceptions that are no longer needed */
  readonly needless: string[];
}

export function findClockReads(sources: ReadonlyMap<string, string>): Found {
  const broken: string[] = [];
  const needed = new Set<string>();
  for (const [path, source] of sources) {
    const reads = clockReads(path, source);
    if (reads.length === 0) continue;
    if (EXCEPTIONS.has(path)) needed.add(path);
    else
      broken.push(...reads.map((read) => `${read} reads the machine's clock. Take world.now, or START of clock.ts.`));
  }
  return { broken, needless: [...EXCEPTIONS].filter((path) => !needed.has(path)) };
}

function testSources(): ReadonlyMap<string, string> {
  const files = globSync(
    ['{server,bench,deploy,sdk,web}/**/*.test.{ts,tsx}', '{server,bench,deploy,sdk,web}/**/test/**/*.{ts,tsx}'],
    {
      cwd: ROOT,
      exclude: (name) => name === 'node_modules',
    },
  );
  if (files.length === 0) throw new Error('no test file was found: nothing would be checked');
  return new Map(files.toSorted().map((file) => [file.replaceAll('\\', '/'), readFileSync(join(ROOT, file), 'utf8')]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = testSources();
  const { broken, needless } = findClockReads(sources);
  const wrong = [...broken, ...needless.map((path) => `${path} needs no exception in machine-clock.ts any more.`)];
  if (wrong.length > 0) {
    console.error(wrong.join('\n'));
    process.exitCode = 1;
  } else {
    console.log(`${sources.size} files of tests leave the machine's clock alone.`);
  }
}
