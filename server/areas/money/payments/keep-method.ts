/** Payment methods that customers save for later use. */
import { at, type PaymentRow } from './rows.ts';
import { cleanName } from '../../../kernel/base/values/person-name.ts';
import { insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { paymentMethodFeed } from './feed.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { SavedMethod } from './processor.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const cut = (text: string | null | undefined, most: number): string | null => text?.trim().slice(0, most) || null;

/**
 * Saves the method for the customer who paid, unless it is already saved. Returns its id, or null if it belongs to
 * another customer.
 */
export async function keepMethod(
  work: Work,
  payment: Pick<PaymentRow, 'customer_id' | 'payment_processor_id'>,
  method: SavedMethod,
): Promise<number | null> {
  const { customer_id, payment_processor_id } = payment;
  const known = await work.tx.one<{ id: number; customer_id: number }>(
    sql`SELECT id, customer_id FROM payment_method WHERE provider_id = ${work.providerId}
          AND payment_processor_id = ${payment_processor_id} AND token = ${method.token} AND removed_at IS NULL`,
  );
  if (known) return known.customer_id === customer_id ? known.id : null;
  const id = await insertRow(work, 'payment_method', {
    customer_id,
    payment_processor_id,
    type: method.type,
    token: method.token,
    owner_token: method.ownerToken ?? null,
    brand: cut(method.brand, 100),
    // The processor takes whatever somebody wrote on its page.
    holder: cleanName(method.holder?.trim() ?? '', 200) || null,
    last_four: cut(method.lastFour, 8),
    expiration_month: method.expirationMonth ?? null,
    expiration_year: method.expirationYear ?? null,
    bank_name: cut(method.bankName, 200),
    email: cut(method.email, 254),
  });
  work.record(paymentMethodFeed.created, id, { payment_method: id, customer: customer_id });
  return id;
}

/**
 * Marks the method as removed: it can't be used from now on, and the worker notifies the processor. The caller holds
 * the row's lock.
 */
export async function removeMethod(work: Work, id: number, customer: number): Promise<void> {
  await updateRow(work, 'payment_method', id, { removed_at: at(work), next_at: at(work), attempts: 0 });
  work.record(paymentMethodFeed.deleted, id, { payment_method: id, customer });
}
