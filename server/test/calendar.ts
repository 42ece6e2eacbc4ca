/**
 * Time that passes at once: each day of a calendar the worker's turn is taken here, by the clock of the test. What the
 * areas do by the calendar, the jobs and billing periods that are due by then, and the readers of the feed are those of
 * the service; only nobody waits for them.
 */
import pg from 'pg';
import { billDueOf } from '../areas/commerce/billing/engine.ts';
import { addDays } from '../kernel/base/values/date.ts';
import { Dispatcher } from '../kernel/work/worker/dispatch.ts';
import { numberFeedItems } from '../kernel/work/feed/number.ts';
import { ownContext } from './own-context.ts';
import { backgroundWork } from '../kernel/work/unit/background-work.ts';
import { parseInstant } from '../kernel/base/values/zone.ts';
import { readPortion, type DispatchOptions } from '../kernel/work/worker/read-portion.ts';
import { beside } from './storm.ts';
import type { World } from './world.ts';

/** The participants: names of areas that act by the calendar, and of feed readers. */
export interface TakesPart {
  readonly areas: readonly string[];
  readonly readers: readonly string[];
}

/** Jobs may enqueue further jobs, but not forever: more rounds than this are reported as an error. */
const MAX_ROUNDS = 1000;

interface Due {
  readonly id: string;
  readonly task: string;
  readonly payload: { provider_id: number } & Record<string, unknown>;
}

export class Calendar {
  readonly #world: World;
  readonly #queue: pg.Client;
  readonly #context: DispatchOptions;
  readonly #takesPart: TakesPart;
  #day: string;

  private constructor(world: World, queue: pg.Client, day: string, takesPart: TakesPart) {
    this.#world = world;
    this.#queue = queue;
    this.#context = ownContext(world);
    this.#day = day;
    this.#takesPart = takesPart;
  }

  /** Starts a calendar at 06:00 of a day in Harbour's time zone. */
  static async from(world: World, day: string, takesPart: TakesPart): Promise<Calendar> {
    const calendar = new Calendar(world, await beside(world.databaseUrl), day, takesPart);
    calendar.#clock('06:00');
    // Readers that have never run start at the end of the feed.
    const begin = new Dispatcher(calendar.#context);
    await begin.look();
    await begin.stop();
    return calendar;
  }

  #clock(time: string): void {
    this.#world.setNow(parseInstant(`${this.#day}T${time}`, 'America/Toronto')!);
  }

  get day(): string {
    return this.#day;
  }

  /**
   * Advances to this day, one night after the other: runs what is due just after midnight, then sets the clock to
   * 06:00.
   */
  async until(day: string): Promise<void> {
    while (this.#day < day) {
      this.#day = addDays(this.#day, 1);
      this.#clock('00:05');
      await this.work();
      this.#clock('06:00');
    }
  }

  /** Advances to a time of the day and runs everything that is due until then. */
  async at(time: string): Promise<void> {
    this.#clock(time);
    await this.work();
  }

  /** Runs the worker's work until nothing is left to do. */
  async work(): Promise<void> {
    const { app, now } = this.#world;
    await this.#context.db.acrossTenants('what has expired is deleted for every business', async (tx) => {
      for (const { name, sweep } of app.registry.areas)
        if (this.#takesPart.areas.includes(name)) await sweep!(tx, now, app.installation);
    });
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const busy = (await this.#runDue()) || (await this.#read()) || (await this.#bill());
      if (!busy) return;
    }
    throw new Error('the jobs of one day never end');
  }

  async #runDue(): Promise<boolean> {
    const { rows } = await this.#queue.query<Due>(
      `SELECT j.id, t.identifier AS task, j.payload FROM graphile_worker._private_jobs j
        JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE j.run_at <= $1 ORDER BY j.run_at, j.id`,
      [new Date(this.#world.now)],
    );
    for (const { id, task, payload } of rows) {
      // Deleted before it runs, because the job may enqueue another one with the same key.
      await this.#queue.query('DELETE FROM graphile_worker._private_jobs WHERE id = $1', [id]);
      const { provider_id, ...rest } = payload;
      await backgroundWork(this.#context, provider_id, `job:${task}`, async (work) =>
        this.#world.app.registry.jobs.get(task)!.run(work, rest),
      );
    }
    return rows.length > 0;
  }

  async #read(): Promise<boolean> {
    if ((await numberFeedItems(this.#context.db)) === 0) return false;
    const { harbour, app } = this.#world;
    for (const name of this.#takesPart.readers)
      while ((await readPortion(this.#context, app.registry.readers.get(name)!, harbour)) === 'more');
    return true;
  }

  /** Invoices what is due at Harbour. */
  async #bill(): Promise<boolean> {
    return billDueOf(this.#context, (await this.#context.tenants.of(this.#world.harbour))!);
  }

  async close(): Promise<void> {
    await this.#queue.end();
  }
}
