/** A purchase that somebody finishes on a page: kept under the hash of a secret, over after an hour, finished once. */
import { hashOf } from '../../../people/identity/index.ts';
import { instant, sql } from '../../../../kernel/db/sql.ts';
import { lockEvent } from '../../../scheduling/schedule/index.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import type { Ask } from '../../../../kernel/api/calls.ts';
import type { Transaction } from '../../../../kernel/db/database.ts';
import type { WireMoney } from '../../../../kernel/values/money.ts';
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

/**
 * Nobody else finishes it until the transaction ends. Null: unknown, or over. One that is finished is found until its time
 * is over: a form that was sent twice is done.
 */
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
  { tx, providerId, now }: Pick<Work, 'tx' | 'providerId' | 'now'>,
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

/** What is bought, and what it costs. Amounts are minor units of the business's currency, dates its days. */
export interface Bought {
  readonly customerMembership: number;
  readonly name: string;
  readonly description: string;
  /** first name of the customer */
  readonly firstName: string;
  /** for all of it, or for each billing period */
  readonly price: number;
  /** null: it is no recurring plan */
  readonly period: { readonly length: number; readonly unit: 'months' | 'weeks' } | null;
  /** once; null: there is none */
  readonly joiningFee: number | null;
  /** to be paid to begin */
  readonly due: number;
  readonly start: string | null;
  readonly end: string | null;
  /** booked with it; null: none is */
  readonly event: { readonly name: string; readonly startsAt: number; readonly zone: string } | null;
  readonly terms: Terms | null;
}

/** What somebody agrees to who buys it now. */
export interface Terms {
  readonly id: number;
  readonly version: number;
  readonly text: string;
}

/** The same, for whoever undoes it all. */
export const trying =
  (ask: Ask): Ask =>
  (operation, asked) =>
    ask(operation, { ...asked, trial: true });

const HELD = [
  'id,billed_price,start_date,expiration_date,membership.name,membership.description,customer.first_name',
  'payment_plan.id,payment_plan.billing_period_length,payment_plan.billing_period_unit,payment_plan.joining_fee.amount',
].join();

/**
 * Buys it, and books the event, through the operations of the interface. Whoever shows what would be bought does the
 * same, and keeps nothing of it.
 * @throws Problem where it cannot be had, or the event cannot be booked
 */
export async function buy(
  { ask, ...where }: { ask: Ask } & Pick<Work, 'tx' | 'providerId'> & { currency: string },
  { membership, plan, customer, event }: Pick<Purchase, 'membership' | 'plan' | 'customer' | 'event'>,
): Promise<Bought> {
  // The law of locks has events before customers.
  if (event !== null) await lockEvent(where, event);
  const held = await ask('POST /customer_memberships', {
    query: { fields: HELD, expand: 'membership,customer,payment_plan' },
    body: { membership, customer, plan },
  });
  if (event !== null)
    await ask('POST /events/{id}/register', {
      params: { id: event },
      body: { customer, customer_membership: held.id },
    });
  const minor = ({ string }: WireMoney): number => minorOf('billed_price', string, where.currency);
  const { payment_plan: paid } = held;
  const [price, joiningFee] = [minor(held.billed_price), paid?.joining_fee ? minor(paid.joining_fee.amount) : null];
  return {
    customerMembership: held.id,
    name: held.membership.name,
    description: held.membership.description,
    firstName: held.customer.first_name,
    price,
    period: paid && { length: paid.billing_period_length, unit: paid.billing_period_unit },
    joiningFee,
    due: price + (joiningFee ?? 0),
    start: held.start_date,
    end: held.expiration_date,
    event: event === null ? null : await shownEvent(ask, event),
    terms: await termsOf(ask, membership, paid?.id ?? null),
  };
}

async function shownEvent(ask: Ask, id: number): Promise<Bought['event']> {
  const { name, starts_at, timezone } = await ask('GET /events/{id}', {
    params: { id },
    query: { fields: 'name,starts_at,timezone' },
  });
  return { name, startsAt: Date.parse(starts_at), zone: timezone };
}

/** Those of the plan, where it has any, else those of all of the membership; null: nothing was written. */
async function termsOf(ask: Ask, membership: number, plan: number | null): Promise<Terms | null> {
  const { results } = await ask('GET /membership_terms', {
    query: { membership, fields: 'id,version,base_terms,plan' },
  });
  const written: any[] = results.filter((one: any) => one.version > 0);
  const found = written.find((one) => plan !== null && one.plan === plan) ?? written.find((one) => one.plan === null);
  return found ? { id: found.id, version: found.version, text: found.base_terms } : null;
}

/** Agrees to what was shown; what was written since then is refused. */
export const agree = (ask: Ask, { customer }: Pick<Purchase, 'customer'>, { id, version }: Terms): Promise<unknown> =>
  ask('POST /membership_terms/{id}/consent', { params: { id }, body: { version, customer, how: 'online' } });
