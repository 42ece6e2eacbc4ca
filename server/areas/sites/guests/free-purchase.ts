/**
 * Purchases without an account that cost nothing, for example with a discount code: nobody has paid, so their places
 * are only reserved until the guest confirms the email address, like those of a free booking.
 */
import { actingAs, askAs, type At, type Desk } from '../frame/index.ts';
import { checkMailPath } from './mail.ts';
import { keepOpen } from '../../commerce/checkouts/index.ts';
import { keepGuestBooking, settle, type GuestBooking } from './booking.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { withWork } from './buy.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Purchase {
  readonly customer: number;
  readonly email: string;
  readonly name: string;
  readonly return_to: string | null;
  /** id of the booking that waits for the email already; null: none does */
  readonly waiting: number | null;
}

/** Returns the purchase if a guest began it and it reserves places; undefined if it can be completed immediately. */
const purchaseOf = ({ tx, providerId }: Work, checkout: number): Promise<Purchase | undefined> =>
  tx.one<Purchase>(sql`
    SELECT c.id AS customer, c.email, k.return_to, b.id AS waiting,
      (SELECT string_agg(i.description, ', ' ORDER BY i.id) FROM checkout_item i
        WHERE i.provider_id = k.provider_id AND i.checkout_id = k.id) AS name
    FROM checkout k JOIN customer c ON c.provider_id = k.provider_id AND c.id = k.customer_id
      LEFT JOIN guest_booking b ON b.provider_id = k.provider_id AND b.checkout_id = k.id
    WHERE k.provider_id = ${providerId} AND k.id = ${checkout}
      AND c.is_guest AND c.user_id IS NULL AND c.deleted_at IS NULL AND c.email IS NOT NULL
      AND EXISTS (SELECT FROM guest_purchase g WHERE g.provider_id = k.provider_id AND g.checkout_id = k.id)
      AND EXISTS (SELECT FROM checkout_item i WHERE i.provider_id = k.provider_id AND i.checkout_id = k.id
        AND num_nonnulls(i.event_id, i.course_date_series_id) > 0)`);

/**
 * Reserves the places of a checkout that costs nothing until the guest confirms the address. Returns the path of the
 * page that says so; null if it is not the purchase of a guest, or reserves no places.
 */
export async function confirmFirst(desk: Desk, visit: At, checkout: number): Promise<string | null> {
  const { site, browser } = visit;
  const booking = await desk.door.db.transaction(site.id, (tx) =>
    withWork(desk, visit, tx, async (work) => {
      // Two forms that are sent at the same time wait for its lock, and the second one finds the booking of the first.
      if (!(await keepOpen(work, checkout, work.now))) return null;
      const purchase = await purchaseOf(work, checkout);
      if (!purchase) return null;
      const { customer, email, name, return_to: from, waiting } = purchase;
      if (waiting !== null) return waiting;
      const page = from === null ? site.home : pathOf(from);
      return keepGuestBooking(work, { customer, email, booked: { checkout }, name, page, browser, confirmed: false });
    }),
  );
  return booking === null ? null : checkMailPath(site, booking);
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://page.example');
  return `${pathname}${search}`;
}

/** Completes the checkout, whose address was confirmed. @throws Problem the refusal */
export async function complete(
  desk: Desk,
  visit: At,
  tx: Transaction,
  { booking, checkout }: { readonly booking: GuestBooking; readonly checkout: number },
): Promise<void> {
  const { site } = visit;
  const ask = askAs(desk, visit, await actingAs(site.id, booking.customer_id, `checkout:${checkout}`), tx);
  const { status } = await ask('POST /checkouts/{id}/pay', {
    params: { id: checkout },
    query: { fields: 'status' },
    body: { total: formatDecimal({ minor: 0, currency: site.tenant.currency }) },
  });
  if (status !== 'completed') throw new Problem('conflict', 'This purchase can no longer be completed.');
  await withWork(desk, visit, tx, (work) => settle(work, booking));
}
