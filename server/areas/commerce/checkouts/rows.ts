/**
 * Checkouts and their items as they are stored, and their lock. Everything about a checkout happens under that lock.
 */
import { amountText } from '../../../kernel/base/values/money.ts';
import { expired, notOpen } from './problems.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { ItemType } from './item-kinds/types.ts';
import type { Price, PurchaseType } from '../../pricing/fees/index.ts';
import type { Reads } from '../../../kernel/base/db/database.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Amounts are minor units, times epoch milliseconds. */
export type CheckoutRow = Row<'checkout'>;

export type ItemRow = Row<
  'checkout_item',
  { readonly item_type: ItemType; readonly price: Price; readonly quick_purchase_type: PurchaseType | null }
>;

/** Columns that an item of each type has in addition to the common ones. */
export type ItemColumns = Pick<
  ItemRow,
  | Extract<keyof ItemRow, `quick_${string}` | `gift_${string}`>
  | 'membership_id'
  | 'payment_plan_id'
  | 'joining_fee_id'
  | 'event_id'
  | 'slot'
  | 'place'
  | 'course_date_series_id'
  | 'customer_membership_id'
  | 'customer_membership_item_id'
  | 'account_entry_id'
  | 'store_product_variant_id'
  | 'store_order_item_id'
>;

type At = Pick<Work, 'tx' | 'providerId'>;

export const readCheckout = async (work: { tx: Reads; providerId: number }, id: number): Promise<CheckoutRow> =>
  (await work.tx.one<CheckoutRow>(sql`SELECT * FROM checkout WHERE provider_id = ${work.providerId} AND id = ${id}`)) ??
  raise(notFound());

/** Returns what the pipeline has read and locked for the path of a request. */
export const checkoutOfPath = (target: Readonly<Record<string, any>>): CheckoutRow => target as CheckoutRow;

/**
 * Locks a checkout. This is the first of all locks: events, customers and what they own, payments, codes and accounts
 * follow.
 */
export async function lockCheckout(work: Work, id: number): Promise<CheckoutRow> {
  const [row] = await lockRows<CheckoutRow>(work, 'checkout', [id]);
  if (!row) throw notFound();
  work.touch('checkout', id, row);
  return row;
}

/** Locks all checkouts that a customer buys with or is bought for, by id, before they get another customer. */
export async function lockCustomerCheckouts({ tx, providerId }: Work, customer: number): Promise<void> {
  await tx.run(sql`
    SELECT FROM checkout WHERE provider_id = ${providerId} AND id IN (
      SELECT id FROM checkout WHERE provider_id = ${providerId} AND customer_id = ${customer}
      UNION ALL SELECT checkout_id FROM checkout_item WHERE provider_id = ${providerId}
        AND (customer_id = ${customer} OR gift_recipient_id = ${customer}))
    ORDER BY id FOR NO KEY UPDATE`);
}

/** Returns the items in the order in which they were added. */
export const itemsOf = (work: At, checkout: number): Promise<ItemRow[]> =>
  work.tx.rows<ItemRow>(
    sql`SELECT * FROM checkout_item WHERE provider_id = ${work.providerId} AND checkout_id = ${checkout} ORDER BY id`,
  );

/** Refuses a checkout that is not open, or that the next sweep will expire. */
export function checkOpen({ status, expires_at }: Pick<CheckoutRow, 'status' | 'expires_at'>, now: number): void {
  if (status !== 'open') throw notOpen(status);
  if (expires_at <= now) throw expired();
}

/** Returns the amount left to pay after credit. */
export const amountDue = ({ total_minor, credit_minor }: Pick<CheckoutRow, 'total_minor' | 'credit_minor'>): number =>
  total_minor - credit_minor;

export const said = (work: Pick<Work, 'tenant'>, minor: number): string =>
  amountText({ minor, currency: work.tenant.currency });

function raise(error: Error): never {
  throw error;
}
