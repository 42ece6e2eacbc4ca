/** Writes of memberships and what belongs to them, for the endpoints of this area, for imports and the demo. */
import { categoryFeed, membershipFeed, planFeed, membershipTermsFeed } from './feed.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { contradictions, foreignMessage, foreignProperties, type Bounds } from './rules/properties.ts';
import { invalid, Issues } from '../../../kernel/base/problem.ts';
import { membershipOf } from './facts.ts';
import { newPlan } from './payment-plan.ts';
import { writable } from './membership.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { objectionsTo, type Allotment } from './rules/allotment.ts';
import { planObjections, type DayOfWeek } from './rules/plan-texts.ts';
import { settleIncomplete } from './settle.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { incompleteReasons, type MembershipType } from './rules/incomplete.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Values of a membership; undefined keeps the default or the current value. */
type MembershipValues = Partial<ValueOf<typeof writable>> & { readonly for_sale?: boolean };

export type NewMembership = ValueOf<typeof writable> & { readonly type: MembershipType; readonly for_sale?: boolean };

/**
 * Creates a membership and returns its id. It is a draft until it has an allotment and everything else that its type
 * needs.
 */
export async function createMembership(work: Work, { type, ...values }: NewMembership): Promise<number> {
  checkProperties(type, {}, values);
  if (type !== 'recurring_plan' && values.one_time_fee === undefined)
    throw invalid('one_time_fee', `This field is required for a ${type}.`);
  const { duration = null, expiration_date: lastDay = null } = values;
  const lacks = incompleteReasons({
    type,
    hasDuration: duration !== null,
    hasExpirationDate: lastDay !== null,
    hasAllotment: false,
    hasTotalLimit: false,
    plansForSale: 0,
  });
  const id = await insertRow(work, 'membership', { ...columnsOf(work, values), type, incomplete_reasons: lacks });
  work.record(membershipFeed.created, id, { membership: id });
  await createTerms(work, id, null);
  return id;
}

/** Creates terms without a text, for the whole membership or for one of its plans. Returns the id. */
export async function createTerms(work: Work, membership: number, plan: number | null): Promise<number> {
  const id = await insertRow(work, 'membership_terms', { membership_id: membership, plan_id: plan });
  work.record(membershipTermsFeed.created, id, { membership_terms: id, membership });
  return id;
}

/** Changes a membership. `stored`: its current row, locked. */
export async function changeMembership(
  work: Work,
  stored: Record<string, any>,
  values: MembershipValues,
): Promise<void> {
  checkProperties(stored.type, stored, values);
  if (stored.archived_at !== null && values.for_sale)
    throw invalid('for_sale', 'The membership is archived. Unarchive it first.');
  const changed = changedNames(values);
  if (changed.length === 0) return;
  await updateRow(work, 'membership', stored.id, columnsOf(work, values));
  work.record(membershipFeed.updated, stored.id, { membership: stored.id, changed });
  await settleIncomplete(work, stored.id);
}

/** Checks the properties together; those that a change leaves out have their stored values. */
function checkProperties(type: MembershipType, stored: Record<string, any>, values: MembershipValues): void {
  const issues = new Issues();
  for (const name of foreignProperties(type, values)) issues.add(name, foreignMessage(type, name));
  const after = <K extends keyof Bounds>(name: K): Bounds[K] =>
    (values[name] !== undefined ? values[name] : (stored[name] ?? null)) as Bounds[K];
  const bounds: Bounds = {
    min_allowed_age: after('min_allowed_age'),
    max_allowed_age: after('max_allowed_age'),
    start_date: after('start_date'),
    expiration_date: after('expiration_date'),
    begin_on_first_registration: after('begin_on_first_registration') ?? false,
  };
  for (const { between, message } of contradictions(bounds))
    issues.add(between.find((name) => values[name] !== undefined) ?? between[0], message);
  issues.throwIfAny();
}

function columnsOf(work: Work, values: MembershipValues): Record<string, unknown> {
  const { category, order, one_time_fee: fee, description, ...plain } = values;
  return {
    ...plain,
    description: description === null ? '' : description,
    category_id: category,
    sort_order: order,
    one_time_fee_minor: fee === undefined ? undefined : minorOf('one_time_fee', fee, work.tenant.currency),
  };
}

/**
 * Replaces the allotment of a membership. If another transaction may set it concurrently, the caller locks the row
 * before. Issues name its properties after `within`, such as `allotment.`.
 */
export async function setAllotment(
  work: Work,
  { id, type }: { id: number; type: MembershipType },
  { types, ignoreNoShows, limits }: Allotment,
  within = '',
): Promise<void> {
  const issues = new Issues();
  for (const { path, message } of objectionsTo(type, limits)) issues.add(`${within}${path}`, message);
  issues.throwIfAny();
  const before = (await membershipOf(work.tx, work.providerId, id))!.allotment;
  const own = limits.flatMap((limit) => limit.offeringTypes.map((one) => ({ period: limit.period, ...one })));
  await work.tx.all([
    sql`DELETE FROM membership_limit_offering_type x USING membership_limit l
      WHERE x.provider_id = ${work.providerId} AND l.provider_id = x.provider_id
        AND l.id = x.membership_limit_id AND l.membership_id = ${id}`,
    sql`DELETE FROM membership_limit WHERE provider_id = ${work.providerId} AND membership_id = ${id}`,
    sql`INSERT INTO membership_limit (provider_id, membership_id, membership_type, period, max_uses, roll_over)
        SELECT ${work.providerId}, ${id}, ${type}, period, max_uses, roll_over
        FROM unnest(${limits.map((l) => l.period)}::text[], ${limits.map((l) => l.maxUses)}::int[],
          ${limits.map((l) => l.rollOver)}::int[]) AS n (period, max_uses, roll_over)`,
    sql`INSERT INTO membership_limit_offering_type
      (provider_id, membership_limit_id, offering_type_id, max_uses, is_extra)
        SELECT l.provider_id, l.id, n.offering_type, n.max_uses, n.is_extra
        FROM unnest(${own.map((o) => o.period)}::text[], ${own.map((o) => o.offeringType)}::bigint[],
          ${own.map((o) => o.maxUses)}::int[], ${own.map((o) => o.isExtra)}::boolean[])
             AS n (period, offering_type, max_uses, is_extra)
        JOIN membership_limit l ON l.provider_id = ${work.providerId} AND l.membership_id = ${id}
          AND l.period = n.period`,
  ]);
  await updateRow(work, 'membership', id, { allotment_types: types, ignore_no_shows: ignoreNoShows });
  // The row has only a part of it, so the audit is given the whole.
  const after = (await membershipOf(work.tx, work.providerId, id))!.allotment;
  if (JSON.stringify(before) !== JSON.stringify(after))
    work.audit({
      action: 'allotment',
      object: 'membership',
      objectId: id,
      before: { allotment: before },
      after: { allotment: after },
    });
  work.record(membershipFeed.updated, id, { membership: id, changed: ['allotment'] });
  await settleIncomplete(work, id);
}

/** Creates a category and returns its id. */
export async function createMembershipCategory(
  work: Work,
  { name, order }: { name: string; order?: number | null },
): Promise<number> {
  const id = await insertRow(work, 'membership_category', { name, sort_order: order });
  work.record(categoryFeed.created, id, { membership_category: id });
  return id;
}

export type NewPlan = ValueOf<typeof newPlan>;

/** Creates a payment plan and returns its id. Issues name its properties after `within`, such as `payment_plans.0.`. */
export async function createPaymentPlan(
  work: Work,
  { membership, price, ...values }: NewPlan,
  within = '',
): Promise<number> {
  const product = await work.tx.one<{ type: string }>(
    sql`SELECT type FROM membership WHERE provider_id = ${work.providerId} AND id = ${membership}`,
  );
  if (product!.type !== 'recurring_plan')
    throw invalid('membership', `A ${product!.type} is paid once, by its one_time_fee. Name a recurring_plan.`);
  const issues = new Issues();
  const shape = {
    unit: values.billing_period_unit,
    ofMonth: values.fixed_billing_day_of_month ?? null,
    ofWeek: (values.fixed_billing_day_of_week ?? null) as DayOfWeek | null,
    commitment: {
      periods: values.committed_billing_periods ?? null,
      scheme: values.commitment_expiration_scheme,
    },
  } as const;
  for (const { property, message } of planObjections(shape)) issues.add(`${within}${property}`, message);
  issues.throwIfAny();
  const id = await insertRow(work, 'membership_payment_plan', {
    ...values,
    membership_id: membership,
    price_minor: minorOf(`${within}price`, price, work.tenant.currency),
  });
  work.record(planFeed.created, id, { membership_payment_plan: id });
  await settleIncomplete(work, membership);
  return id;
}

export async function changePaymentPlan(
  work: Work,
  stored: Record<string, any>,
  { price, ...values }: { price?: string; status?: string; cancellation_notice_days?: number | null },
): Promise<void> {
  const changed = changedNames({ price, ...values });
  if (changed.length === 0) return;
  await updateRow(work, 'membership_payment_plan', stored.id, {
    ...values,
    price_minor: price === undefined ? undefined : minorOf('price', price, work.tenant.currency),
  });
  work.record(planFeed.updated, stored.id, { membership_payment_plan: stored.id, changed });
  await settleIncomplete(work, stored.membership_id);
}
