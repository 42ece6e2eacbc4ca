/**
 * The clock of one test business: does the work that is due, and advances from one due time to the next, so that
 * everything happens in chronological order. The position is stored in the database after each step; if the process is
 * killed, another one continues from there.
 */
import { testClockFeed } from '../clock/feed.ts';
import { endAdvance, lockClock, moveClock } from '../clock/test-clock.ts';
import { isConnectionLoss } from '../../base/db/connections/loss.ts';
import { nextSweep, USUAL } from '../clock/next-sweep.ts';
import { NUMBERED_AT_ONCE, numberFeedItems } from '../feed/number.ts';
import { backgroundWork } from '../unit/background-work.ts';
import { join, raw, sql, type Sql } from '../../base/db/sql.ts';
import { readPortion } from './read-portion.ts';
import { runJob } from './run-job.ts';
import { businessTime, type Tenant } from '../unit/work.ts';
import type { ClockJob, ClockJobs } from './clock-jobs.ts';
import type { TestBusinessWork } from '../unit/engine.ts';
import type { WorkerContext, WorkerDeclarations } from '../unit/background.ts';

/** Pause while waiting for another process. */
const PAUSE_MS = 10;
/** Maximum number of pauses before the clock moves on: unfinished work is then retried in real time, as everywhere. */
const PAUSES = 500;
/** Maximum number of attempts for a job; if it still fails, the advance ends. */
const TRIES = 3;

/** Thrown if the service is shutting down; the advance continues when a worker is available again. */
export class Stopped extends Error {}

/** Thrown if a job keeps failing, which ends the advance. */
class JobFailed extends Error {
  constructor(task: string, cause: unknown) {
    super(`The job ${task} failed. Find the cause in the log of the service, then advance the clock again.`, { cause });
  }
}

interface State {
  readonly advances_to: number | null;
  readonly unnumbered: boolean;
  readonly unread: readonly string[] | null;
  /** time of the next due work by engine: `due_0` is that of the first engine */
  readonly [due: `due_${number}`]: number | null;
}

/** The state with no due work left. */
interface Settled {
  /** target time of the clock; null: none */
  readonly to: number | null;
  readonly zone: string;
  readonly now: number;
  /** time of the next due work; null: none is planned */
  readonly next: number | null;
}

const drivenOf = ({ registry }: Pick<WorkerContext, 'registry'>): TestBusinessWork[] =>
  registry.areas.flatMap((area) => area.engines ?? []).flatMap((engine) => engine.ofTestBusiness ?? []);

/** Returns SQL for the next due time of an engine at a business. `provider`: column or value with its id. */
const dueOf = (engine: TestBusinessWork, provider: Sql): Sql => sql`least(${join(engine.due(provider), ', ')})`;

/** Returns SQL for the earliest due time of all engines. */
export const dueOfAny = (context: Pick<WorkerContext, 'registry'>, provider: Sql): Sql =>
  sql`least(${join([raw('NULL'), ...drivenOf(context).map((engine) => dueOf(engine, provider))], ', ')})`;

type Area = WorkerDeclarations['areas'][number];

export class BusinessClock {
  readonly #o: WorkerContext;
  readonly #jobs: ClockJobs;
  readonly #provider: number;
  readonly #stopped: () => boolean;
  readonly #driven: readonly TestBusinessWork[];
  readonly #sweeping: readonly Area[];
  readonly #times: readonly string[];

  constructor(context: WorkerContext, jobs: ClockJobs, provider: number, stopped: () => boolean) {
    this.#o = context;
    this.#jobs = jobs;
    this.#provider = provider;
    this.#stopped = stopped;
    this.#driven = drivenOf(context);
    this.#sweeping = context.registry.areas.filter((area) => area.sweep && timesOf(area).length > 0);
    this.#times = [...new Set(this.#sweeping.flatMap(timesOf))].toSorted();
  }

  /**
   * Does all work that is due by the time of the business, with its consequences, until none is left. `failed`:
   * including jobs that failed before.
   */
  async settle(failed = false): Promise<Settled> {
    let before = '';
    for (let pauses = 0; ;) {
      if (this.#stopped()) throw new Stopped();
      const [state, { tenant, now }, jobs] = await Promise.all([
        this.#read(),
        this.#here(),
        this.#jobs.state(this.#provider),
      ]);
      const dues = this.#driven.map((_engine, n) => state[`due_${n}`]);
      const due = this.#driven.filter((_engine, n) => dues[n] !== null && dues[n] <= now);
      let acted = false;
      if (jobs.next !== null && jobs.next <= now)
        for (let job; (job = await this.#jobs.take(this.#provider, now, { failed })); acted = true)
          await this.#run(job, failed);
      if (state.unnumbered) while ((await numberFeedItems(this.#o.db)) === NUMBERED_AT_ONCE);
      for (const name of state.unread ?? []) await this.#readFeed(name);
      if (await this.#drive(due, tenant)) acted = true;
      if (acted) continue;
      const settled = { to: state.advances_to, zone: tenant.zone, now, next: earliest([...dues, jobs.next], now) };
      if (!state.unnumbered && state.unread === null && due.length === 0 && !jobs.busy) return settled;
      // If the state is unchanged, another process is doing the work.
      const standing = JSON.stringify([state.unnumbered, state.unread, due.length, jobs.busy]);
      if (standing !== before) before = standing;
      else if (++pauses === PAUSES) return settled;
      else await pause();
    }
  }

  /** Advances the clock to its target time. */
  async advance(): Promise<void> {
    try {
      await this.sweep();
      for (;;) {
        const { to, zone, now, next } = await this.settle(true);
        if (to === null) return;
        if (now >= to) break;
        const sweep = nextSweep(now, zone, this.#times);
        const step = Math.min(next ?? Infinity, sweep.at, to);
        await this.#moveTo(step, step === sweep.at ? sweep.times : null);
      }
      await this.sweep();
      await this.settle(true);
      await this.#end(null);
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error;
      this.#o.log.error({ err: error.cause, provider: this.#provider }, error.message);
      await this.#end(error.message);
    }
  }

  /** Runs the sweeps by the time of the business. */
  async sweep(): Promise<void> {
    await this.#sweepAreas(this.#sweeping, (await this.#here()).now);
  }

  /** Moves the clock and runs the sweeps that are due then, in one transaction. */
  async #moveTo(moment: number, times: ReadonlySet<string> | null): Promise<void> {
    const { db, now } = this.#o;
    const areas = times === null ? [] : this.#sweeping.filter((area) => timesOf(area).some((time) => times.has(time)));
    const move = () => Math.max(moment - now(), 0);
    try {
      await db.transaction(this.#provider, async (tx) => {
        await moveClock(tx, this.#provider, move());
        for (const { sweep } of areas) await sweep!(tx, moment, this.#o.installation);
      });
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      await db.transaction(this.#provider, (tx) => moveClock(tx, this.#provider, move()));
      await this.#sweepAreas(areas, moment);
    }
  }

  /** Sweeps each area in a transaction of its own, so that one that fails does not stop the others. */
  async #sweepAreas(areas: readonly Area[], now: number): Promise<void> {
    const { db, installation, log } = this.#o;
    for (const { name, sweep } of areas) {
      await db
        .transaction(this.#provider, (tx) => sweep!(tx, now, installation))
        .catch((err) => {
          if (isConnectionLoss(err)) throw err;
          log.warn({ err, area: name, provider: this.#provider }, 'sweeping a test business: will try again');
        });
    }
  }

  async #end(failure: string | null): Promise<void> {
    await backgroundWork(this.#o, this.#provider, 'test_clock', async (work) => {
      const before = await lockClock(work.tx, work.providerId);
      if (!before || before.advances_to === null) return;
      await endAdvance(work.tx, work.providerId, failure);
      work.record(testClockFeed.advanced, work.providerId, { provider: work.providerId, completed: failure === null });
    });
    // Listeners are notified now.
    await this.settle();
  }

  async #read(): Promise<State> {
    const provider = sql`${this.#provider}::bigint`;
    const { db, registry } = this.#o;
    const readers = [...registry.readers.keys()];
    const state = await db.reading(this.#provider).one<State>(sql`
      SELECT t.advances_to,
        EXISTS (SELECT FROM feed_item f WHERE f.provider_id = ${provider} AND f.seq IS NULL) AS unnumbered,
        (SELECT array_agg(n.name) FROM feed_position f CROSS JOIN unnest(${readers}::text[]) AS n (name)
         LEFT JOIN feed_reader_position r ON r.provider_id = f.provider_id AND r.reader = n.name
         WHERE f.provider_id = ${provider} AND coalesce(r.last_seq, 0) < f.last_seq AND r.fails_by IS NULL) AS unread,
        ${join(
          this.#driven.map((engine, n) => sql`${dueOf(engine, provider)} AS ${raw(`due_${n}`)}`),
          ', ',
        )}
      FROM test_clock t WHERE t.provider_id = ${provider}`);
    return state!;
  }

  /** Returns the business with its clock, and its local time. */
  async #here(): Promise<{ tenant: Tenant; now: number }> {
    const tenant = await this.#o.tenants.of(this.#provider);
    return { tenant: tenant!, now: businessTime(tenant!, this.#o.now()) };
  }

  /** Jobs of the business that are independent of its clock are retried by the queue's runner. */
  async #run(job: ClockJob, failed: boolean): Promise<void> {
    const declared = this.#o.registry.jobs.get(job.task);
    for (let tries = 1; ; tries++) {
      try {
        if (declared) await runJob(this.#o, declared, job);
        return await this.#jobs.done(job);
      } catch (error) {
        if (isConnectionLoss(error)) throw error;
        if (tries < TRIES) continue;
        await this.#jobs.failed(job, error);
        if (failed) throw new JobFailed(job.task, error);
        this.#o.log.warn({ err: error, provider: this.#provider, task: job.task }, 'a job of a test business failed');
        return;
      }
    }
  }

  async #readFeed(name: string): Promise<void> {
    const reader = this.#o.registry.readers.get(name)!;
    while ((await readPortion(this.#o, reader, this.#provider)) === 'more');
  }

  /**
   * Runs only the engines that have due work: asking all of them at every step would cost more than the work itself.
   */
  async #drive(due: readonly TestBusinessWork[], tenant: Tenant): Promise<boolean> {
    let acted = false;
    for (const engine of due) if (await engine.act(this.#o, tenant)) acted = true;
    return acted;
  }
}

const timesOf = (area: Area): readonly string[] => area.sweepTimes ?? USUAL;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Returns the first of these times after `now`. */
const earliest = (moments: readonly (number | null)[], now: number): number | null => {
  const later = moments.filter((moment) => moment !== null && moment > now) as number[];
  return later.length === 0 ? null : Math.min(...later);
};
