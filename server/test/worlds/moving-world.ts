/**
 * A business that moves between cells while customers book, with the resulting mail and webhooks. It starts in the
 * first cell.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type pg from 'pg';
import { openMove } from '../../scale/commands/move.ts';
import { until } from '../storm.ts';
import { checkBooks, type Booked } from '../processes/booking-storm.ts';
import { command } from '../desk.ts';
import { Mailbox } from '../outside/mailbox.ts';
import { exchange, newApplication, type TestApplication } from './oauth-world.ts';
import { newCustomers, newEvent, newPlace } from '../schedule-world.ts';
import { readConfig } from '../../config.ts';
import { Receiver, verify } from '../outside/webhook-receiver.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { startCells, type Cells, type CellsOptions } from '../cells/cells-world.ts';
import type { Around } from '../../scale/cells/move/context.ts';
import type { World } from '../world.ts';

/** The number of concurrent callers. */
const CALLERS = 2;
const EVENTS = 12;
/** event pages that each caller reads before booking */
const LOOKS = 4;
const CUSTOMERS = 120;

export interface Bookings {
  /** times of acknowledged bookings, from `performance.now()` */
  readonly at: readonly number[];
  /** resolves after that many more bookings */
  some(more: number): Promise<void>;
  /** stops, and resolves when every caller has its response */
  stop(): Promise<void>;
}

interface Parts {
  readonly all: Cells;
  readonly folder: string;
  readonly mailbox: Mailbox;
  readonly receiver: Receiver;
  readonly secret: string;
  readonly events: readonly number[];
  readonly customers: readonly number[];
  readonly application: TestApplication;
}

export class MovingWorld {
  readonly all: Cells;
  /** the first cell of the business */
  readonly home: World;
  readonly business: number;
  readonly events: readonly number[];
  /** all acknowledged bookings */
  readonly booked: Booked[] = [];
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.all = parts.all;
    this.home = parts.all.cell(1).world;
    this.business = this.home.harbour;
    this.events = parts.events;
  }

  static async start(options: Pick<CellsOptions, 'count' | 'database'> = {}): Promise<MovingWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-cells-move-'));
    const [mailbox, receiver] = await Promise.all([Mailbox.start(), new Receiver().listen()]);
    const all = await startCells({
      ...options,
      worker: true,
      resolve: async () => ['127.0.0.1'],
      env: (cell) => ({
        DATA_DIR: join(folder, String(cell)),
        OUTBOUND_ALLOW: '127.0.0.1/32',
        SMTP_URL: mailbox.url,
        MAIL_FROM: 'no-reply@rollcall.example',
      }),
    });
    const home = all.cell(1).world;
    const place = await newPlace(home);
    const events: number[] = [];
    for (let n = 0; n < EVENTS; n++)
      events.push((await newEvent(home, place, { name: `Rowing ${n}`, max_occupancy: CUSTOMERS, in: 24 + 2 * n })).id);
    const customers = await newCustomers(home, CUSTOMERS);
    const made = await home.post('/webhook_destinations', {
      as: home.machine,
      body: {
        url: receiver.url('/hooks'),
        description: 'Books',
        feed_item_types: ['event_registration.created'],
      },
    });
    assert.equal(made.status, 201, made.text);
    const application = await newApplication(home);
    return new MovingWorld({
      all,
      folder,
      mailbox,
      receiver,
      secret: made.body.secret,
      events,
      customers,
      application,
    });
  }

  async close(): Promise<void> {
    const { all, receiver, mailbox, folder } = this.#parts;
    await all.close();
    receiver.close();
    await mailbox.close();
    rmSync(folder, { recursive: true, force: true });
  }

  settings(from: number, to: number) {
    const { all } = this;
    return {
      CELL: String(from),
      CELLS: all.cells.map(({ number, front }) => `${number}=${front.url}`).join(','),
      PUBLIC_URL: all.publicUrl,
      SECRET_KEY,
      DATABASE_URL: all.cell(from).world.databaseUrl,
      MOVE_TO_DATABASE_URL: all.cell(to).world.databaseUrl,
      DATA_DIR: join(this.#parts.folder, String(from)),
      MOVE_TO_DATA_DIR: join(this.#parts.folder, String(to)),
    };
  }

  /** Moves the business with the operator's command. */
  move(from: number, to: number, ...options: string[]) {
    return command(['move', String(this.business), String(to), ...options], this.settings(from, to));
  }

  /** Returns the context of a move in this process. */
  around(from: number, to: number): Around {
    const env = this.settings(from, to);
    const config = readConfig(env);
    return {
      ...openMove(env.DATABASE_URL, config, { business: this.business, cell: to, env }),
      say: () => undefined,
    };
  }

  /**
   * Books one event after another, through one cell after another, and retries with the next cell as long as there is
   * no success.
   */
  bookings(): Bookings {
    const { all, home, events, booked } = this;
    const { customers } = this.#parts;
    const at: number[] = [];
    const asked = { over: false };
    let n = booked.length;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!asked.over && n < EVENTS * CUSTOMERS) {
        const [event, customer] = [events[n % EVENTS], customers[Math.floor(n / EVENTS)]];
        let through = n++ % all.cells.length;
        // Callers read pages before they book.
        for (const id of events.slice(0, LOOKS))
          await all.cells[through].world.get(`/events/${id}`, { as: home.machine });
        await this.#isKnown(all.cells[through].world);
        const key = randomUUID();
        for (; ; through = (through + 1) % all.cells.length) {
          const answer = await all.cells[through].world.post(`/events/${event}/register`, {
            as: home.machine,
            body: { customer },
            headers: { 'idempotency-key': key },
          });
          if (answer.status === 200) {
            at.push(performance.now());
            booked.push({ event, customer, attendance: answer.body.attendance });
            break;
          }
          // The business is being moved. A process that doesn't know that yet must not refuse a valid token.
          assert.equal(answer.status, 503, answer.text);
        }
      }
    });
    const ended = Promise.all(callers);
    // The callers of `some` and `stop` get the error.
    ended.catch(() => undefined);
    return {
      at,
      some: async (more) => {
        const wanted = at.length + more;
        await Promise.race([ended, until('some more have booked', async () => at.length >= wanted)]);
        assert.ok(at.length >= wanted, 'everybody has booked');
      },
      stop: async () => ((asked.over = true), void (await ended)),
    };
  }

  /**
   * Checks that whichever cell the application requests tokens from, it refuses the made-up code, never the application
   * itself.
   */
  async #isKnown(through: World): Promise<void> {
    const { status, body } = await exchange(through, this.#parts.application, 'made-up');
    if (status !== 503) assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  }

  /**
   * Checks that all acknowledged bookings are in this database once, that each webhook arrived, and that emails were
   * sent once. A webhook whose response came too late is sent again, with the same id and body.
   */
  async checkWhole(eye: pg.Client): Promise<void> {
    const { business, booked } = this;
    const { receiver, mailbox, secret } = this.#parts;
    await until('the feed is numbered', async () => {
      const { rows } = await eye.query(
        'SELECT count(*)::int AS n FROM feed_item WHERE seq IS NULL AND provider_id = $1',
        [business],
      );
      return rows[0].n === 0;
    });
    const { rows: feed } = await eye.query(
      `SELECT count(*)::int AS n, min(seq)::int AS first, max(seq)::int AS last, count(DISTINCT seq)::int AS numbers
        FROM feed_item WHERE provider_id = $1`,
      [business],
    );
    assert.deepEqual(feed[0], { n: feed[0].last, first: 1, last: feed[0].last, numbers: feed[0].last });
    await checkBooks(eye, { booked, held: [] });
    const { rows: attended } = await eye.query('SELECT count(*)::int AS n FROM attendance WHERE provider_id = $1', [
      business,
    ]);
    assert.equal(attended[0].n, booked.length, 'nobody is booked who was not told so');
    const arrived = () => new Map(receiver.at('/hooks').map((each) => [each.id, each]));
    await until('each booking has reached the receiver', async () => arrived().size >= booked.length);
    const byId = arrived();
    assert.equal(byId.size, booked.length, 'one webhook for each booking');
    for (const each of receiver.at('/hooks').slice(-5)) verify(secret, each, this.home.now);
    for (const each of receiver.at('/hooks')) assert.equal(each.text, byId.get(each.id)!.text, 'sent again unchanged');
    await until('each booking was confirmed by mail', async () => mailbox.mails.length >= booked.length);
    await until('nothing is to be sent any more', async () => {
      const { rows } = await eye.query(
        `SELECT count(*)::int AS n FROM message WHERE provider_id = $1 AND status IN ('queued', 'sending')`,
        [business],
      );
      return rows[0].n === 0;
    });
    const letters = mailbox.mails.map(({ to, text }) => `${to} ${text}`);
    assert.equal(new Set(letters).size, letters.length, 'no mail twice');
  }
}

/** Returns the cell of each business, as one cell knows it. */
export const statesOf = async (eye: pg.Client) =>
  (await eye.query('SELECT provider_id::int AS business, state, cell FROM cell_business')).rows;

/**
 * Drops replication slots, because a database with a slot can't be dropped and a test that failed midway leaves one.
 */
export async function dropSlots(eye: pg.Client): Promise<void> {
  await eye.query(
    `SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots WHERE database = current_database()
      AND active`,
  );
  await eye.query(
    'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = current_database()',
  );
}
