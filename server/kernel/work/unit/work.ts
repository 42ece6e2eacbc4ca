/**
 * One piece of work for one business: the open transaction, the time, the actor, and the records to store along with
 * the change. Requests and jobs both have one; the functions of the areas take it and depend on neither.
 */
import { enqueueing } from '../jobs/sweep.ts';
import type { FeedItemKind, PayloadOf } from '../feed/feed-item.ts';
import { json, sql, type Sql } from '../../base/db/sql.ts';
import type { Installation } from './installation.ts';
import type { Reader } from '../../base/languages/languages.ts';
import type { Notice, NoticeType, StaffNotice, StoppedBecause } from './notices.ts';
import type { Problem } from '../../base/problem.ts';
import type { Speakers } from '../../base/languages/speakers.ts';
import type { Table } from '../../base/db/table.ts';
import type { Transaction } from '../../base/db/database.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Words } from '../../base/values/words.ts';

/** The properties of a business that the kernel needs to read and print for it. */
export interface Tenant {
  readonly providerId: number;
  readonly zone: string;
  /** ISO 4217, upper case */
  readonly currency: string;
  /** its words for classes, memberships and so on */
  readonly words: Words;
  /** its language, or else its country's: the default for its customers; absent: English */
  readonly reader?: Reader;
  /** only for a test business */
  readonly testClock?: TestClock;
}

/** How far the time of a test business is ahead of the real time, in milliseconds. */
interface TestClock {
  readonly aheadMs: number;
}

/** Returns the business's time when the real time is `now`. */
export const businessTime = ({ testClock }: Pick<Tenant, 'testClock'>, now: number): number =>
  now + (testClock?.aheadMs ?? 0);

/** Returns the real time when the business's time is `now`: for work that does not follow its clock. */
export const realNowOf = ({ testClock }: Pick<Tenant, 'testClock'>, now: number): number =>
  now - (testClock?.aheadMs ?? 0);

/** One effect of a write, shown by a dry run. */
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

/** A row that the work creates or changes, in its previous state. */
export interface Touched {
  readonly table: string;
  readonly id: number;
  /** null: it did not exist */
  readonly before: Row | null;
}

/** A list that belongs to a row and is stored separately. */
export interface Links {
  /** such as `instructor_ids` */
  readonly name: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** true if the order matters */
  readonly ordered?: boolean;
}

export interface JobRequest {
  readonly task: string;
  readonly payload: Record<string, unknown>;
  /** a later job with the same key replaces a waiting one */
  readonly key?: string;
  /** epoch ms; default: immediately */
  readonly runAt?: number;
  /** `first`: somebody waits for it in front of a screen; `last`: there may be thousands, and nobody waits for one */
  readonly urgency?: 'first' | 'last';
}

interface FeedRow {
  readonly kind: FeedItemKind;
  readonly objectId: number;
  readonly payload: unknown;
}

/** The link of a row about a person to that person's account. */
export interface Claim {
  readonly providerId: number;
  readonly id: number;
  readonly userId: number;
  readonly now: number;
}

/** A change of the address of an account, which its person confirmed or took back. */
export interface AddressChange {
  readonly userId: number;
  readonly from: string;
  readonly to: string;
  readonly now: number;
}

/** The storage of a resource. */
interface Stored {
  readonly name: string;
  readonly table: string;
  /** default: `id` */
  readonly idColumn?: string;
  /** columns that the audit leaves out */
  readonly secret?: readonly string[];
}

/** Declarations of all areas that work needs. */
export interface Declarations {
  /** each table as its owner declares it, in the order of the areas */
  readonly tables: ReadonlyMap<string, Table>;
  readonly resources: ReadonlyMap<string, Stored>;
  readonly feed: ReadonlyMap<string, FeedItemKind>;
  /** by name, in the order of their numbers */
  readonly notices: ReadonlyMap<string, NoticeType>;
  /** for customers who read languages other than English */
  readonly speakers: Speakers;
  /** problems to return when a named constraint of the database is violated */
  readonly constraints: ReadonlyMap<string, () => Problem>;
  /** sends messages to people */
  readonly notifier: Notifier;
  /** Returns how many rows of all areas still need a row of a resource. */
  countUses(resource: string, work: Work, id: number): Promise<number>;
  /** Links a row about a person to their account. Returns false if the row already belongs to an account. */
  claim(resource: string, tx: Transaction, of: Claim): Promise<boolean>;
  /** Changes the address of all rows about a person that have the earlier address of their account. */
  changeAddress(tx: Transaction, of: AddressChange): Promise<void>;
  /** Lets all areas react to a change of a row before it is written. `values`: the new values, by column name. */
  follow(resource: string, work: Work, id: number, values: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Adds the effects that readers of all areas would cause because of such an item. `object`: the id of the main
   * object.
   */
  previewEffects(work: Work, kind: FeedItemKind<any>, object: number): Promise<void>;
}

/** The area that sends messages. They are enqueued in the transaction of their cause. */
export interface Notifier {
  /**
   * Sends each notice once by its key, even if the call is repeated. Returns the ids of the messages, including those
   * enqueued before.
   */
  notify(work: Work, notices: readonly Notice[]): Promise<number[]>;
  /** Enqueues the messages for everything that the work has recorded: for a dry run, which rolls them back. */
  previewEffects(work: Work): Promise<void>;
  /** Cancels those of these messages that have not been sent yet. */
  withdraw(work: Work, messages: readonly number[]): Promise<void>;
  /** Sends an email to these staff members. */
  notifyStaff(work: Work, staff: readonly number[], notice: StaffNotice): Promise<void>;
  /** Returns why email to this address would not be sent, regardless of its content; null: it would be. */
  stopped(work: Work, address: string): Promise<StoppedBecause | null>;
  /** Sends an email to every super admin of the business. */
  notifySuperAdmins(work: Work, notice: StaffNotice): Promise<void>;
}

interface WorkOptions {
  tx: Transaction;
  registry: Declarations;
  tenant: Tenant;
  viewer: Viewer;
  now: number;
  requestId: string;
  installation?: Installation;
  /** the import that causes everything; its feed items say so */
  importId?: number;
}

export class Work {
  readonly tx: Transaction;
  /** the declarations of all areas, including those after the caller */
  readonly registry: Declarations;
  readonly tenant: Tenant;
  readonly viewer: Viewer;
  /** epoch ms; the only clock for all code below, and for a test business its own */
  readonly now: number;
  readonly requestId: string;
  readonly effects: Effect[] = [];
  #feed: FeedRow[] = [];
  readonly #recorded: Effect[] = [];
  #audit: AuditEntry[] = [];
  #jobs: JobRequest[] = [];
  #touched = new Map<string, Touched>();
  readonly #left = new Map<string, Row>();
  readonly #notified = new Map<string, Set<string>>();
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

  /** URLs, secrets and email of the service. Work from the command line has none. */
  get installation(): Installation {
    if (!this.#options.installation) throw new Error('this work has no access to the installation');
    return this.#options.installation;
  }

  /** Records a feed item. It is written with the change, and numbered after the commit. */
  record<K extends FeedItemKind<any>>(kind: K, objectId: number, said: PayloadOf<K>): void {
    const { importId } = this.#options;
    const payload = importId === undefined ? said : { ...said, import: importId };
    this.#feed.push({ kind, objectId, payload });
    this.#recorded.push({
      effect: kind.kind,
      object: kind.object,
      id: objectId,
      detail: payload as Record<string, unknown>,
    });
  }

  /** The feed items recorded so far, by the kinds that they have in the feed. */
  get recorded(): readonly Effect[] {
    return this.#recorded;
  }

  audit(entry: AuditEntry): void {
    this.#audit.push(entry);
  }

  /**
   * Stores the state of a row before the work creates or changes it, for the difference in the audit. The first call
   * for a row counts.
   */
  touch(table: string, id: number, before: Row | null): void {
    const key = `${table}:${id}`;
    if (!this.#touched.has(key)) this.#touched.set(key, { table, id, before });
    this.#left.delete(key);
  }

  /** Marks a row as about to change: a state passed to `leave` is no longer valid. */
  change(table: string, id: number): void {
    this.#left.delete(`${table}:${id}`);
  }

  /**
   * Stores a touched row as it was read after its last change, triggers included, so that the audit need not read it
   * again. Only for code that knows that this work does not change it afterwards.
   */
  leave(table: string, id: number, row: Row): void {
    this.#left.set(`${table}:${id}`, row);
  }

  leftAs(table: string, id: number): Row | undefined {
    return this.#left.get(`${table}:${id}`);
  }

  /** Stores the state of a list that belongs to a touched row, for the audit of that row. */
  touchLinks(table: string, id: number, links: Links): void {
    const key = `${table}:${id}`;
    const others = this.#links.get(key) ?? [];
    const known = others.find((l) => l.name === links.name);
    this.#links.set(key, [...others.filter((l) => l !== known), { ...links, before: known?.before ?? links.before }]);
  }

  /** Returns the changed lists of a row. */
  linksOf(table: string, id: number): readonly Links[] {
    return this.#links.get(`${table}:${id}`) ?? [];
  }

  /** The rows touched so far. */
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

  /** Cancels a job with this key that this work has enqueued. A job that was enqueued before stays. */
  dequeue(key: string): void {
    this.#jobs = this.#jobs.filter((job) => job.key !== key);
  }

  /**
   * Shows values once, in the response to this request, by the names of its properties: for example, a secret that is
   * stored only as a hash. A repetition with the same idempotency key returns null in their place.
   */
  reveal(values: Record<string, unknown>): void {
    this.#revealed = { ...this.#revealed, ...values };
  }

  get revealed(): Record<string, unknown> | null {
    return this.#revealed;
  }

  /** Returns another work in the same transaction, whose records can be discarded, or adopted with `take`. */
  beside(): Work {
    return new Work(this.#options);
  }

  /** Returns a work beside this one whose feed items name the import that caused them: nobody is notified. */
  importing(importId: number): Work {
    return new Work({ ...this.#options, importId });
  }

  /** Returns a work like `beside`, in which another viewer acts. */
  actingAs(viewer: Viewer): Work {
    return new Work({ ...this.#options, viewer });
  }

  /**
   * Returns the same work at a business, for a request that belongs to none; its transaction must be one across
   * tenants.
   */
  at(tenant: Tenant): Work {
    const work = new Work({
      ...this.#options,
      tenant,
      now: businessTime(tenant, this.realNow),
      viewer: { ...this.viewer, providerId: tenant.providerId },
    });
    this.#elsewhere.push(work);
    return work;
  }

  /**
   * The real time, even for a test business: for work that involves the outside world, such as secrets that expire and
   * deliveries that are retried.
   */
  get realNow(): number {
    return this.now - (this.tenant.testClock?.aheadMs ?? 0);
  }

  /** This work and its parts at other businesses. */
  get all(): readonly Work[] {
    return [this, ...this.#elsewhere];
  }

  /** Records that a person gets a message of this type, for the count in a dry run. `who` identifies the person. */
  tells(type: string, who: string): void {
    this.#notified.set(type, (this.#notified.get(type) ?? new Set()).add(who));
  }

  /** The number of people per message so far. */
  get notified(): readonly Effect[] {
    return [...this.#notified].map(([type, people]) => ({
      effect: 'message_sent',
      object: 'message',
      id: null,
      detail: { type, people: people.size },
    }));
  }

  effect(effect: string, object: string, id: number | null, detail: Record<string, unknown> = {}): void {
    this.effects.push({ effect, object, id, detail });
  }

  /** Adopts the records of another work of the same transaction. */
  take(other: Work): void {
    this.#feed.push(...other.#feed.splice(0));
    this.#recorded.push(...other.#recorded.splice(0));
    this.#audit.push(...other.#audit.splice(0));
    for (const job of other.#jobs.splice(0)) this.enqueue(job);
    this.effects.push(...other.effects.splice(0));
    for (const [type, people] of other.#notified) for (const who of people) this.tells(type, who);
    for (const { table, id, before } of other.takeTouched()) {
      this.touch(table, id, before);
      for (const links of other.linksOf(table, id)) this.touchLinks(table, id, links);
    }
    for (const [key, row] of other.#left) this.#left.set(key, row);
  }

  /** Returns the statements that write all records; run them in the transaction of the change. */
  takeRecords(): Sql[] {
    return Work.takeRecords([this]);
  }

  /** Returns the statements for several works of one business in one transaction, at the time of the first. */
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
      // All jobs of a test business go to its own queue, which its clock runs.
      ...jobInsert(
        providerId,
        now,
        jobs.map((job) => (tenant.testClock ? { ...job, urgency: undefined } : job)),
      ),
    ];
  }
}

/** Returns SQL that records a feed item without a work: for changes at the command line, and to accounts of people. */
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

/** Returns SQL for an audit entry without a work. */
export const recordAudit = (by: By, now: number, entry: AuditEntry): Sql =>
  auditInsert(by.providerId, new Date(now).toISOString(), [{ ...entry, by }]);

/** The actor and the business. */
interface By {
  readonly providerId: number;
  readonly requestId: string;
  readonly viewer: Pick<Viewer, 'actor' | 'userId' | 'applicationId' | 'mode'>;
}

const auditInsert = (providerId: number, at: string, entries: readonly (AuditEntry & { by: By })[]): Sql =>
  sql`
    INSERT INTO audit_entry (provider_id, at, request_id, actor, user_id, application_id, mode, action, object,
      object_id, before, after)
      SELECT ${providerId}::bigint, ${at}::timestamptz, request_id, actor, user_id, application_id, mode, action,
        object, object_id, before, after
      FROM unnest(${entries.map((e) => e.by.requestId)}::text[], ${entries.map((e) => e.by.viewer.actor)}::text[],
                  ${entries.map((e) => e.by.viewer.userId)}::bigint[],
                  ${entries.map((e) => e.by.viewer.applicationId)}::bigint[],
                  ${entries.map((e) => e.by.viewer.mode)}::text[],
                  ${entries.map((e) => e.action)}::text[], ${entries.map((e) => e.object)}::text[],
                  ${entries.map((e) => e.objectId)}::bigint[],
                  ${entries.map((e) => nullable(e.before))}::jsonb[], ${entries.map((e) => nullable(e.after))}::jsonb[])
           WITH ORDINALITY AS entry (request_id, actor, user_id, application_id, mode, action, object, object_id,
             before, after, nth) ORDER BY nth`;

/** Returns one statement for all jobs, in order: there may be thousands. */
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
