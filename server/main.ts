/** The life of a running service: database, demo, listening, and a shutdown that loses nothing. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { memoryUsage } from 'node:process';
import { runInNewContext } from 'node:vm';
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { pino, type Logger } from 'pino';
import { withProgress } from '../bin/progress.mjs';
import { createApp, SCALE } from './app.ts';
import { CommandFailure, say } from './commands/command.ts';
import { openEmbedded, publishUrl, withdrawUrl } from './commands/installation.ts';
import { fillCluster } from './commands/new-database.ts';
import { isDemoDue, startDemoMaker } from './commands/demo-maker.ts';
import { credentialsFile, placeCredentials, readCredentials } from './demo/credentials.ts';
import { connectTo } from './kernel/base/db/connections/connect.ts';
import { existingSecretBox } from './kernel/base/secret-box.ts';
import { keyRemedy, lookForSealed } from './commands/sealed.ts';
import { startDailyBackups } from './commands/backups/schedule.ts';
import { PATIENCE } from './kernel/base/db/connections/patience.ts';
import { hasBusiness } from './areas/platform/providers/index.ts';
import { setUpLink } from './areas/sites/set-up/index.ts';
import { prepareDatabase } from './kernel/base/db/schema/prepare.ts';
import { sharesSessions } from './kernel/base/db/connections/pooler.ts';
import { whenReachable } from './kernel/base/db/connections/wait.ts';
import type { Config } from './config.ts';
import type { Database } from './kernel/base/db/database.ts';

const OLDEST_POSTGRES = 15;
const END_WITHIN_MS = 30_000;
const LINGER_MS = 1000;
/** A terminal and the launcher both forward Ctrl-C; a second signal this soon after the first is the same one. */
const SAME_SIGNAL_MS = 1000;

/** Serves until SIGTERM or SIGINT; resolves to the exit code. */
export async function serve(
  config: Config,
  { demo, development = false }: { demo: boolean; development?: boolean },
): Promise<number> {
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const end = endSignal(log);
  const closing: (() => Promise<void> | void)[] = [];
  try {
    await checkPort(config);
    const url = await openDatabase(config, log, end, closing);
    if (url === undefined || end.asked()) return 0;
    const lost = await lookForSealed(url, existingSecretBox(config));
    if (lost !== null) log.warn(`${lost} can’t be opened: the secret key is a different one. ${keyRemedy(config)}`);
    const makesDemo = demo && config.role !== 'worker' && (await isDemoDue(url, config));
    const demoMaker = makesDemo ? startDemoMaker(url) : null;
    if (demoMaker) closing.push(() => demoMaker.end());
    let tooOld = false;
    const onTooOld = (why: string) => {
      log.error(why);
      tooOld = true;
      end.now();
    };
    const app = createApp({ config, databaseUrl: url, log, development, onTooOld });
    closing.push(() => app.close());
    if (demoMaker) await withProgress('creating the demo business', Promise.race([demoMaker.made, end.signal]));
    if (end.asked()) return 0;
    const base = await app.listen();
    const { box } = app.installation;
    // The first business of an installation is created in its first cell: the link may lead to any.
    const isFirst = (config.cells?.own ?? 1) === 1;
    const serves = config.role !== 'worker';
    const dashboard = { builds: false };
    const prepared = serves ? app.prepare(() => void (dashboard.builds = true)) : true;
    const backups = startDailyBackups(url, config, log);
    closing.push(() => backups.end());
    announce(config, base, isFirst ? await firstStep(app.db, () => setUpLink(base, box)) : null);
    demoMaker?.bringToLife(base);
    const whole = development ? true : Promise.race([prepared, end.signal.then(() => true)]);
    const isComplete = await (dashboard.builds && whole !== true
      ? withProgress('building the dashboard, once after each update', whole)
      : whole);
    if (!isComplete) say(UNBUILT);
    if (!end.asked()) say(serves ? `ready ${base}` : 'ready');
    // So that the next start finds the compiled code even if this process is killed.
    flushCompileCache();
    giveBackWhenIdle();
    await end.signal;
    return tooOld ? 1 : 0;
  } finally {
    for (const close of closing.toReversed()) await close();
    end.done();
  }
}

/** Fails if the port can't be used, before anything is created: the first start takes seconds for its database. */
async function checkPort({ role, host, port, operationsPort }: Config): Promise<void> {
  const own = role === 'worker' ? operationsPort : port;
  if (own === undefined) return;
  const probe = createServer().listen({ host, port: own });
  await once(probe, 'listening');
  await once(probe.close(), 'close');
}

/** Returns undefined if the service was asked to end while it waited for its database. */
async function openDatabase(
  config: Config,
  log: Logger,
  end: EndSignal,
  closing: (() => Promise<void> | void)[],
): Promise<string | undefined> {
  const lines = {
    info: (m: string) => log.info(m),
    warn: (m: string) => log.warn(m),
    error: (m: string) => log.error(m),
  };
  const applied = (m: string) => log.info(m);
  const { databaseUrl } = config;
  if (databaseUrl) {
    const onFailure = (why: string) => {
      say(`Waiting for the database: ${why}`);
      log.warn({ why }, 'the database cannot be reached; waiting for it');
    };
    return whenReachable(
      async () => {
        await checkServer(databaseUrl);
        await prepareDatabase(databaseUrl, applied);
        await SCALE?.(config).prepare(databaseUrl, applied);
        return databaseUrl;
      },
      { onFailure, ended: end.signal },
    );
  }
  const isNew = !existsSync(join(config.dataDir, 'postgres'));
  const opening = openEmbedded(config.dataDir, lines, fillCluster(applied));
  const { embedded, url } = await (isNew ? withProgress('creating the database', opening) : opening);
  closing.push(() => embedded.stop());
  await prepareDatabase(url, applied);
  publishUrl(config.dataDir, url);
  closing.push(() => withdrawUrl(config.dataDir));
  return url;
}

async function checkServer(url: string): Promise<void> {
  const client = await connectTo(url, PATIENCE);
  try {
    const { rows } = await client.query('SHOW server_version_num');
    const major = Math.floor(Number(rows[0].server_version_num) / 10_000);
    if (major < OLDEST_POSTGRES) {
      throw new CommandFailure(
        `The database is PostgreSQL ${major}. Remedy: use PostgreSQL ${OLDEST_POSTGRES} or newer, or unset DATABASE_URL to use the embedded one.`,
      );
    }
  } finally {
    await client.end();
  }
  if (await sharesSessions(url)) {
    throw new CommandFailure(
      'DATABASE_URL leads to a pooler that gives one connection to several sessions in turns (PgBouncer: pool_mode = transaction). The service ' +
        'keeps its role and its prepared statements in the session. Remedy: set pool_mode = session with a pool that covers all connections, or connect directly.',
    );
  }
}

/** Returns the first step for a new installation, with the link to create its business; null: there is one. */
const firstStep = async (db: Database, link: () => string): Promise<string | null> =>
  (await db.acrossTenants('the start looks whether there is a business at all', hasBusiness)) ? null : link();

function announce({ dataDir, role }: Config, base: string, setUp: string | null): void {
  if (role === 'worker') {
    say('Rollcall works on the jobs; another process serves.');
  } else {
    say(`Rollcall serves at ${base}`);
    say(`Dashboard:         ${base}/dashboard`);
    say(`Documentation:     ${base}/docs`);
    if (setUp !== null) say(`There is no business yet. Set it up here:\n  ${setUp}`);
    const known = readCredentials(dataDir);
    // Nobody has these secrets any more once the demo is deleted.
    if (known && setUp === null) {
      const first = known.base_url === '';
      placeCredentials(dataDir, { ...known, base_url: base });
      if (first) {
        say(`Demo owner:        ${known.owner.email}  password ${known.owner.password}`);
        say(`Demo customer:     ${known.customer.email}  password ${known.customer.password}`);
        say(`Demo instructor:   ${known.instructor.email}  password ${known.instructor.password}`);
        say(`Demo front desk:   ${known.desk.email}  password ${known.desk.password}`);
        say(`Demo API token:    ${known.m2m_token}  (provider ${known.provider_id})`);
      }
      say(`Demo credentials:  ${credentialsFile(dataDir)}`);
    }
  }
}

const UNBUILT =
  'The dashboard could not be built; everything else works. Remedy: run "npx rollcall build", which names the reason.';

interface EndSignal {
  readonly signal: Promise<void>;
  asked(): boolean;
  /** ends as if it had been asked to; if it has been, it continues to end */
  now(): void;
  done(): void;
}

function endSignal(log: Logger): EndSignal {
  let askedAt: number | undefined;
  let resolve!: () => void;
  const signal = new Promise<void>((done) => (resolve = done));
  const now = (why: { signal?: NodeJS.Signals } = {}) => {
    if (askedAt !== undefined) return;
    askedAt = performance.now();
    log.info(why, 'ending: finishing what was accepted');
    setTimeout(() => {
      log.error('could not end in 30 seconds; ending now');
      process.exit(1);
    }, END_WITHIN_MS).unref();
    resolve();
  };
  const onSignal = (name: NodeJS.Signals) => {
    if (askedAt === undefined) now({ signal: name });
    else if (performance.now() - askedAt > SAME_SIGNAL_MS) {
      log.warn({ signal: name }, 'asked to end a second time; ending now');
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return {
    signal,
    asked: () => askedAt !== undefined,
    now,
    done: () => {
      process.off('SIGTERM', onSignal);
      process.off('SIGINT', onSignal);
      if (askedAt === undefined) return;
      log.info('ended');
      // Everything of ours is closed by now. A library that keeps trying to reach the database is not waited for.
      setTimeout(() => process.exit(), LINGER_MS).unref();
    },
  };
}

const GIVE_BACK_AFTER_MS = 1000;
const POLL_MS = 20_000;
/** Looking through the heap takes a seventh of a second: nobody may be waiting, and it must be worth it. */
const IDLE_BELOW = 0.1;
const WORTH_BYTES = 4_000_000;

/**
 * Starting loads and compiles much that is not needed afterwards, and an idle process never collects that garbage. A
 * thorough collection returns a third of the process's memory to the machine: soon after the start, and whenever there
 * is little to do after the heap has grown.
 */
function giveBackWhenIdle(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  let left = 0;
  const giveBack = () => {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    left = memoryUsage().heapTotal;
  };
  setTimeout(giveBack, GIVE_BACK_AFTER_MS).unref();
  let since = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, since);
    since = now;
    if (utilization < IDLE_BELOW && memoryUsage().heapTotal > left + WORTH_BYTES) giveBack();
  }, POLL_MS).unref();
}
