/**
 * A membership that a customer owns, as the code acts on it, and the only access to its row: `lock…` and `change…`. No
 * other statement locks or updates `customer_membership`, except those by which bookings use it.
 */
import { boundLimits, cycleOf, type BoundFacts } from './use/facts.ts';
import { changedNames } from '../../../kernel/work/unit/row.ts';
import { instant, join, json, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import type { CancellationReason } from './customer-membership.ts';
import type { Cycle } from '../../../kernel/base/values/cycle.ts';
import type { FeedItemKind, PayloadOf } from '../../../kernel/work/feed/feed-item.ts';
import type { HoldLimits } from './holds/rules/limits.ts';
import type { HoldRow } from './holds/hold-row.ts';
import type { MembershipType } from '../memberships/index.ts';
import type { Status } from './rules/status.ts';
import type { AuditEntry, Work } from '../../../kernel/work/unit/work.ts';

/** Columns that can change, as stored: dates are YYYY-MM-DD, amounts are minor units. */
interface Changing {
  readonly status: Status;
  readonly cancellation_reason: CancellationReason | null;
  /** null if it begins with its first use */
  readonly start_date: string | null;
  /** last day; null if it has no end */
  readonly expiration_date: string | null;
  readonly is_set_for_cancellation: boolean;
  readonly end_before_cancellation: string | null;
  readonly cancelled_by_customer: boolean;
  readonly billed_price_minor: number;
  /** first day of the billing period to report next */
  readonly renews_on: string | null;
  /** nobody has approved yet that it is billed */
  readonly awaits_approval: boolean;
  readonly replaced_by_id: number | null;
  readonly shared_with_family: boolean;
  /** id of the invoice that must be paid before it can be used again */
  readonly unpaid_invoice_id: number | null;
}

/** A membership that a customer owns, with everything that decisions about it need. */
export interface Owned extends Changing {
  readonly id: number;
  readonly customer_id: number;
  readonly membership_id: number;
  readonly membership_type: MembershipType;
  readonly payment_plan_id: number | null;
  readonly bought_on: string;
  /** id of the first of several that were sold as one item; the invoice line names that one */
  readonly sold_with_id: number | null;
  /** null if it has no billing periods */
  readonly cycle: Cycle | null;
  /** null if it is not a recurring plan, or has ended */
  readonly bound: BoundFacts | null;
  /** ordered by their first days */
  readonly holds: readonly HoldRow[];
  /** ids of the customers with whom it is shared individually, ordered */
  readonly sharedWith: readonly number[];
  /** actions that the business allows its owners */
  readonly allows: {
    readonly sharing: boolean;
    readonly holds: boolean;
    readonly holdLimits: HoldLimits;
  };
}

/** A membership whose row is locked until the transaction ends: only such a membership can be changed. */
export type Locked = Owned & { readonly [LOCKED]: true };
declare const LOCKED: unique symbol;

type At = Pick<Work, 'tx' | 'providerId'>;

const columns = sql`cm.*, ${cycleOf('cm')} AS cycle, ${boundLimits('cm')} AS bound,
  ARRAY(SELECT s.customer_id FROM customer_membership_share s
    WHERE s.provider_id = cm.provider_id AND s.customer_membership_id = cm.id ORDER BY 1) AS "sharedWith",
  jsonb_build_object('sharing', m.shareable, 'holds', m.customers_can_hold,
    'holdLimits', jsonb_build_object('holds', m.max_holds_per_year, 'days', m.max_hold_days_per_year)) AS allows`;

const isOneOf = (ids: readonly number[]): Sql => sql`cm.id = ANY(${ids}::bigint[])`;

/** Returns the statements that read the memberships for which a condition on `cm` holds, by id, and their holds. */
const reading = ({ providerId }: At, which: Sql): Sql[] => [
  sql`SELECT ${columns} FROM customer_membership cm
    JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
    WHERE cm.provider_id = ${providerId} AND ${which} ORDER BY cm.id`,
  sql`SELECT h.* FROM customer_membership_hold h
    JOIN customer_membership cm ON cm.provider_id = h.provider_id AND cm.id = h.customer_membership_id
    WHERE h.provider_id = ${providerId} AND ${which} ORDER BY h.start_date`,
];

function together([rows, holds]: Record<string, any>[][]): Owned[] {
  const of = Map.groupBy(holds as HoldRow[], (hold) => hold.customer_membership_id);
  return rows.map((row) => ({ ...row, holds: of.get(row.id) ?? [] }) as unknown as Owned);
}

/** Reads memberships as they are in this transaction, by id; unknown ids are left out. */
export const readAllOwned = async (work: At, ids: readonly number[]): Promise<Owned[]> =>
  together(await work.tx.all(reading(work, isOneOf(ids))));

/** Reads a membership as it is in this transaction. */
export async function readOwned(work: At, id: number): Promise<Owned> {
  const [owned] = await readAllOwned(work, [id]);
  if (owned === undefined) throw notFound();
  return owned;
}

const locking = ({ providerId }: At, which: Sql): Sql =>
  sql`SELECT cm.id FROM customer_membership cm WHERE cm.provider_id = ${providerId} AND ${which} ORDER BY cm.id
    FOR NO KEY UPDATE`;

/**
 * Locks memberships by id. This is the last of the locks, after those of events and customers. A separate statement
 * then reads them: a statement that waits for a lock sees the related rows as they were before.
 */
async function lock(work: At, which: Sql): Promise<Locked[]> {
  const [, ...read] = await work.tx.all([locking(work, which), ...reading(work, which)]);
  return together(read) as Locked[];
}

/** Locks memberships by id; unknown ids are left out. */
export const lockAllOwned = (work: At, ids: readonly number[]): Promise<Locked[]> => lock(work, isOneOf(ids));

export async function lockOwned(work: At, id: number): Promise<Locked> {
  const [owned] = await lockAllOwned(work, [id]);
  if (owned === undefined) throw notFound();
  return owned;
}

/**
 * Locks the first `most` memberships for which a condition on `cm` holds. The condition is checked again after locking:
 * those that have changed in between are left out.
 */
export async function lockOwnedWhere(work: At, which: Sql, most: number): Promise<Locked[]> {
  const found = await work.tx.rows<{ id: number }>(
    sql`SELECT cm.id FROM customer_membership cm WHERE cm.provider_id = ${work.providerId} AND ${which} ORDER BY cm.id
      LIMIT ${most}`,
  );
  if (found.length === 0) return [];
  const ids = isOneOf(found.map((one) => one.id));
  const [, ...read] = await work.tx.all([locking(work, ids), ...reading(work, sql`${ids} AND ${which}`)]);
  return together(read) as Locked[];
}

/** Locks all memberships of these customers before they get another owner, so that the audit shows the previous one. */
export async function lockOwnedBy(work: Work, customers: readonly number[]): Promise<void> {
  for (const owned of await lock(work, sql`cm.customer_id = ANY(${customers}::bigint[])`)) touch(work, owned);
}

/** Properties that are not columns of the row. */
const DERIVED = new Set(['cycle', 'bound', 'holds', 'sharedWith', 'allows']);

function touch(work: Work, owned: Owned): void {
  const row = Object.entries(owned).filter(([name]) => !DERIVED.has(name));
  work.touch('customer_membership', owned.id, Object.fromEntries(row));
}

/** A feed item about a change; the membership and its customer are added to the payload. */
interface Item<K extends FeedItemKind<any> = FeedItemKind<any>> {
  readonly kind: K;
  readonly payload: Omit<PayloadOf<K>, 'customer_membership' | 'customer'>;
}

export const item = <K extends FeedItemKind<any>>(kind: K, payload: Item<K>['payload']): Item => ({ kind, payload });

interface Report {
  readonly items?: readonly Item[];
  /** effects for a dry run */
  readonly effects?: readonly (readonly [name: string, detail?: Record<string, unknown>])[];
}

export interface Change extends Report {
  /** `ended_at`: an instant as written by `instant()` */
  readonly to: Partial<Changing> & { readonly ended_at?: string | null };
  /** replaces the row before and after, if several changes in one transaction would be shown as one */
  readonly audit?: Pick<AuditEntry, 'action' | 'before' | 'after'>;
}

/** Changes a locked membership: the row, its audit entry, its feed items and its effects. */
export const changeOwned = (work: Work, owned: Locked, change: Change): Promise<void> =>
  changeAllOwned(work, [{ owned, ...change }]);

/** Changes several locked memberships, with one statement for all that change the same columns. */
export async function changeAllOwned(
  work: Work,
  changes: readonly (Change & { readonly owned: Locked })[],
): Promise<void> {
  const writing = changes.filter(({ to }) => changedNames(to).length > 0);
  for (const { owned, audit } of writing)
    if (audit === undefined) touch(work, owned);
    else work.audit({ object: 'customermembership', objectId: owned.id, ...audit });
  for (const alike of Map.groupBy(writing, ({ to }) => changedNames(to).join()).values()) await write(work, alike);
  for (const { owned, ...report } of changes) reportOwned(work, owned, report);
}

/** Records the feed items and effects: part of every change, or alone if the row doesn't change. */
export function reportOwned(
  work: Work,
  { id, customer_id: customer }: Owned,
  { items = [], effects = [] }: Report,
): void {
  for (const { kind, payload } of items) work.record(kind, id, { customer_membership: id, customer, ...payload });
  for (const [name, detail] of effects) work.effect(name, 'customermembership', id, detail);
}

/** Sends the rows as JSON, which the database reads by the types of its columns. */
async function write(work: Work, changes: readonly (Change & { readonly owned: Locked })[]): Promise<void> {
  const rows = changes.map(({ owned, to }) => ({ id: owned.id, ...to }));
  const values = changedNames(changes[0].to).map((name) => raw(`${name} = n.${name}`));
  await work.tx.run(sql`UPDATE customer_membership cm SET ${join(values, ', ')}, updated_at = ${instant(work.now)}
    FROM jsonb_populate_recordset(NULL::customer_membership, ${json(rows)}::jsonb) n
    WHERE cm.provider_id = ${work.providerId} AND cm.id = n.id`);
}
