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
import type { Status } from './statuses.ts';
import type { Reads } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Amounts are minor units, times epoch milliseconds. */
export interface CheckoutRow extends Record<string, unknown> {
  readonly id: number;
  readonly customer_id: number;
  readonly status: Status;
  readonly discount_code: string | null;
  readonly discount_code_id: number | null;
  readonly discount_minor: number;
  readonly use_account_credit: boolean;
  /** a sale at the desk: nothing is delivered */
  readonly taken_along: boolean;
  readonly return_to: string | null;
  /** true if anyone who has the address of its page may pay it */
  readonly address_suffices: boolean;
  readonly total_minor: number;
  readonly credit_minor: number;
  readonly payment_id: number | null;
  readonly invoice_id: number | null;
  readonly ending: 'expired' | 'cancelled' | null;
  readonly expires_at: number;
  readonly created_at: number;
}

/** Columns that an item of each type has in addition to the common ones. */
export interface ItemColumns {
  readonly membership_id: number | null;
  readonly payment_plan_id: number | null;
  readonly joining_fee_id: number | null;
  /** id of an event, or of a single session of a course */
  readonly event_id: number | null;
  /** the free time from which the event was created */
  readonly slot: string | null;
  readonly course_date_series_id: number | null;
  readonly customer_membership_id: number | null;
  readonly customer_membership_item_id: number | null;
  readonly account_entry_id: number | null;
  readonly store_product_variant_id: number | null;
  readonly store_order_item_id: number | null;
  /** for a quick item: its name, its unit price, and what determines its fees and taxes */
  readonly quick_name: string | null;
  readonly quick_amount_minor: number | null;
  readonly quick_purchase_type: PurchaseType | null;
  readonly quick_venue_id: number | null;
  /** for a gift card: its recipient, its delivery date (YYYY-MM-DD; null: as soon as it is paid), and its value */
  readonly gift_recipient_id: number | null;
  readonly gift_email: string | null;
  readonly gift_name: string | null;
  readonly gift_deliver_on: string | null;
  readonly gift_amount_minor: number | null;
  readonly gift_image_id: number | null;
}

export interface ItemRow extends ItemColumns, Record<string, unknown> {
  readonly id: number;
  readonly checkout_id: number;
  readonly item_type: ItemType;
  /** the person it is for */
  readonly customer_id: number;
  readonly quantity: number;
  readonly description: string;
  readonly unit_price_minor: number | null;
  readonly recurring_price_minor: number | null;
  readonly standard_unit_price_minor: number;
  readonly standard_recurring_price_minor: number | null;
  readonly price: Price;
  readonly total_minor: number;
  readonly credit_minor: number;
  readonly with_item_id: number | null;
}

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
export const dueOf = ({ total_minor, credit_minor }: Pick<CheckoutRow, 'total_minor' | 'credit_minor'>): number =>
  total_minor - credit_minor;

export const said = (work: Pick<Work, 'tenant'>, minor: number): string =>
  amountText({ minor, currency: work.tenant.currency });

function raise(error: Error): never {
  throw error;
}
