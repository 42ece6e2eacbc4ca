/** Facts about memberships for other areas, as SQL and as plain values. */
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Allotment } from './rules/allotment.ts';
import type { IncompleteReason, MembershipType } from './rules/incomplete.ts';
import type { Lifetime } from './rules/lifetime.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/**
 * Returns the limits of membership `m` as the jsonb of a list of `PeriodLimit`, the shortest period first. The database
 * maintains it in the row of the membership.
 */
export const limitsOf = (m: string): Sql => raw(`${m}.limits`);

/**
 * Returns the condition that membership `m` is for offering type `o`, as in `membership_coverage`, from columns of the
 * membership itself.
 */
export const isFor = (m: string, o: string): Sql =>
  raw(`(CASE ${o}.schedule_type WHEN 'course' THEN 'course' ELSE 'event' END = ANY(${m}.allotment_types)
      AND coalesce(${o}.id = ANY(${m}.offering_types), NOT ${o}.id = ANY(${m}.except_offering_types))) IS TRUE`);

/**
 * Returns the breadth of membership `m`: its number of offering types or, if it names none, a number above all of
 * these.
 */
export const selectBreadth = (m: string): Sql =>
  raw(
    `coalesce(cardinality(${m}.offering_types), cardinality(${m}.allotment_types) * 1000000 - cardinality(${m}.except_offering_types))`,
  );

/** Returns the allotment of membership `m` as the jsonb of an `Allotment`; null until it has one. */
const allotmentOf = (m: string): Sql => sql`CASE WHEN ${raw(m)}.allotment_types IS NOT NULL THEN jsonb_build_object(
  'types', to_jsonb(${raw(m)}.allotment_types), 'ignoreNoShows', ${raw(m)}.ignore_no_shows, 'limits', ${limitsOf(m)})
  END`;

/** A membership as it is sold now. Dates are YYYY-MM-DD, amounts are minor units of the business's currency. */
export interface Product extends Lifetime {
  readonly id: number;
  readonly type: MembershipType;
  readonly name: string;
  readonly category: number;
  readonly forSale: boolean;
  readonly visibleToCustomers: boolean;
  readonly onlyByProvider: boolean;
  readonly newCustomersOnly: boolean;
  readonly allowRepeatPurchases: boolean;
  readonly shareable: boolean;
  readonly minAge: number | null;
  readonly maxAge: number | null;
  /** null for a recurring plan */
  readonly oneTimeFee: number | null;
  readonly useProrate: boolean;
  readonly incompleteReasons: readonly IncompleteReason[];
  readonly archived: boolean;
  /** null until its uses have been set */
  readonly allotment: Allotment | null;
}

interface Row {
  id: number;
  type: MembershipType;
  name: string;
  category_id: number;
  for_sale: boolean;
  visible_to_customers: boolean;
  purchasable_only_by_provider: boolean;
  new_customers_only: boolean;
  allow_repeat_purchases: boolean;
  shareable: boolean;
  min_allowed_age: number | null;
  max_allowed_age: number | null;
  one_time_fee_minor: number | null;
  begin_on_first_registration: boolean;
  duration: number | null;
  duration_unit: Lifetime['durationUnit'];
  start_date: string | null;
  expiration_date: string | null;
  use_prorate: boolean;
  incomplete_reasons: IncompleteReason[];
  archived_at: string | null;
  allotment: Allotment | null;
}

const productOf = (row: Row): Product => ({
  id: row.id,
  type: row.type,
  name: row.name,
  category: row.category_id,
  forSale: row.for_sale,
  visibleToCustomers: row.visible_to_customers,
  onlyByProvider: row.purchasable_only_by_provider,
  newCustomersOnly: row.new_customers_only,
  allowRepeatPurchases: row.allow_repeat_purchases,
  shareable: row.shareable,
  minAge: row.min_allowed_age,
  maxAge: row.max_allowed_age,
  oneTimeFee: row.one_time_fee_minor,
  beginOnFirstRegistration: row.begin_on_first_registration,
  duration: row.duration,
  durationUnit: row.duration_unit,
  startDate: row.start_date,
  expirationDate: row.expiration_date,
  useProrate: row.use_prorate,
  incompleteReasons: row.incomplete_reasons,
  archived: row.archived_at !== null,
  allotment: row.allotment,
});

/** Reads memberships by their ids, without locks; unknown ids are left out. */
async function membershipsOf(
  tx: Transaction,
  providerId: number,
  ids: readonly number[],
): Promise<Map<number, Product>> {
  const rows = await tx.rows<Row>(
    sql`SELECT m.*, ${allotmentOf('m')} AS allotment FROM membership m
      WHERE m.provider_id = ${providerId} AND m.id = ANY(${ids}::bigint[])`,
  );
  return new Map(rows.map((row) => [row.id, productOf(row)]));
}

/** Reads the memberships with these names, in lower case. An archived one counts only if no other has the name. */
export async function membershipsNamed(
  tx: Transaction,
  providerId: number,
  names: readonly string[],
): Promise<readonly Product[]> {
  const rows = await tx.rows<{ id: number; name: string; archived: boolean }>(
    sql`SELECT id, lower(name) AS name, archived_at IS NOT NULL AS archived FROM membership
        WHERE provider_id = ${providerId} AND lower(name) = ANY(${names}::text[]) ORDER BY id`,
  );
  const wanted = rows.filter(({ name, archived }) => !archived || !rows.some((o) => o.name === name && !o.archived));
  const found = await membershipsOf(
    tx,
    providerId,
    wanted.map(({ id }) => id),
  );
  return [...found.values()];
}

export const membershipOf = async (tx: Transaction, providerId: number, id: number): Promise<Product | null> =>
  (await membershipsOf(tx, providerId, [id])).get(id) ?? null;

/**
 * A payment plan as it is sold now, which a customer agrees to by beginning with it. Keep a copy of the price: the
 * plan's may change.
 */
export interface PaymentPlan {
  readonly id: number;
  readonly membership: number;
  readonly forSale: boolean;
  /** minor units */
  readonly price: number;
  readonly periodLength: number;
  readonly periodUnit: 'months' | 'weeks';
  readonly committedPeriods: number | null;
  readonly fixedDayOfMonth: number | null;
  readonly fixedDayOfWeek: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null;
  readonly commitmentExpirationScheme: 'stop_contract' | 'renew_contract' | 'continue_by_period';
  readonly cancellationNoticeDays: number | null;
  readonly joiningFee: { readonly id: number; readonly amount: number } | null;
}

/** Returns payment plan `p` as the jsonb of a `PaymentPlan`. */
export const paymentPlanFacts = (p: string): Sql =>
  raw(`jsonb_build_object('id', ${p}.id, 'membership', ${p}.membership_id, 'forSale', ${p}.status = 'for_sale',
  'price', ${p}.price_minor, 'periodLength', ${p}.billing_period_length, 'periodUnit', ${p}.billing_period_unit,
  'committedPeriods', ${p}.committed_billing_periods,
  'fixedDayOfMonth', ${p}.fixed_billing_day_of_month, 'fixedDayOfWeek', ${p}.fixed_billing_day_of_week,
  'commitmentExpirationScheme', ${p}.commitment_expiration_scheme,
  'cancellationNoticeDays', ${p}.cancellation_notice_days, 'joiningFee',
  (SELECT jsonb_build_object('id', j.id, 'amount', j.amount_minor)
    FROM joining_fee j WHERE j.provider_id = ${p}.provider_id AND j.id = ${p}.joining_fee_id))`);

export async function paymentPlanOf(tx: Transaction, providerId: number, id: number): Promise<PaymentPlan | null> {
  const row = await tx.one<{ plan: PaymentPlan }>(
    sql`SELECT ${paymentPlanFacts('p')} AS plan FROM membership_payment_plan p
      WHERE p.provider_id = ${providerId} AND p.id = ${id}`,
  );
  return row?.plan ?? null;
}

/** Reads the plans of these memberships that are for sale. */
export async function paymentPlansOf(
  tx: Transaction,
  providerId: number,
  memberships: readonly number[],
): Promise<readonly PaymentPlan[]> {
  if (memberships.length === 0) return [];
  const rows = await tx.rows<{ plan: PaymentPlan }>(
    sql`SELECT ${paymentPlanFacts('p')} AS plan FROM membership_payment_plan p
        WHERE p.provider_id = ${providerId} AND p.membership_id = ANY(${memberships}::bigint[])
          AND p.status = 'for_sale' ORDER BY p.id`,
  );
  return rows.map(({ plan }) => plan);
}
