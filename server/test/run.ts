// What `npm test` runs: one PostgreSQL for all test files, a migrated template to clone, then Node's test runner.
// Arguments: files or globs instead of all tests; --times to print what each file took; what else begins with "-" goes
// to the runner (such as --test-name-pattern=…).
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createMigrated, startCluster } from './cluster.ts';
import { idsApart, restartIds, TEMPLATE } from './database.ts';
import { countLooked, countPages } from './looks.ts';
import type { Spent } from './shard.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const ALL = [
  'server/**/*.test.ts',
  'bench/**/*.test.ts',
  'deploy/**/*.test.ts',
  'sdk/**/*.test.ts',
  'web/**/*.test.ts',
];

/** What takes long begins first, so that no process works alone at the end: `--times` shows what should be here. */
const LONG = new RegExp(
  [
    'several-processes|rolling-upgrade|kill(ed)?\\.test|-kill|chaos|failover|replicas|installation|restored|first-business|races|storm|two-years|backup',
    'matrix/|openapi|cells-move|move-business|dashboard/.*-browser',
    'accounts/(accounts|ended|safety|pages|.*browser)|identity/accounts|password-login|code-flow|stream|broadcasts|delivery',
  ].join('|'),
);

process.chdir(root);
const args = process.argv.slice(2);
const times = args.includes('--times');
const options = args.filter((arg) => arg.startsWith('-') && arg !== '--times');
const wanted = args.filter((arg) => !arg.startsWith('-'));
const files = globSync(wanted.length ? wanted : ALL).toSorted();

if (files.length === 0) {
  console.error(`No test file matches ${(wanted.length ? wanted : ALL).join(' ')}.`);
  process.exitCode = 1;
} else {
  process.exitCode = await run();
}

async function run(): Promise<number> {
  let runner: ChildProcess | undefined;
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      interrupted = true;
      runner?.kill(signal);
    });
  }
  // Taken down together with its launcher, this process has no time left to wait for the runner.
  process.on('exit', () => runner?.kill());
  const cluster = await startCluster();
  try {
    await makeTemplate(cluster.url);
    if (interrupted) return 1;
    const shards = globSync('server/test/shards/*.ts').slice(0, files.length);
    const folder = join(cluster.folder, 'shards');
    mkdirSync(folder, { recursive: true });
    const longestFirst = files.toSorted((a, b) => Number(LONG.test(b)) - Number(LONG.test(a)));
    writeFileSync(join(folder, 'files.json'), JSON.stringify(longestFirst.map((file) => resolve(file))));
    runner = spawn(
      process.execPath,
      [
        '--test',
        `--test-concurrency=${shards.length}`,
        '--test-reporter=spec',
        '--test-reporter-destination=stdout',
        ...options,
        ...shards,
      ],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          TEST_DATABASE_URL: cluster.url,
          TEST_FOLDER: cluster.folder,
          TEST_SHARDS: folder,
          TEST_SHARD_COUNT: String(shards.length),
        },
      },
    );
    const [code] = (await once(runner, 'exit')) as [number | null];
    if (times) printTimes(join(folder, 'times'));
    process.env.TEST_FOLDER = cluster.folder;
    if (countPages() !== countLooked()) {
      console.error(`Tests recorded ${countPages()} pages, but ${countLooked()} were looked at.`);
      return 1;
    }
    return code ?? 1;
  } finally {
    await cluster.remove();
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(7);
}

/** What each file took, the longest first. */
function printTimes(path: string): void {
  const spent = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Spent)
    .toSorted((a, b) => b.wallMs - a.wallMs);
  console.log(`\n${'wall s'.padStart(7)} ${'CPU s'.padStart(7)}`);
  for (const { file, wallMs, cpuMs } of spent) console.log(`${seconds(wallMs)} ${seconds(cpuMs)}  ${file}`);
  const total = (what: 'wallMs' | 'cpuMs') => seconds(spent.reduce((sum, one) => sum + one[what], 0));
  console.log(`${total('wallMs')} ${total('cpuMs')}  ${spent.length} files`);
}

async function makeTemplate(clusterUrl: string): Promise<void> {
  await restartIds(await createMigrated(clusterUrl, TEMPLATE), idsApart);
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  // A template somebody is connected to cannot be cloned: so nobody can connect any more.
  await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  await client.end();
}
