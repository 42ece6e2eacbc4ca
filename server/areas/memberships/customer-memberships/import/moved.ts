/**
 * Memberships that customers had elsewhere and continue here. Nothing is sold: they need not be allowed to buy it, and
 * its price is already paid.
 */
import { addUses, againstUses } from './uses-left.ts';
import { againstDay, once, recurring, todayOf, type Values } from '../writes.ts';
import { customerMembershipFeed } from '../feed.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { reportSold } from '../billers.ts';
import { pauseMoved } from '../holds/moved.ts';
import { takeIds } from '../../../../kernel/work/unit/row.ts';
import type { PaymentPlan, Product } from '../../memberships/index.ts';
import type { Status } from '../rules/status.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * The state that a membership had elsewhere. `ending`: it was cancelled and runs until its last day. `ended`: it is
 * kept as history.
 */
export type MovedState = 'running' | 'ending' | 'paused' | 'ended';

interface Moved {
  readonly state: MovedState;
  readonly customer: number;
  readonly product: Product;
  /** for recurring plans */
  readonly plan: PaymentPlan | null;
  /** YYYY-MM-DD; null to use the membership's own rule */
  readonly startDate: string | null;
  /** first day of the next billing period; null to count from the start date */
  readonly billedFrom: string | null;
  /** last day */
  readonly expirationDate: string | null;
  /** null for the full allotment */
  readonly usesLeft: number | null;
  /** minor units; null for the sale price */
  readonly price: number | null;
}

/** A membership that can be written, with its first and last day. */
export interface Decided extends Moved {
  readonly values: Values;
}

interface AgainstMoved {
  readonly property: 'membership' | 'start_date' | 'expiration_date' | 'uses_left' | 'status';
  readonly reason: string;
}

export function decideMoved(work: Work, moved: Moved): Decided | AgainstMoved {
  const { product, plan, startDate, expirationDate, usesLeft } = moved;
  for (const [property, day] of [
    ['start_date', startDate],
    ['expiration_date', expirationDate],
  ] as const) {
    const against = againstDay(day);
    if (against !== null) return { property, reason: against };
  }
  if (product.type === 'recurring_plan' && !plan)
    return { property: 'membership', reason: 'has no payment plan for sale, or several and none at this price' };
  const { customer, billedFrom } = moved;
  const asked = { membership: product.id, customer, startDate, expirationDate, billedFrom };
  const values = plan ? recurring(work, plan, asked) : once(work, product, asked);
  const { start_date: start, expiration_date: end } = values;
  if (start !== null && end !== null && end < start)
    return { property: 'expiration_date', reason: `is before it starts, on ${start}` };
  const today = todayOf(work);
  if (moved.state === 'ended' && expirationDate !== null && expirationDate >= today)
    return {
      property: 'status',
      reason: `has ended there, but its last day is still to come, on ${expirationDate}. Correct one of the two`,
    };
  if (moved.state === 'ending' && expirationDate === null)
    return { property: 'status', reason: 'ends, but has no last day' };
  // A last day in the past ends it, whatever its state.
  if (moved.state === 'ended' || (end !== null && end < today)) {
    const last = end !== null && end >= today ? null : end;
    return { ...moved, state: 'ended', usesLeft: null, values: { ...values, expiration_date: last, renews_on: null } };
  }
  const uses = usesLeft === null ? null : againstUses(product);
  if (uses !== null) return { property: 'uses_left', reason: uses };
  return { ...moved, values };
}

const statusOn = ({ state, values: { start_date: start } }: Decided, today: string): Status =>
  state === 'ended' ? 'completed' : state === 'paused' && (start === null || start <= today) ? 'hold' : 'active';

/** Nothing that was imported is billed before somebody approves it. */
const waits = ({ plan, state }: Decided): boolean => plan !== null && state !== 'ended';

/** Writes the memberships and returns their ids in the same order. */
export async function writeMoved(work: Work, moved: readonly Decided[]): Promise<number[]> {
  if (moved.length === 0) return [];
  const ids = await takeIds(work, 'customer_membership', moved.length);
  const each = <T>(of: (one: Decided) => T): T[] => moved.map(of);
  const value = <T>(name: string): T[] => moved.map(({ values }) => (values[name] ?? null) as T);
  const at = instant(work.now);
  await work.tx.run(sql`
    INSERT INTO customer_membership (provider_id, id, customer_id, membership_id, membership_type, payment_plan_id,
      bought_on, start_date,
      expiration_date, billing_unit, billing_length, billing_anchor, billing_day, awaits_approval, billed_price_minor,
      status, cancellation_reason, is_set_for_cancellation, ended_at, created_at, updated_at)
    SELECT ${work.providerId}::bigint, r.id, r.customer, r.membership, r.type, r.plan, ${todayOf(work)}::date, r.starts,
      r.ends, r.unit, r.length, r.anchor, r.day,
      r.awaits, r.price, r.status, CASE WHEN r.state = 'ending' THEN 'cancelled' END, r.state = 'ending',
      CASE WHEN r.state = 'ended' THEN ${at}::timestamptz END, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${ids}::bigint[], ${each((m) => m.customer)}::bigint[], ${each((m) => m.product.id)}::bigint[],
      ${each((m) => m.product.type)}::text[],
      ${each((m) => m.plan?.id ?? null)}::bigint[], ${value<string>('start_date')}::date[],
      ${value<string>('expiration_date')}::date[],
      ${value<string>('billing_unit')}::text[], ${value<number>('billing_length')}::int[],
      ${value<string>('billing_anchor')}::date[],
      ${value<number>('billing_day')}::int[], ${each(waits)}::boolean[],
      ${each((m) => m.price ?? m.values.billed_price_minor)}::bigint[], ${each((m) => m.state)}::text[],
      ${each((m) => statusOn(m, todayOf(work)))}::text[])
      AS r (id, customer, membership, type, plan, starts, ends, unit, length, anchor, day, awaits, price, state,
        status)`);
  for (const [i, { customer, product }] of moved.entries())
    work.record(customerMembershipFeed.created, ids[i], {
      customer_membership: ids[i],
      customer,
      membership: product.id,
    });
  await addUses(
    work,
    moved.map((one, i) => ({ ...one, id: ids[i] })),
  );
  await pauseMoved(
    work,
    moved.flatMap(({ state, customer, values }, i) =>
      state === 'paused' ? [{ id: ids[i], customer_id: customer, start_date: values.start_date }] : [],
    ),
  );
  const plans = ids.filter((_, i) => waits(moved[i]));
  if (plans.length > 0) await reportSold(work, plans);
  return ids;
}
