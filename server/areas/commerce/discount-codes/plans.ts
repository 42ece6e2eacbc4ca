/** The discount that a recurring plan keeps from the checkout it was bought in. */
import { boolean, refBy } from '../../../kernel/base/fields/kinds.ts';
import { freeForever, type PlanTerms } from './rules/cycles.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import { PRICES } from '../../money/account-entries/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { WHOLE } from './rules/code.ts';

import type { Properties } from '../../../kernel/api/resource.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Terms {
  readonly discount_type: 'flat' | 'percent';
  readonly discount_percent: string | null;
  readonly applicable_billing_cycles: number;
}

/** Saves the terms of plans, as the code has them now; for a flat amount, each plan keeps its own part. */
export async function keepPlans(work: Work, code: number, plans: readonly DiscountedPlan[]): Promise<void> {
  const discounted = plans.filter(({ discount }) => discount > 0);
  if (discounted.length === 0) return;
  const terms = await work.tx.one<Terms>(sql`
    SELECT discount_type, discount_percent::text AS discount_percent, applicable_billing_cycles
    FROM discount_code WHERE provider_id = ${work.providerId} AND id = ${code}`);
  for (const { customerMembership, discount } of discounted)
    await insertRow(work, 'discount_code_plan', {
      discount_code_id: code,
      customer_membership_id: customerMembership,
      discount_percent: terms!.discount_percent,
      discount_minor: terms!.discount_type === 'flat' ? discount : null,
      billing_cycles: terms!.applicable_billing_cycles,
    });
}

const rate: Sql = sql`(p.discount_percent * ${raw(String(WHOLE / 100))})::int`;

interface PlanRow {
  readonly membership: number;
  readonly code: number;
  readonly rate: number | null;
  readonly amount: number | null;
  readonly cycles: number;
}

const termsIn = ({ rate: of, amount, cycles }: Pick<PlanRow, 'rate' | 'amount' | 'cycles'>): PlanTerms => ({
  discount: of === null ? { type: 'flat', amount: amount! } : { type: 'percent', rate: of },
  cycles,
});

/** Returns the terms that customer memberships keep, by their ids, without those that have no discount. `code`: id. */
export async function plansOf(
  work: Pick<Work, 'tx' | 'providerId'>,
  customerMemberships: readonly number[],
): Promise<Map<number, PlanTerms & { readonly code: number }>> {
  const rows = await work.tx.rows<PlanRow>(sql`
    SELECT p.customer_membership_id AS membership, p.discount_code_id AS code, ${rate} AS rate, p.discount_minor AS amount,
      p.billing_cycles AS cycles
    FROM discount_code_plan p
    WHERE p.provider_id = ${work.providerId} AND p.customer_membership_id = ANY(${customerMemberships}::bigint[])`);
  return new Map(rows.map((row) => [row.membership, { ...termsIn(row), code: row.code }]));
}

/** Selects a value of the plan of the membership under alias `t`. */
const ofPlan = (t: string, what: Sql): Sql =>
  sql`(SELECT ${what} FROM discount_code_plan p WHERE p.provider_id = ${raw(t)}.provider_id AND p.customer_membership_id = ${raw(t)}.id)`;

const numberIn = (text: string | null): number | null => (text === null ? null : Number(text));

export const planProperties: Properties = {
  fields: {
    discount_code: refBy('discount_code', (t) => ofPlan(t, raw('p.discount_code_id')))
      .nullable()
      .describe('The discount code with which it was bought. Null if there was none, or if nothing is renewed.'),
    discount_code_makes_free_forever: boolean()
      .computed(
        (t) => [
          ofPlan(t, rate),
          ofPlan(t, raw('p.discount_minor')),
          ofPlan(t, raw('p.billing_cycles')),
          raw(`${t}.billed_price_minor`),
        ],
        ([of, amount, cycles, price]) =>
          cycles !== null &&
          freeForever(termsIn({ rate: numberIn(of), amount: numberIn(amount), cycles: Number(cycles) }), Number(price)),
      )
      .describe('Whether its discount code takes off the whole price of every billing period.'),
  },
  shown: { discount_code: PRICES },
};

/** A recurring plan that was bought with the code, and the discount on its first period in minor units. */
export interface DiscountedPlan {
  readonly customerMembership: number;
  readonly discount: number;
}
