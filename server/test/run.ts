/**
 * Runs `npm test`: test files in as many processes as the machine has cores, one PostgreSQL for all of them, and at the
 * end a look at the pages that they have recorded.
 *
 * Arguments: files, folders or globs instead of all tests, and
 *   --changed   only what the change reaches, which otherwise comes first
 *   --all       also what is rare (rare.ts); without files, only those that hold something rare
 *   --verbose   prints each test
 *   --times     prints what each file took, in PostgreSQL too; --record keeps it in times.json, which determines the
 *               order of files, and the pages without faults in looked.json, which need no second look
 * Other arguments with "-" go to Node's test runner, such as --test-name-pattern=….
 */
import { availableParallelism } from 'node:os';
import { recordLooked } from './pages/looked.ts';
import { countLooked, countPages } from './pages/looks.ts';
import { reachedHere } from './runner/change.ts';
import { CpuMeter, msOfTree } from './runner/cpu.ts';
import { startPlace } from './runner/place.ts';
import { plan, Queue, type Planned } from './runner/plan.ts';
import { OF_RUN, Report, secondsLeft } from './runner/report.ts';
import { codeFiles, ROOT, Sources, testFiles } from './runner/sources.ts';
import { slowness } from './runner/speed.ts';
import { readTimes, recordTimes, timesText } from './runner/times.ts';
import { turnByContent } from './runner/turn.ts';
import { Crew, LOOKS } from './runner/work.ts';

const OWN = ['--changed', '--all', '--verbose', '--times', '--record'] as const;
/** The number of connections to PostgreSQL does not grow with the cores of the machine. */
const MAX_SHARDS = 6;
/** Time to end after a signal. */
const STOP_MS = 5000;
/** With this few files, each test is printed. */
const FEW = 1;

process.chdir(ROOT);
const args = process.argv.slice(2);
const wants = (option: (typeof OWN)[number]): boolean => args.includes(option);
const options = args.filter((arg) => arg.startsWith('-') && !(OWN as readonly string[]).includes(arg));
const named = args.filter((arg) => !arg.startsWith('-'));
const everything = wants('--all') || process.env.TEST_ALL === '1';
const sources = new Sources();

const files = chosen();
process.exitCode = files.length > 0 ? await run() : none();

function none(): number {
  console.error(`No test file matches ${args.join(' ')}.`);
  return 1;
}

function chosen(): Planned[] {
  const times = readTimes();
  const reached = named.length > 0 ? 'all' : reachedHere(sources);
  return testFiles(named)
    .map((file) => plan(file, sources.harnessOf(file), times, reached))
    .filter((one) => one.first || !wants('--changed'))
    .filter((one) => one.rare || !wants('--all') || named.length > 0);
}

async function run(): Promise<number> {
  const rare = new Set(files.filter((one) => one.rare).map((one) => one.file));
  const turn = process.env.TEST_TURN ?? String(turnByContent(rare.size > 0 && !everything ? codeFiles() : [], sources));
  const settings = everything ? 'TEST_ALL=1' : `TEST_TURN=${turn}`;
  if (rare.size > 0) console.log(`${settings}${everything ? '' : ', from what the sources contain'}`);

  const shards = Math.max(1, Math.min(availableParallelism(), MAX_SHARDS, files.length));
  const queue = new Queue(files, Math.max(1, Math.floor(shards / 2)));
  const [began, all] = [performance.now(), queue.secondsLeft];
  // The pipe is closed early by readers such as `head`.
  process.stdout.on('error', () => {});
  const report = new Report({
    files: files.length,
    verbose: wants('--verbose') || files.length <= FEW,
    write: (text) => void process.stdout.write(text),
    live: process.stdout.isTTY,
    settings: (file) => (rare.has(file) ? `${settings} ` : ''),
    left: () => secondsLeft(queue.secondsLeft / all, (performance.now() - began) / 1000),
    now: () => performance.now(),
  });

  const measures = wants('--times') || wants('--record');
  const place = await startPlace(files.some((one) => one.database));
  process.env.TEST_FOLDER = place.folder;
  const crew = new Crew({
    queue,
    report,
    deadlocks: place.deadlocks,
    shards,
    waiter: files.length > shards,
    slow: files.length > FEW ? slowness() : 1,
    options,
    measures,
    // Independent of the machine's own zone; time-zone.test.ts runs the service in another one.
    env: { ...process.env, ...place.env, TZ: 'UTC', ...(everything ? { TEST_ALL: '1' } : { TEST_TURN: turn }) },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      crew.stop(signal);
      report.failFile(OF_RUN, `It was interrupted by ${signal}.`);
      // A service that a test runs in its process takes the signal for itself.
      setTimeout(() => crew.stop('SIGKILL'), STOP_MS).unref();
    });
  }
  // When it is stopped together with its launcher, this process has no time to wait for the others.
  process.on('exit', () => crew.stop('SIGKILL'));
  try {
    const meter =
      measures && place.postgres !== null && CpuMeter.works ? new CpuMeter(() => msOfTree(place.postgres!)) : null;
    const spent = await crew.run();
    meter?.look();
    if (countPages() !== countLooked())
      report.failFile(LOOKS, `Tests recorded ${countPages()} pages, but ${countLooked()} were looked at.`);
    if (options.length > 0 && !report.ranAny) report.failFile(OF_RUN, `No test is meant by ${options.join(' ')}.`);
    if (measures) report.print(timesText(spent, meter?.used));
    if (wants('--record')) {
      recordTimes(spent);
      recordLooked(
        place.folder,
        args.every((arg) => ['--verbose', '--times', '--record'].includes(arg)),
      );
    }
  } finally {
    await place.remove();
  }
  report.end();
  return report.failed > 0 ? 1 : 0;
}
