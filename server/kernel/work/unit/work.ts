/**
 * One piece of work for one business: the open transaction, the moment, who acts, and what must be written beside the
 * change. A request and a job both are one; the functions of the areas take it and know neither.
 */
import { enqueueing } from '../jobs/sweep.ts';
import type { FeedItemKind, PayloadOf } from '../feed/feed-item.ts';
import { json, sql, type Sql } from '../../base/db/sql.ts';
import type { Installation } from './installation.ts';
import type { Reader } from '../../base/languages/languages.ts';
import type { Declarations } from './declarations.ts';
import type { Transaction } from '../../base/db/database.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Words } from '../../base/values/words.ts';

/** What the kernel must know of a business to read and print for it. */
export interface Tenant {
  readonly providerId: number;
  readonly zone: string;
  /** ISO 4217, upper case */
  readonly currency: string;
  /** what its customers read of classes, memberships and so on */
  readonly words: Words;
  /** its language, else the one of its country, in which its customers read where nothing else is known of them; absent: English */
  readonly reader?: Reader;
  /** of a test business alone */
  readonly testClock?: TestClock;
}

/** How far the time of a test business is ahead of the real time, ms. */
export interface TestClock {
  readonly aheadMs: number;
}

/** What time it is at a business, when the real time is `now`. */
export const nowOf = ({ testClock }: Pick<Tenant, 'testClock'>, now: number): number => now + (testClock?.aheadMs ?? 0);

/** The real time, when it is `now` at a business: for what does not go by its clock. */
export const realNowOf = ({ testClock }: Pick<Tenant, 'testClock'>, now: number): number =>
  now - (testClock?.aheadMs ?? 0);

/** One consequence of a write, told by a dry run. */
export interface Effect {
  readonly effect: string;
  readonly object: string;
  readonly id: number | null;
  readonly detail: Record<string, unknown>;
}

export interface AuditEntry {
  readonly action: string;
  readonly object: string;
  readonly objectId: number | null;
  readonly before: unknown;
  readonly after: unknown;
}

type Row = Record<string, unknown>;

/** A row that the work makes or changes, as it was before. */
export interface Touched {
  readonly table: string;
  readonly id: number;
  /** null: there was none */
  readonly before: Row | null;
}

/** A list that belongs to a row and is stored beside it. */
export interface Links {
  /** as `instructor_ids` */
  readonly name: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** their order says something */
  readonly ordered?: boolean;
}

export interface JobRequest {
  readonly task: string;
  readonly payload: Record<string, unknown>;
  /** a later job of the same key takes the place of a waiting one */
  readonly key?: string;
  /** epoch ms; default at once */
  readonly runAt?: number;
  /** `first`: somebody waits for it in front of a screen; `last`: there may be thousands, and nobody waits for one */
  readonly urgency?: 'first' | 'last';
}

interface FeedRow {
  readonly kind: FeedItemKind;
  readonly objectId: number;
  readonly payload: unknown;
}

export interface WorkOptions {
  tx: Transaction;
  registry: Declarations;
  tenant: Tenant;
  viewer: Viewer;
  now: number;
  requestId: string;
  installation?: Installation;
}

export class Work {
  readonly tx: Transaction;
  /** what the areas declare, also those after the one that asks */
  readonly registry: Declarations;
  readonly tenant: Tenant;
  readonly viewer: Viewer;
  /** epoch ms; the only clock of everything below, and of a test business its own */
  readonly now: number;
  readonly requestId: string;
  readonly effects: Effect[] = [];
  #feed: FeedRow[] = [];
  readonly #recorded: Effect[] = [];
  #audit: AuditEntry[] = [];
  #jobs: JobRequest[] = [];
  #touched = new Map<string, Touched>();
  readonly #left = new Map<string, Row>();
  readonly #told = new Map<string, Set<string>>();
  readonly #links = new Map<string, readonly Links[]>();
  #revealed: Record<string, unknown> | null = null;
  #elsewhere: Work[] = [];
  readonly #options: WorkOptions;

  constructor(options: WorkOptions) {
    const { tx, registry, tenant, viewer, now, requestId } = options;
    this.#options = options;
    this.tx = tx;
    this.registry = registry;
    this.tenant = tenant;
    this.viewer = viewer;
    this.now = now;
    this.requestId = requestId;
  }

  get providerId(): number {
    return this.tenant.providerId;
  }

  /** Where the service is, its box of secrets and its mail. Work that begins at the command line has none. */
  get installation(): Installation {
    if (!this.#options.installation) throw new Error('this work knows nothing of the installation');
    return this.#options.installation;
  }

  /** Something happened. Written with the change, numbered after the commit. */
  record<K extends FeedItemKind<any>>(kind: K, objectId: number, payload: PayloadOf<K>): void {
    this.#feed.push({ kind, objectId, payload });
    this.#recorded.push({
      effect: kind.kind,
      object: kind.object,
      id: objectId,
      detail: payload as Record<string, unknown>,
    });
  }

  /** Everything that happened so far, by the names that it has in the feed. */
  get recorded(): readonly Effect[] {
    return this.#recorded;
  }

  audit(entry: AuditEntry): void {
    this.#audit.push(entry);
  }

  /** Says what a row was before the work makes or changes it; the audit tells the difference. The first word counts. */
  touch(table: string, id: number, before: Row | null): void {
    const key = `${table}:${id}`;
    if (!this.#touched.has(key)) this.#touched.set(key, { table, id, before });
    this.#left.delete(key);
  }

  /** A row is about to change: it isn't as the work has left it. */
  change(table: string, id: number): void {
    this.#left.delete(`${table}:${id}`);
  }

  /**
   * A touched row as it was read after its last change, triggers included, so that the audit need not read it once more.
   * Only for code that knows that nothing of this work changes it afterwards.
   */
  leave(table: string, id: number, row: Row): void {
    this.#left.set(`${table}:${id}`, row);
  }

  leftAs(table: string, id: number): Row | undefined {
    return this.#left.get(`${table}:${id}`);
  }

  /** The same of a list that belongs to a touched row: told with it. */
  touchLinks(table: string, id: number, links: Links): void {
    const key = `${table}:${id}`;
    const others = this.#links.get(key) ?? [];
    const known = others.find((l) => l.name === links.name);
    this.#links.set(key, [...others.filter((l) => l !== known), { ...links, before: known?.before ?? links.before }]);
  }

  /** The lists of a row that were changed. */
  linksOf(table: string, id: number): readonly Links[] {
    return this.#links.get(`${table}:${id}`) ?? [];
  }

  /** Everything touched so far. */
  get touched(): readonly Touched[] {
    return [...this.#touched.values()];
  }

  takeTouched(): Touched[] {
    const touched = [...this.#touched.values()];
    this.#touched.clear();
    return touched;
  }

  enqueue(job: JobRequest): void {
    if (job.key !== undefined) this.#jobs = this.#jobs.filter(({ key }) => key !== job.key);
    this.#jobs.push(job);
  }

  /** A job of this key that this work has enqueued is no longer needed. One that was enqueued before stays. */
  dequeue(key: string): void {
    this.#jobs = this.#jobs.filter((job) => job.key !== key);
  }

  /**
   * Shows values once, in the answer of this very request, by the names of its properties: a secret that is kept as a
   * hash only. A repetition with the same idempotency key answers null in their place.
   */
  reveal(values: Record<string, unknown>): void {
    this.#revealed = { ...this.#revealed, ...values };
  }

  get revealed(): Record<string, unknown> | null {
    return this.#revealed;
  }

  /** Another work of the same transaction, whose records can be thrown away, or taken over with `take`. */
  beside(): Work {
    return new Work(this.#options);
  }

  /** The same work at a business, for a request that belongs to none; its transaction must be one across tenants. */
  at(tenant: Tenant): Work {
    const work = new Work({
      ...this.#options,
      tenant,
      now: nowOf(tenant, this.realNow),
      viewer: { ...this.viewer, providerId: tenant.providerId },
    });
    this.#elsewhere.push(work);
    return work;
  }

  /**
   * The moment for everybody, also where the work is for a test business: of what has to do with the world outside, as
   * secrets that expire and deliveries that are repeated.
   */
  get realNow(): number {
    return this.now - (this.tenant.testClock?.aheadMs ?? 0);
  }

  /** This and what was done of it at other businesses. */
  get all(): readonly Work[] {
    return [this, ...this.#elsewhere];
  }

  /** Says who gets a message of this type: a dry run counts them. `who` tells people apart. */
  tells(type: string, who: string): void {
    this.#told.set(type, (this.#told.get(type) ?? new Set()).add(who));
  }

  /** How many people get which message, so far. */
  get told(): readonly Effect[] {
    return [...this.#told].map(([type, people]) => ({
      effect: 'message_sent',
      object: 'message',
      id: null,
      detail: { type, people: people.size },
    }));
  }

  effect(effect: string, object: string, id: number | null, detail: Record<string, unknown> = {}): void {
    this.effects.push({ effect, object, id, detail });
  }

  /** What another work of the same transaction recorded belongs to this one from now on. */
  take(other: Work): void {
    this.#feed.push(...other.#feed.splice(0));
    this.#recorded.push(...other.#recorded.splice(0));
    this.#audit.push(...other.#audit.splice(0));
    for (const job of other.#jobs.splice(0)) this.enqueue(job);
    this.effects.push(...other.effects.splice(0));
    for (const [type, people] of other.#told) for (const who of people) this.tells(type, who);
    for (const { table, id, before } of other.takeTouched()) {
      this.touch(table, id, before);
      for (const links of other.linksOf(table, id)) this.touchLinks(table, id, links);
    }
    for (const [key, row] of other.#left) this.#left.set(key, row);
  }

  /** The statements that write all this; they belong into the transaction of the change. */
  takeRecords(): Sql[] {
    return Work.takeRecords([this]);
  }

  /** The same of several works of one business in one transaction, at the moment of the first. */
  static takeRecords(works: readonly Work[]): Sql[] {
    const [{ providerId, now, tenant }] = works;
    const feed = works.flatMap((work) => work.#feed);
    const audit = works.flatMap((work) => work.#audit.map((entry) => ({ ...entry, by: work })));
    const jobs = works.flatMap((work) => work.#jobs);
    for (const work of works) {
      work.#feed = [];
      work.#audit = [];
      work.#jobs = [];
    }
    const at = new Date(now).toISOString();
    return [
      ...(feed.length > 0 ? [feedInsert(providerId, at, feed)] : []),
      ...(audit.length > 0 ? [auditInsert(providerId, at, audit)] : []),
      // Jobs of a test business all go into its queue, which its clock works off.
      ...jobInsert(
        providerId,
        now,
        jobs.map((job) => (tenant.testClock ? { ...job, urgency: undefined } : job)),
      ),
    ];
  }
}

/** The same without a work, for what happens where there is none: at the command line, and to accounts of people. */
export const recordItem = <K extends FeedItemKind<any>>(
  providerId: number,
  now: number,
  kind: K,
  objectId: number,
  payload: PayloadOf<K>,
): Sql => feedInsert(providerId, new Date(now).toISOString(), [{ kind, objectId, payload }]);

const feedInsert = (providerId: number, at: string, items: readonly FeedRow[]): Sql =>
  sql`INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
      SELECT ${providerId}::bigint, kind, object, object_id, payload, ${at}::timestamptz
      FROM unnest(${items.map((i) => i.kind.kind)}::text[], ${items.map((i) => i.kind.object)}::text[],
                  ${items.map((i) => i.objectId)}::bigint[], ${items.map((i) => json(i.payload))}::jsonb[])
           WITH ORDINALITY AS item (kind, object, object_id, payload, nth) ORDER BY nth`;

/** An audit entry without a work. */
export const recordAudit = (by: By, now: number, entry: AuditEntry): Sql =>
  auditInsert(by.providerId, new Date(now).toISOString(), [{ ...entry, by }]);

/** Who does something at which business. */
interface By {
  readonly providerId: number;
  readonly requestId: string;
  readonly viewer: Pick<Viewer, 'actor' | 'userId' | 'applicationId' | 'mode'>;
}

const auditInsert = (providerId: number, at: string, entries: readonly (AuditEntry & { by: By })[]): Sql =>
  sql`INSERT INTO audit_entry (provider_id, at, request_id, actor, user_id, application_id, mode, action, object, object_id, before, after)
      SELECT ${providerId}::bigint, ${at}::timestamptz, request_id, actor, user_id, application_id, mode, action, object, object_id, before, after
      FROM unnest(${entries.map((e) => e.by.requestId)}::text[], ${entries.map((e) => e.by.viewer.actor)}::text[],
                  ${entries.map((e) => e.by.viewer.userId)}::bigint[], ${entries.map((e) => e.by.viewer.applicationId)}::bigint[],
                  ${entries.map((e) => e.by.viewer.mode)}::text[],
                  ${entries.map((e) => e.action)}::text[], ${entries.map((e) => e.object)}::text[], ${entries.map((e) => e.objectId)}::bigint[],
                  ${entries.map((e) => nullable(e.before))}::jsonb[], ${entries.map((e) => nullable(e.after))}::jsonb[])
           WITH ORDINALITY AS entry (request_id, actor, user_id, application_id, mode, action, object, object_id, before, after, nth) ORDER BY nth`;

/** In one statement, in order: there may be thousands. */
function jobInsert(providerId: number, now: number, jobs: readonly JobRequest[]): Sql[] {
  if (jobs.length === 0) return [];
  return [
    enqueueing(
      jobs.map(({ task, payload, key, runAt = now, urgency }) => ({
        task,
        payload: { ...payload, provider_id: providerId },
        key: key ? `${providerId}:${key}` : null,
        runAt,
        urgency,
      })),
    ),
  ];
}

const nullable = (value: unknown): string | null => (value === null || value === undefined ? null : json(value));
