/** Another membership that takes the place of one that somebody holds. */
import { customerMembershipShared } from '../sharing/feed.ts';
import { createCustomerMembership } from '../writes.ts';
import { invalid } from '../../../../kernel/api/problem.ts';
import { membershipOf } from '../../memberships/index.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import { moneyText, ref } from '../../../../kernel/api/kinds.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import type { Held, Known } from './held.ts';
import type { Work } from '../../../../kernel/work.ts';

export interface Wanted {
  readonly membership: number;
  /** of a recurring plan; null: its only one for sale */
  readonly plan: number | null;
  /** minor units; undefined: as it is sold */
  readonly price: number | undefined;
}

export const wantedBody = {
  membership: ref('membership'),
  plan: ref('membership_payment_plan')
    .nullable()
    .optional()
    .describe('For recurring plans. Can be left out if only one plan is for sale.'),
  price: moneyText().optional().describe('If left out, the price at which it is sold.'),
};

export const wantedOf = (work: Work, body: { membership: number; plan?: number | null; price?: string }): Wanted => ({
  membership: body.membership,
  plan: body.plan ?? null,
  price: body.price === undefined ? undefined : minorOf('price', body.price, work.tenant.currency),
});

/** Refuses what would change nothing. */
export function checkIsOther({ membership_id, payment_plan_id }: Held, { membership, plan }: Wanted): void {
  if (membership_id === membership && (plan === null || plan === payment_plan_id))
    throw invalid('membership', 'The customer already has this membership. Choose another one, or another plan of it.');
}

/**
 * Both products by their ids, after what customers hold of them: the number of their members is kept in them, and two
 * who change places would wait for each other.
 */
export async function lockProducts(work: Work, ids: readonly number[]): Promise<void> {
  await work.tx.run(
    sql`SELECT id FROM membership WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  );
}

/**
 * Gives the same customer the other membership, from that day on or later where it says so, shared with the same.
 * Returns its id.
 */
export async function giveSuccessor(
  work: Work,
  { row }: Known,
  { membership, plan, price }: Wanted,
  from: string,
): Promise<number> {
  const product = await membershipOf(work.tx, work.providerId, membership);
  const begins = product?.startDate ?? null;
  const startDate = begins !== null && begins > from ? begins : from;
  const id = await createCustomerMembership(work, { membership, plan, price, customer: row.customer_id, startDate });
  if (product!.shareable) await shareWithSame(work, row, id);
  return id;
}

/** By name, and with the family where that was so; what a purchase shares by itself stays. */
async function shareWithSame(work: Work, { id: from, customer_id: customer }: Held, to: number): Promise<void> {
  const { tx, providerId } = work;
  const [rows, family] = await tx.all([
    sql`INSERT INTO customer_membership_share (provider_id, customer_membership_id, customer_id)
        SELECT provider_id, ${to}, customer_id FROM customer_membership_share WHERE provider_id = ${providerId} AND customer_membership_id = ${from} ORDER BY customer_id RETURNING customer_id AS id`,
    sql`UPDATE customer_membership n SET shared_with_family = true FROM customer_membership o
        WHERE n.provider_id = ${providerId} AND n.id = ${to} AND o.provider_id = ${providerId} AND o.id = ${from} AND o.shared_with_family AND NOT n.shared_with_family RETURNING n.id`,
  ]);
  const customers = rows.map((one) => one.id as number);
  if (customers.length === 0 && family.length === 0) return;
  work.touchLinks('customer_membership', to, { name: 'shared_with', before: [], after: customers });
  work.record(customerMembershipShared, to, {
    customer_membership: to,
    customer,
    customers,
    family: family.length > 0,
  });
  for (const one of customers) work.effect('shared', 'customermembership', to, { customer: one });
  if (family.length > 0) work.effect('shared_with_family', 'customermembership', to);
}
