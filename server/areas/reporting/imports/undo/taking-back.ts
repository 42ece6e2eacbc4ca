/** Takes back what a file created, by its kind: what nothing was built on. */
import { takeBackBrought } from '../../../commerce/gift-cards/index.ts';
import { takeBackOpening } from '../../../money/account-entries/index.ts';
import { takeBackVisits } from '../../../people/past-records/index.ts';
import { takeBackStaff } from '../../../people/staff/index.ts';
import { deleteCustomers, lockCustomers } from '../../../people/customers/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { takeBackBookings, takeBackEvents } from '../../../scheduling/schedule/index.ts';
import { takeBackMoved } from '../../../memberships/customer-memberships/index.ts';
import { firstKeepers } from '../../../communication/crm/index.ts';
import type { KindName } from '../columns/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Reasons for keeping objects, by id. */
type Kept = Map<number, string>;

/** Children are deleted before the adults who manage their families, so this runs until nothing else can be deleted. */
async function takeBackCustomers(work: Work, ids: readonly number[]): Promise<Kept> {
  const rows = await lockCustomers(work, ids, 'UPDATE');
  let left = rows.filter(({ deleted_at: gone }) => gone === null);
  for (;;) {
    const kept = await keepingCustomers(
      work,
      left.map(({ id }) => id),
    );
    const gone = left.filter(({ id }) => !kept.has(id));
    if (gone.length === 0) return kept;
    await deleteCustomers(work, gone);
    left = left.filter(({ id }) => kept.has(id));
  }
}

/** Reasons of the undo by what keeps a customer; they are translated when they are read. */
const KEEPERS: Readonly<Record<string, string>> = {
  'spot on a waitlist': 'is on a waitlist',
  'seat held for a payment': 'is about to pay for a booking',
  'check-in': 'was checked in',
  membership: 'has a membership',
  'account entry': 'has charges or credits on the account',
  invoice: 'has an invoice',
  payment: 'has paid something',
  'shared membership': 'shares a membership',
  'family member to manage': 'manages a family',
};

const reasonFor = (keeper: string, count: number): string =>
  keeper === 'booking' ? (count === 1 ? 'has one booking' : `has ${count} bookings`) : (KEEPERS[keeper] ?? 'is in use');

async function keepingCustomers(work: Work, ids: readonly number[]): Promise<Kept> {
  // Memberships that were taken back keep nobody.
  const keepers = await firstKeepers(work, ids, { memberships: true, payments: false });
  const kept: Kept = new Map([...keepers].map(([id, { keeper, count }]) => [id, reasonFor(keeper, count)]));
  const more = await work.tx.rows<{ id: number; known: boolean; invited: boolean; holds: boolean }>(
    sql`SELECT c.id, c.user_id IS NOT NULL AS known,
        EXISTS (SELECT FROM customer_invitation i WHERE i.provider_id = c.provider_id AND i.customer_id = c.id)
          AS invited,
        EXISTS (SELECT FROM customer_membership m WHERE m.provider_id = c.provider_id AND m.customer_id = c.id
          AND m.cancellation_reason IS DISTINCT FROM 'mistake') AS holds
      FROM customer c WHERE c.provider_id = ${work.providerId} AND c.id = ANY(${ids}::bigint[])`,
  );
  for (const { id, known, invited, holds } of more) {
    if (kept.has(id)) continue;
    if (known) kept.set(id, 'has a log-in');
    else if (holds) kept.set(id, 'has a membership');
    else if (invited) kept.set(id, 'was invited');
  }
  return kept;
}

export const TAKE_BACK: { readonly [K in KindName]?: (work: Work, ids: readonly number[]) => Promise<Kept> } = {
  customers: takeBackCustomers,
  memberships: takeBackMoved,
  schedule: takeBackEvents,
  staff: takeBackStaff,
  bookings: takeBackBookings,
  appointments: takeBackBookings,
  balances: takeBackOpening,
  gift_cards: takeBackBrought,
  visits: takeBackVisits,
};
