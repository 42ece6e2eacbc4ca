/**
 * The clocks of all test businesses, in the worker: one process at a time works for each of them. An installation
 * without test businesses pays one statement for it now and then, and holds no connection.
 */
import { BusinessClock, dueOfAny, Stopped } from './business-clock.ts';
import { ClockJobs } from './clock-jobs.ts';
import { connectTo } from '../../base/db/connections/connect.ts';
import { attentive, type Patience } from '../../base/db/connections/patience.ts';
import { Loops } from './loops.ts';
import { randomUUID } from 'node:crypto';
import { raw, sql } from '../../base/db/sql.ts';
import type { Connection } from '../../base/db/connections/connection.ts';
import type { WorkerContext } from '../unit/background.ts';

const LOOK_MS = 250;
/** Interval of sweeps, the same as for other businesses. */
const SWEEP_MS = 600_000;

interface Clock {
  readonly provider: number;
  readonly ahead_ms: number;
  readonly advances: boolean;
  readonly due: number | null;
}

export class Clocks {
  readonly #o: WorkerContext & { readonly patience?: Patience };
  readonly #loops: Loops;
  readonly #sweptAt = new Map<number, number>();
  #open?: { readonly connection: Connection; readonly jobs: ClockJobs };

  constructor(context: WorkerContext & { readonly patience?: Patience }) {
    this.#o = context;
    this.#loops = new Loops(context.log);
  }

  start(): void {
    this.#loops.repeat('test clocks', LOOK_MS, () => this.#look());
  }

  /** Ends after the current step; the advance continues when a worker is available again. */
  async stop(): Promise<void> {
    await this.#loops.stop();
    await this.#open?.connection.end().catch(() => {});
  }

  async #look(): Promise<void> {
    const clocks = await this.#find();
    if (clocks.length === 0) return;
    const jobs = await this.#jobs();
    const now = this.#o.now();
    const due = await jobs.due(clocks.map(({ provider, ahead_ms }) => ({ provider, now: now + ahead_ms })));
    for (const clock of clocks) {
      const { provider, ahead_ms: ahead } = clock;
      if (this.#loops.stopped) return;
      const sweeps = ahead > 0 && performance.now() - (this.#sweptAt.get(provider) ?? -Infinity) > SWEEP_MS;
      const waits = clock.advances || due.has(provider) || (clock.due !== null && clock.due <= now + ahead);
      if (sweeps || waits) await this.#serve(jobs, clock, sweeps);
    }
  }

  #find(): Promise<Clock[]> {
    return this.#o.db.readAcrossTenants<Clock>(
      'one worker advances the clocks of all test businesses',
      sql`SELECT t.provider_id AS provider, t.ahead_ms, t.advances_to IS NOT NULL AS advances,
        ${dueOfAny(this.#o, raw('t.provider_id'))} AS due
          FROM test_clock t ORDER BY t.provider_id`,
    );
  }

  async #serve(jobs: ClockJobs, { provider, advances }: Clock, sweeps: boolean): Promise<void> {
    if (!(await jobs.enter(provider))) return;
    try {
      const clock = new BusinessClock(this.#o, jobs, provider, () => this.#loops.stopped);
      if (advances) return await clock.advance();
      if (sweeps) {
        this.#sweptAt.set(provider, performance.now());
        await clock.sweep();
      }
      await clock.settle();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    } finally {
      await jobs.leave(provider).catch(() => {});
    }
  }

  async #jobs(): Promise<ClockJobs> {
    if (this.#open) return this.#open.jobs;
    const connection = await connectTo(this.#o.url, attentive(this.#o.patience));
    connection.on('error', () => {});
    // Its locks end with it; the next poll opens another one.
    connection.on('end', () => void (this.#open?.connection === connection && (this.#open = undefined)));
    const jobs = await ClockJobs.on(connection, `clock-${randomUUID()}`);
    this.#open = { connection, jobs };
    return jobs;
  }
}
