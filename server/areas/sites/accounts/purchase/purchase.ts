/** A purchase that somebody finishes on a page: kept under the hash of a secret, over after an hour, finished once. */
import {
  agreeToTerms,
  paymentPlanOf,
  termsFor,
  type PaymentPlan,
  type TermsShown,
} from '../../../memberships/memberships/index.ts';
import { createCustomerMembership } from '../../../memberships/customer-memberships/index.ts';
import { hashOf } from '../../../people/identity/index.ts';
import { instant, sql } from '../../../../kernel/db/sql.ts';
import { lockEvent, register } from '../../../scheduling/schedule/index.ts';
import type { Transaction } from '../../../../kernel/db/database.ts';
import type { Work } from '../../../../kernel/work.ts';

const KEPT_DAYS = 7;

export interface Purchase {
  readonly id: number;
  readonly membership: number;
  readonly plan: number | null;
  readonly customer: number;
  /** booked with it */
  readonly event: number | null;
  readonly returnTo: string;
  /** staff made the address: whoever has it may finish */
  readonly byStaff: boolean;
  /** of what was bought; null: nothing was yet */
  readonly customerMembership: number | null;
}

const COLUMNS = sql`id, membership_id AS membership, plan_id AS plan, customer_id AS customer, event_id AS event, return_to AS "returnTo", by_staff AS "byStaff",
  customer_membership_id AS "customerMembership"`;

const isOpen = (providerId: number, secret: string, now: number) =>
  sql`provider_id = ${providerId} AND secret_hash = ${hashOf(secret.slice(0, 100))} AND expires_at > ${instant(now)}`;

/** Null: unknown, or over. One that is finished is found until its time is over: a form that was sent twice is done. */
export async function readPurchase(
  tx: Transaction,
  providerId: number,
  secret: string,
  now: number,
): Promise<Purchase | null> {
  return (
    (await tx.one<Purchase>(
      sql`SELECT ${COLUMNS} FROM membership_purchase WHERE ${isOpen(providerId, secret, now)}`,
    )) ?? null
  );
}

/** The same, and nobody else finishes it until the transaction ends. */
export async function lockPurchase(
  tx: Transaction,
  providerId: number,
  secret: string,
  now: number,
): Promise<Purchase | null> {
  return (
    (await tx.one<Purchase>(
      sql`SELECT ${COLUMNS} FROM membership_purchase WHERE ${isOpen(providerId, secret, now)} FOR UPDATE`,
    )) ?? null
  );
}

export async function finishPurchase(
  { tx, providerId, now }: Work,
  { id }: Purchase,
  customerMembership: number,
): Promise<void> {
  await tx.run(sql`UPDATE membership_purchase SET finished_at = ${instant(now)}, customer_membership_id = ${customerMembership}, updated_at = ${instant(now)}
    WHERE provider_id = ${providerId} AND id = ${id}`);
}

/** Forgets those that nobody finished. */
export async function forgetPurchases(tx: Transaction, now: number): Promise<void> {
  await tx.run(
    sql`DELETE FROM membership_purchase WHERE finished_at IS NULL AND expires_at < ${instant(now - KEPT_DAYS * 86_400_000)}`,
  );
}

/** What stands on the page besides what is bought. */
export interface About {
  readonly name: string;
  readonly description: string;
  /** first name; null: the person before the page */
  readonly forWhom: string | null;
  /** null: none is booked */
  readonly event: { readonly name: string; readonly startsAt: number; readonly zone: string } | null;
}

/** What is bought, and what it costs. Amounts are minor units of the business's currency, dates its days. */
export interface Bought {
  readonly customerMembership: number;
  /** for all of it, or for each billing period */
  readonly price: number;
  readonly plan: PaymentPlan | null;
  /** to be paid to begin */
  readonly due: number;
  readonly start: string | null;
  readonly end: string | null;
  readonly terms: TermsShown | null;
}

/**
 * Buys it, and books the event. Whoever shows what would be bought does the same, and keeps nothing of it.
 * @throws Problem where it cannot be had, or the event cannot be booked
 */
export async function buy(
  work: Work,
  { membership, plan, customer, event }: Pick<Purchase, 'membership' | 'plan' | 'customer' | 'event'>,
): Promise<Bought> {
  const { tx, providerId } = work;
  // The law of locks has events before customers.
  if (event !== null) await lockEvent(work, event);
  const id = await createCustomerMembership(work, { membership, customer, plan });
  const row = (await tx.one<{ price: number; start: string | null; end: string | null; plan: number | null }>(sql`
    SELECT billed_price_minor AS price, start_date AS start, expiration_date AS "end", payment_plan_id AS plan FROM customer_membership WHERE provider_id = ${providerId} AND id = ${id}`))!;
  const paid = row.plan === null ? null : await paymentPlanOf(tx, providerId, row.plan);
  if (event !== null) {
    const item = { viewer: work.viewer, requestId: work.requestId, customer, comped: false, membership: id };
    const [booked] = await register(tx, [item], { providerId, event, now: work.now, commit: false });
    if (booked instanceof Error) throw booked;
  }
  const { price, start, end } = row;
  return {
    customerMembership: id,
    price,
    plan: paid,
    due: price + (paid?.joiningFee?.amount ?? 0),
    start,
    end,
    terms: await termsFor(tx, providerId, membership, row.plan),
  };
}

export const agreed = (work: Work, { customer }: Pick<Purchase, 'customer'>, terms: TermsShown): Promise<number> =>
  agreeToTerms(work, { terms: terms.id, version: terms.version, customer, how: 'online' });
