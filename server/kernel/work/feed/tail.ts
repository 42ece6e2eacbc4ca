/**
 * The end of the feed, for followers: reads the items after a number, and signals new ones. Workers are other
 * processes, so the signal comes through the database: one connection of this process listens. In addition, everybody
 * polls now and then, so that a lost signal or connection costs a moment and no item.
 */
import { attentive, type Patience } from '../../base/db/connections/patience.ts';
import { connectTo } from '../../base/db/connections/connect.ts';
import { fill, sql, statement } from '../../base/db/sql.ts';
import { NUMBERED_CHANNEL } from './number.ts';
import { parsePgInstant } from '../../base/values/zone.ts';
import type { Connection } from '../../base/db/connections/connection.ts';
import type { Database } from '../../base/db/database.ts';
import type { FeedItem } from './items.ts';

interface FeedTailOptions {
  /** connection string of the owner of the database */
  url: string;
  db: Database;
  log: { warn(o: object, m: string): void };
  patience?: Patience;
}

/** The result: the items, and the number up to which there are no others of these types. */
interface Read {
  readonly items: readonly FeedItem[];
  readonly reached: number;
  /** there may already be more after it */
  readonly more: boolean;
  /** items up to this number may have been removed from the database */
  readonly gone: number;
}

/** Maximum number of items of one read. */
const READ_AT_ONCE = 200;
const POLL_MS = 2000;
const RECONNECT_MS = 1000;

export class FeedTail {
  readonly #o: FeedTailOptions;
  readonly #followers = new Map<number, Set<Follower>>();
  readonly #reading = new Map<string, Promise<Read>>();
  #listener?: Connection;
  #connecting = false;
  #closed = false;

  constructor(options: FeedTailOptions) {
    this.#o = options;
  }

  /** Returns items after a number, oldest first; `types` null: all. Identical concurrent reads share the result. */
  read(providerId: number, after: number, types: readonly string[] | null): Promise<Read> {
    const key = `${providerId}:${after}:${types?.join() ?? '*'}`;
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#read(providerId, after, types).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  /** Starts following a business; call `end` once. */
  follow(providerId: number): Follower {
    const here = this.#followers.get(providerId) ?? new Set();
    this.#followers.set(providerId, here);
    const follower = new Follower(() => {
      here.delete(follower);
      if (here.size === 0 && this.#followers.get(providerId) === here) this.#followers.delete(providerId);
    });
    here.add(follower);
    void this.#listen();
    return follower;
  }

  /** Ends. May be called twice. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const here of this.#followers.values()) for (const follower of here) follower.wake();
    this.#listener?.abandon('The service ends');
  }

  async #read(providerId: number, after: number, types: readonly string[] | null): Promise<Read> {
    const ofTypes = types === null ? sql`true` : sql`f.kind = ANY(${types}::text[])`;
    // One statement, and so one snapshot: numbers up to last_seq that are not among the items have another type.
    const s = statement(sql`
      SELECT p.last_seq, f.seq, f.kind, f.object, f.object_id, f.payload, f.occurred_at, p.gone_seq FROM feed_position p
      LEFT JOIN LATERAL (
        SELECT * FROM feed_item f WHERE f.provider_id = p.provider_id AND f.seq > ${after} AND f.seq <= p.last_seq
          AND ${ofTypes} ORDER BY f.seq LIMIT ${READ_AT_ONCE}
      ) f ON true
      WHERE p.provider_id = ${providerId} ORDER BY f.seq`);
    const [{ rows }] = await this.#o.db.read(providerId, [{ statement: s, values: fill(s.holes, undefined) }]);
    const items = rows
      .filter((row) => row[1] !== null)
      .map(([, seq, kind, object, objectId, payload, at]) => ({
        seq: Number(seq),
        kind: kind!,
        object: object!,
        objectId: Number(objectId),
        payload: JSON.parse(payload!),
        occurredAt: parsePgInstant(at!),
      }));
    const last = Number(rows[0]?.[0] ?? 0);
    const more = items.length === READ_AT_ONCE;
    return { items, more, gone: Number(rows[0]?.[7] ?? 0), reached: Math.max(after, more ? items.at(-1)!.seq : last) };
  }

  async #listen(): Promise<void> {
    if (this.#listener || this.#connecting || this.#closed) return;
    this.#connecting = true;
    try {
      const client = await connectTo(this.#o.url, attentive(this.#o.patience));
      client.on('end', () => {
        if (this.#listener !== client) return;
        this.#listener = undefined;
        if (this.#closed) return;
        this.#o.log.warn({}, 'the connection that listens for feed items was lost; connecting again');
        void this.#listen();
      });
      client.on('notification', ({ payload = '' }) => this.#wake(payload));
      await client.query(`LISTEN ${NUMBERED_CHANNEL}`);
      if (this.#closed) return client.abandon('The service ends');
      this.#listener = client;
      this.#wake('');
    } catch {
      // Until then, followers poll.
      if (!this.#closed) setTimeout(() => this.#followers.size > 0 && void this.#listen(), RECONNECT_MS).unref();
    } finally {
      this.#connecting = false;
    }
  }

  /** Wakes followers. `payload`: ids of businesses, or empty for all. */
  #wake(payload: string): void {
    const businesses = payload === '' ? this.#followers.keys().toArray() : payload.split(',').map(Number);
    for (const providerId of businesses) for (const follower of this.#followers.get(providerId) ?? []) follower.wake();
  }
}

/** A follower of a business. A signal that comes while nobody waits for it is kept. */
class Follower {
  readonly end: () => void;
  #word = false;
  #heard?: () => void;

  constructor(end: () => void) {
    this.end = end;
  }

  wake(): void {
    this.#word = true;
    this.#heard?.();
  }

  /** Waits until there may be something new, or the signal aborts. */
  async more(signal: AbortSignal): Promise<void> {
    if (!this.#word && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, POLL_MS);
        signal.addEventListener('abort', done, { once: true });
        this.#heard = done;
        function done() {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        }
      });
      this.#heard = undefined;
    }
    this.#word = false;
  }
}
