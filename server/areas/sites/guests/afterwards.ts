/** Follow-up on guests: those who bought something are offered an account, and the others are deleted. */
import { deleteCustomers, lockCustomers } from '../../people/customers/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { offerAccount } from './buy.ts';
import { whatKeeps } from '../../communication/crm/index.ts';
import type { FeedItem } from '../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const RETENTION_DAYS = 7;

/** Returns the customers who are still guests, without an account. */
async function guestsOf(work: Work, items: readonly FeedItem[]): Promise<Set<number>> {
  const ids = items.map(({ payload }) => payload.customer as number);
  const rows = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM customer WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[]) AND is_guest
      AND user_id IS NULL
          AND deleted_at IS NULL`,
  );
  return new Set(rows.map(({ id }) => id));
}

export const guestReader: FeedReader = {
  name: 'guest_purchases',
  kinds: ['checkout.completed', 'checkout.expired', 'checkout.cancelled'],
  async read(work, items) {
    const guests = await guestsOf(work, items);
    const left = new Set<number>();
    for (const { kind, payload } of items) {
      const customer = payload.customer as number;
      if (!guests.has(customer)) continue;
      if (kind === 'checkout.completed') await offerAccount(work, customer);
      else left.add(customer);
    }
    if (left.size > 0) await forget(work, [...left]);
  },
};

/** Deletes guests who bought nothing, unless they tried to pay, or staff have acted on them since. */
async function forget(work: Work, ids: readonly number[]): Promise<void> {
  const rows = await lockCustomers(work, ids, 'UPDATE');
  const kept = await whatKeeps(work, ids);
  const buying = await work.tx.rows<{ id: number }>(
    sql`SELECT DISTINCT customer_id AS id FROM checkout WHERE provider_id = ${work.providerId}
      AND customer_id = ANY(${ids}::bigint[])
          AND status IN ('open', 'pending', 'completed')`,
  );
  const stay = new Set([...kept.keys(), ...buying.map(({ id }) => id)]);
  const gone = rows.filter((row) => row.is_guest && row.deleted_at === null && !stay.has(row.id));
  if (gone.length > 0) await deleteCustomers(work, gone);
}

/** Deletes forms that nobody will send again. */
export async function forgetGuestForms(tx: Transaction, now: number): Promise<void> {
  await tx.run(sql`DELETE FROM guest_purchase WHERE created_at < ${instant(now - RETENTION_DAYS * 86_400_000)}`);
}
