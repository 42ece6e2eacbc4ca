/** Facts that the rules need about a code and the household that wants to use it. */
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { WHOLE, type Applicability, type Code, type Discount, type CodePurchaseType } from './rules/code.ts';
import type { Circumstances } from './rules/usable.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly status: 'active' | 'inactive';
  readonly uses: number;
  readonly reserved_uses: number;
  readonly allowed_uses: number | null;
  readonly allowed_uses_per_customer: number | null;
  readonly discount_type: 'flat' | 'percent';
  readonly rate: number | null;
  readonly discount_minor: number | null;
  readonly usable_start_date: string | null;
  readonly usable_end_date: string | null;
  readonly usable_purchase_types: readonly CodePurchaseType[];
  readonly usable_by_new_customers_only: boolean;
  readonly usable_by_default_for_purchase_types: boolean;
  readonly applicable_billing_cycles: number;
  readonly applicabilities: readonly Applicability[];
}

/** A code, with stored facts beyond those its rules need. */
export interface KnownCode {
  readonly id: number;
  readonly name: string;
  readonly cycles: number;
  readonly uses: number;
  readonly reservedUses: number;
  readonly rules: Code;
}

export const byCode = (code: string): Sql => sql`discount_code_key(c.code) = discount_code_key(${code}::text)`;
export const byId = (id: number): Sql => sql`c.id = ${id}`;

/** Reads one code; `which` is a condition over `c`. */
export async function readCode(work: Pick<Work, 'tx' | 'providerId'>, which: Sql): Promise<KnownCode | null> {
  const row = await work.tx.one<Row>(sql`
    SELECT c.*, (c.discount_percent * ${WHOLE / 100}::int)::int AS rate,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('allowed', a.allow_use, 'id',
        coalesce(a.event_id, a.offering_type_id, a.membership_id, a.course_id, a.store_product_id),
          'type', CASE WHEN a.event_id IS NOT NULL THEN 'event' WHEN a.offering_type_id IS NOT NULL THEN 'offering_type'
            WHEN a.membership_id IS NOT NULL THEN 'membership' WHEN a.course_id IS NOT NULL THEN 'course'
            ELSE 'store_product' END)), '[]')
       FROM discount_code_applicability a WHERE a.provider_id = c.provider_id
         AND a.discount_code_id = c.id) AS applicabilities
    FROM discount_code c WHERE c.provider_id = ${work.providerId} AND ${which}`);
  return row ? known(row) : null;
}

const known = (row: Row): KnownCode => ({
  id: row.id,
  name: row.name,
  cycles: row.applicable_billing_cycles,
  uses: row.uses,
  reservedUses: row.reserved_uses,
  rules: {
    code: row.code,
    active: row.status === 'active',
    startsOn: row.usable_start_date,
    endsOn: row.usable_end_date,
    newCustomersOnly: row.usable_by_new_customers_only,
    allowedUses: row.allowed_uses,
    allowedPerHousehold: row.allowed_uses_per_customer,
    purchaseTypes: row.usable_purchase_types,
    byDefault: row.usable_by_default_for_purchase_types,
    applicabilities: row.applicabilities,
    discount: discountIn(row),
  },
});

const discountIn = ({ discount_type: type, rate, discount_minor: amount }: Row): Discount =>
  type === 'percent' ? { type, rate: rate! } : { type, amount: amount! };

interface Household {
  readonly has_family: boolean;
  readonly known: boolean;
  readonly household_uses: number;
  /** state of the purchase's own use of this code */
  readonly own: 'reserved' | 'used' | null;
}

interface Asking {
  readonly customer: number;
  /** id of the checkout that asks; its own use isn't counted against it */
  readonly checkout: number | null;
}

/** Reads in one statement the household, its uses, and whether anybody in it has been a customer before. */
export async function readCircumstances(work: Work, code: KnownCode, asking: Asking): Promise<Circumstances> {
  const household = await work.tx.one<Household>(sql`
    WITH me AS (SELECT family_id FROM customer WHERE provider_id = ${work.providerId} AND id = ${asking.customer}),
    household AS (
      SELECT ${asking.customer}::bigint AS id UNION
      SELECT c.id FROM customer c WHERE c.provider_id = ${work.providerId} AND c.family_id = (SELECT family_id FROM me))
    SELECT coalesce((SELECT family_id IS NOT NULL FROM me), false) AS has_family,
      EXISTS (SELECT FROM customer_membership m WHERE m.provider_id = ${work.providerId}
          AND m.customer_id IN (SELECT id FROM household) AND m.cancellation_reason IS DISTINCT FROM 'mistake')
        OR EXISTS (SELECT FROM attendance a WHERE a.provider_id = ${work.providerId}
          AND a.customer_id IN (SELECT id FROM household) AND a.status = 'attended') AS known,
      (SELECT count(*)::int FROM discount_code_use u
      WHERE u.provider_id = ${work.providerId} AND u.discount_code_id = ${code.id}
          AND u.customer_id IN (SELECT id FROM household)
        AND u.checkout_id IS DISTINCT FROM ${asking.checkout}::bigint) AS household_uses,
      (SELECT u.state FROM discount_code_use u
      WHERE u.provider_id = ${work.providerId} AND u.discount_code_id = ${code.id}
          AND u.checkout_id = ${asking.checkout}::bigint) AS own`);
  const { has_family, known, household_uses, own } = household!;
  return {
    today: wallAt(work.now, work.tenant.zone).date,
    isNew: !known,
    hasFamily: has_family,
    uses: code.uses - (own === 'used' ? 1 : 0),
    reservedUses: code.reservedUses - (own === 'reserved' ? 1 : 0),
    householdUses: household_uses,
  };
}
