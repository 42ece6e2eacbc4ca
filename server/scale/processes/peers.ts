/**
 * This process and the others on its database. It reports itself alive each second over a connection of its own. Each
 * of several servers also reports, four times a second, what it took from rate limits and which streams are open, and
 * receives the reports of the others. No request waits for any of this.
 */
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { compareReleases } from '../../kernel/base/release.ts';
import { attentive, type Patience } from '../../kernel/base/db/connections/patience.ts';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { inTime } from '../../kernel/base/db/connections/in-time.ts';
import { ALIVE_MS, leave, say, tidy, type Other, type Role, type Self } from './roll.ts';
import type { Connection } from '../../kernel/base/db/connections/connection.ts';
import type { SharedBuckets } from './shared-buckets.ts';
import type { SharedStreams } from '../../kernel/api/scale.ts';

interface PeersOptions {
  /** connection string of the owner of the database */
  readonly url: string;
  readonly role: Role;
  readonly release: string;
  readonly buckets: SharedBuckets;
  /** clock of this machine, which is independent of the service's own time */
  readonly clock?: () => number;
  readonly now: () => number;
  readonly log: { warn(o: object, m: string): void };
  readonly patience?: Patience;
  /** checks the schema over the same connection, each second */
  readonly look?: (connection: Connection) => Promise<void>;
}

const ALONE_MS = 1000;
const AMONG_OTHERS_MS = 250;
/** Minimum time between reports, however much is taken. */
const MIN_DELAY_MS = 20;
const TIDY_MS = 30_000;
/** Maximum time that a starting server waits for the others' reports. */
const REPORT_WITHIN_MS = 1500;
const GOODBYE_MS = 1000;
/** Longer than it takes to replace processes one after another. */
export const MIX_MS = 600_000;

export class Peers {
  readonly self: Self;
  readonly #o: PeersOptions;
  #connection: Connection | null = null;
  #streams?: SharedStreams;
  #streamsSaid = '{}';
  #others: readonly Other[] = [];
  #heard: Record<string, number> = {};
  /** servers that received the complete state */
  #informed = new Set<string>();
  /** servers that sent their complete state to this one */
  readonly #taught = new Set<string>();
  #isNew = true;
  #isHurried = false;
  #number = 0;
  #saying?: Promise<void>;
  #timer?: NodeJS.Timeout;
  #saidAt = -Infinity;
  #lookedAt = -Infinity;
  #tidiedAt = performance.now();
  #isAway = false;
  #closed = false;
  #isOver = false;
  readonly #began = performance.now();

  constructor(options: PeersOptions) {
    this.#o = options;
    this.self = { id: randomUUID(), role: options.role, release: options.release, host: hostname(), pid: process.pid };
    options.buckets.onHurry = () => this.#hurry();
  }

  /** The other processes that were alive at the last poll. */
  get others(): readonly Other[] {
    return this.#others.filter((other) => !other.ended && other.seenMsAgo < ALIVE_MS);
  }

  /** Releases that have run in parallel for longer than an upgrade takes, oldest first; null: there is only one. */
  get mix(): readonly string[] | null {
    const lives = new Map([[this.self.release, performance.now() - this.#began]]);
    for (const { release, startedMsAgo } of this.others)
      lives.set(release, Math.max(lives.get(release) ?? 0, startedMsAgo));
    if (lives.size === 1 || Math.min(...lives.values()) < MIX_MS) return null;
    return [...lives.keys()].toSorted(compareReleases);
  }

  /** Shares the limits of open streams too. */
  share(streams: SharedStreams): void {
    this.#streams = streams;
    streams.onBegin = () => this.#hurry();
  }

  /**
   * Joins the others. Resolves once this process knows what was already taken, or after a moment if nobody reports it.
   */
  async join(): Promise<void> {
    const deadline = performance.now() + REPORT_WITHIN_MS;
    await this.#say();
    const isTold = () => this.#servers().every(({ id }) => this.#taught.has(id));
    while (!this.#closed && this.self.role !== 'worker' && !isTold() && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, AMONG_OTHERS_MS / 5));
      await this.#say();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const goodbye = async () => {
      await this.#saying;
      // Includes the latest requests.
      await this.#say();
      if (this.#connection) await leave(this.#connection, this.self);
      await this.#connection?.end();
    };
    await inTime(goodbye(), performance.now() + GOODBYE_MS);
    this.#isOver = true;
    this.#connection?.abandon('The service ends');
  }

  #servers(): readonly Other[] {
    return this.others.filter((other) => other.role !== 'worker');
  }

  #hurry(): void {
    if (this.#closed || this.#servers().length === 0 || this.#isHurried) return;
    this.#isHurried = true;
    if (this.#saying) return;
    this.#again(Math.max(0, this.#saidAt + MIN_DELAY_MS - performance.now()));
  }

  #again(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void this.#say(), ms).unref();
  }

  /** Reports, one at a time; another report always follows. */
  #say(): Promise<void> {
    return (this.#saying ??= this.#sayOnce()
      .catch((err: unknown) => {
        if (!this.#isAway && !this.#closed)
          this.#o.log.warn({ err }, 'the other processes cannot be heard; trying again');
        this.#isAway = true;
        this.#isHurried = false;
        this.#connection?.abandon('It is replaced');
        this.#connection = null;
      })
      .finally(() => {
        this.#saying = undefined;
        this.#saidAt = performance.now();
        const pause = this.#servers().length > 0 ? AMONG_OTHERS_MS : ALONE_MS;
        this.#again(this.#isHurried ? MIN_DELAY_MS : pause);
      }));
  }

  async #sayOnce(): Promise<void> {
    const { buckets, clock = Date.now, url, patience, now, look } = this.#o;
    const connection = this.#connection ?? (await connectTo(url, attentive(patience)));
    // Nobody would end it any more.
    if (this.#isOver) return connection.abandon('The service ends');
    this.#connection = connection;
    const servers = this.#servers().map(({ id }) => id);
    const whole = servers.some((id) => !this.#informed.has(id)) ? buckets.whole(now()) : null;
    const taken = buckets.report() ?? (whole && {});
    this.#isHurried = false;
    const streams = this.#streams?.counts ?? {};
    const text = JSON.stringify(streams);
    let isDone = false;
    let others: readonly Other[];
    try {
      others = await say(connection, this.self, {
        servers: buckets.sharers,
        now: clock(),
        // Repeated if the row may be a new one, after a crash of the database.
        streams: text === this.#streamsSaid && !this.#isAway ? null : streams,
        report: taken && { number: ++this.#number, taken, whole },
        heard: this.#heard,
      });
      isDone = true;
      this.#isAway = false;
      this.#streamsSaid = text;
      this.#informed = new Set(servers);
    } finally {
      buckets.reported(isDone);
    }
    this.#hear(others);
    const at = performance.now();
    if (look && at - this.#lookedAt > ALONE_MS * 0.9) {
      this.#lookedAt = at;
      await look(connection);
    }
    if (at - this.#tidiedAt > TIDY_MS) {
      this.#tidiedAt = at;
      await tidy(connection);
    }
  }

  #hear(others: readonly Other[]): void {
    const { buckets, now } = this.#o;
    const at = now();
    this.#others = others;
    buckets.share(this.self.role === 'worker' ? 1 : 1 + this.#servers().length);
    for (const { id, reports } of others) {
      for (const { taken, whole, msAgo } of reports) {
        // Reports from before this process started are part of the others' complete state.
        if (this.#isNew) continue;
        buckets.hear(taken, at - msAgo);
        if (!whole) continue;
        buckets.learn(whole, at - msAgo);
        this.#taught.add(id);
      }
    }
    this.#isNew = false;
    this.#heard = Object.fromEntries(
      others.map(({ id, reports }) => [id, reports.at(-1)?.number ?? this.#heard[id] ?? 0]),
    );
    const elsewhere = this.#servers().map(({ id, streams }) => ({ process: id, counts: streams }));
    this.#streams?.hear(elsewhere, this.self.id);
  }
}
