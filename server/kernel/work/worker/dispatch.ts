/**
 * Calls the readers of the feed. One query finds unread items of all businesses. Each reader then works independently,
 * so that none delays another, and businesses where it fails do not delay the others.
 */
import { instant, sql, type Sql } from '../../base/db/sql.ts';
import { numberAll } from '../feed/number.ts';
import { readPortion, type DispatchOptions } from './read-portion.ts';
import { readAgain } from './dead-letter.ts';
import type { FeedReader } from '../unit/feed-reader.ts';

/**
 * Interval at which every position is compared, in addition to the marked ones: finds items that a process of an older
 * release marked as read.
 */
const COMPARE_EVERY_MS = 60_000;

interface Unread {
  readonly provider: number;
  /** readers with work here: those that have made progress so far, and those that failed and are due again */
  readonly fresh: readonly string[];
  readonly failing: readonly string[];
}

export class Dispatcher {
  readonly #o: DispatchOptions;
  readonly #names: readonly string[];
  readonly #queues = new Map<string, ReaderQueue>();
  #begun = false;
  #unread = true;
  #comparedAt = -Infinity;
  #stopped = false;

  constructor(options: DispatchOptions) {
    this.#o = options;
    this.#names = [...options.registry.readers.keys()];
    for (const reader of options.registry.readers.values()) {
      for (const which of ['fresh', 'failing'])
        this.#queues.set(`${reader.name} ${which}`, new ReaderQueue(options, reader));
    }
  }

  /** Starts every reader that has something to read. Does not wait for them. */
  async look(): Promise<void> {
    if (this.#names.length === 0) return;
    if (!this.#begun) await this.#begin();
    // Items found by the last query may have been read by now. If all is quiet, this is the only statement.
    if (this.#unread) await this.#markRead();
    const whole = performance.now() - this.#comparedAt > COMPARE_EVERY_MS;
    const unread = await this.#find(whole);
    if (whole) this.#comparedAt = performance.now();
    this.#unread = unread.length > 0;
    if (this.#stopped) return;
    for (const { provider, fresh, failing } of unread) {
      for (const name of fresh) this.#queues.get(`${name} fresh`)!.add(provider);
      for (const name of failing) this.#queues.get(`${name} failing`)!.add(provider);
    }
    if (whole) await readAgain(this.#o);
  }

  /** Resolves when the batches in progress have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  /** Starts a reader that is new to the installation at the end of the existing items, at every business. */
  async #begin(): Promise<void> {
    await this.#o.db.acrossTenants(
      'a new reader of the feed begins at the end of what every business has',
      async (tx) => {
        const known = await tx.rows<{ name: string }>(sql`SELECT name FROM feed_reader`);
        const fresh = this.#names.filter((name) => !known.some((k) => k.name === name));
        if (fresh.length === 0) return;
        await numberAll(tx);
        // Only those that no other process has entered in the meantime.
        const entered = await tx.rows<{ name: string }>(
          sql`INSERT INTO feed_reader (name) SELECT unnest(${fresh}::text[]) ON CONFLICT DO NOTHING RETURNING name`,
        );
        await tx.run(sql`
        INSERT INTO feed_reader_position (provider_id, reader, last_seq)
        SELECT p.provider_id, r.name, p.last_seq FROM feed_position p
        CROSS JOIN unnest(${entered.map((e) => e.name)}::text[]) AS r (name) ON CONFLICT DO NOTHING`);
      },
    );
    this.#begun = true;
  }

  #find(whole: boolean): Promise<Unread[]> {
    return this.#o.db.acrossTenants('the readers of the feed look for what is new at every business', (tx) =>
      tx.rows<Unread>(unreadBy(this.#names, this.#o.now(), whole)),
    );
  }

  /**
   * Positions only grow, so the minimum of them is correct whenever it is written; a business that is being numbered
   * has more to read anyway.
   */
  async #markRead(): Promise<void> {
    await this.#o.db.acrossTenants('the readers of the feed mark what they have read at every business', (tx) =>
      tx.run(sql`
        WITH unread AS (SELECT provider_id FROM feed_position WHERE read_seq < last_seq FOR UPDATE SKIP LOCKED),
        read AS (
          SELECT u.provider_id, min(coalesce(r.last_seq, 0)) AS seq
          FROM unread u CROSS JOIN unnest(${this.#names}::text[]) AS n (name)
          LEFT JOIN feed_reader_position r ON r.provider_id = u.provider_id AND r.reader = n.name GROUP BY 1
        )
        UPDATE feed_position p SET read_seq = read.seq FROM read
        WHERE p.provider_id = read.provider_id AND p.read_seq < read.seq`),
    );
  }
}

/** Returns businesses with unread items, and the readers that have work there; `whole`: regardless of the marks. */
export const unreadBy = (names: readonly string[], now: number, whole: boolean): Sql => sql`
  SELECT p.provider_id AS provider,
         coalesce(array_agg(n.name) FILTER (WHERE r.fails_by IS NULL AND coalesce(r.last_seq, 0) < p.last_seq),
           '{}') AS fresh,
         coalesce(array_agg(n.name) FILTER (WHERE r.fails_by IS NOT NULL
           AND (r.retry_at IS NULL OR r.retry_at <= ${instant(now)}::timestamptz)), '{}') AS failing
  FROM feed_position p CROSS JOIN unnest(${names}::text[]) AS n (name)
  LEFT JOIN feed_reader_position r ON r.provider_id = p.provider_id AND r.reader = n.name
  WHERE ${whole ? sql`coalesce(r.last_seq, 0) < p.last_seq` : sql`p.read_seq < p.last_seq`}
  GROUP BY 1`;

/** The businesses that one reader has to visit, one at a time, in turn. */
class ReaderQueue {
  readonly #o: DispatchOptions;
  readonly #reader: FeedReader;
  readonly #waiting = new Set<number>();
  #at: number | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: DispatchOptions, reader: FeedReader) {
    this.#o = options;
    this.#reader = reader;
  }

  add(providerId: number): void {
    if (this.#stopped || this.#at === providerId) return;
    const idle = this.#at === null && this.#waiting.size === 0;
    this.#waiting.add(providerId);
    if (idle) this.#running = this.#run();
  }

  async #run(): Promise<void> {
    for (const providerId of this.#waiting) {
      if (this.#stopped) break;
      this.#waiting.delete(providerId);
      this.#at = providerId;
      try {
        // Moves to the end of the queue: a set is iterated in insertion order, including entries that are added
        // meanwhile.
        if ((await readPortion(this.#o, this.#reader, providerId)) === 'more') this.#waiting.add(providerId);
      } catch (err) {
        if (!this.#stopped)
          this.#o.log.warn(
            { err, reader: this.#reader.name, provider: providerId },
            'a reader of the feed was interrupted; it goes on',
          );
      }
    }
    this.#at = null;
  }

  stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    return this.#running;
  }
}
