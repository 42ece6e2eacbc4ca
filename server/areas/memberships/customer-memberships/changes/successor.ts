/** The successor: another membership that replaces a customer membership. */
import { changeSharing } from '../sharing/change-sharing.ts';
import { createCustomerMembership } from '../writes.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { membershipOf } from '../../memberships/index.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import { moneyText, ref } from '../../../../kernel/base/fields/kinds.ts';
import { lockOwned, type Locked, type Owned } from '../owned.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Wanted {
  readonly membership: number;
  /** payment plan of a recurring plan; null for the only one on sale */
  readonly plan: number | null;
  /** minor units; undefined for its sale price */
  readonly price: number | undefined;
  /** true if nothing is paid now: its first billing period is due when it begins */
  readonly firstPeriodDue?: boolean;
}

export const wantedBody = {
  membership: ref('membership'),
  plan: ref('membership_payment_plan')
    .nullable()
    .optional()
    .describe('For recurring plans. Can be left out if only one plan is for sale.'),
  price: moneyText().optional().describe('If left out, the price at which it is sold.'),
};

export const readWanted = (work: Work, body: { membership: number; plan?: number | null; price?: string }): Wanted => ({
  membership: body.membership,
  plan: body.plan ?? null,
  price: body.price === undefined ? undefined : minorOf('price', body.price, work.tenant.currency),
});

/** Refuses a change to the same membership and plan. */
export function checkIsOther({ membership_id, payment_plan_id }: Owned, { membership, plan }: Wanted): void {
  if (membership_id === membership && (plan === null || plan === payment_plan_id))
    throw invalid('membership', 'The customer already has this membership. Choose another one, or another plan of it.');
}

/**
 * Gives the same customer the other membership, from that day or from its own later start, shared with the same people.
 * Returns its id.
 */
export async function giveSuccessor(
  work: Work,
  old: Owned,
  { membership, plan, price, firstPeriodDue }: Wanted,
  from: string,
): Promise<number> {
  const product = await membershipOf(work.tx, work.providerId, membership);
  const begins = product?.startDate ?? null;
  const startDate = begins !== null && begins > from ? begins : from;
  const id = await createCustomerMembership(work, {
    membership,
    plan,
    price,
    firstPeriodDue,
    customer: old.customer_id,
    startDate,
  });
  if (product!.shareable) await shareWithSame(work, old, await lockOwned(work, id));
  return id;
}

/** Shares it with the same people, and with the family if the old one was; automatic sharing of the purchase stays. */
const shareWithSame = (work: Work, old: Owned, successor: Locked): Promise<void> =>
  changeSharing(work, successor, {
    people: old.sharedWith,
    family: successor.shared_with_family || old.shared_with_family,
  });
