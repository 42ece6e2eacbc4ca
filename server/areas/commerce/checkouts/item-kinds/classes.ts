/**
 * Places at events: as a drop-in, or with a membership that the customer has or buys in the same checkout. The event
 * already exists, or is created from a free time.
 */
import { bookHeld, type Place } from '../../../scheduling/schedule/index.ts';
import { dropInPayer } from '../drop-in/payer.ts';
import { eventsOf, factsOf, priceAt } from '../drop-in/price.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { isPaid, notePayment } from '../drop-in/ledger.ts';
import { SEATS } from '../reservations/seats.ts';
import { singleDates } from '../../../availability/courses/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Around, Buying, Got, ItemKind, Wanted } from './kind.ts';
import type { ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { A, a, one, say } from '../../../../kernel/base/values/words.ts';

const common: Pick<ItemKind, 'rank' | 'holds' | 'line' | 'says' | 'resolve'> = {
  rank: 3,
  holds: SEATS,
  line: () => 'event_registration',
  says: {
    properties: ['place'],
    optional: ['place'],
    read: (_work, { place }) => ({ place: (place as Place | null | undefined) ?? null }),
  },
  resolve: async (work, wanted) => ({ ...wanted, place: wanted.place ?? (await placeTaken(work, wanted)) }),
};

/**
 * Returns the kind of place that the customer holds or waits for: a request without `place` is about that one, and so
 * is its price. Null if there is none.
 */
async function placeTaken({ tx, providerId }: Work, { event_id, customer_id }: Wanted): Promise<Place | null> {
  const row = await tx.one<{ place: Place | null }>(sql`SELECT coalesce(
      (SELECT h.place FROM seat_hold h
        WHERE h.provider_id = ${providerId} AND h.event_id = ${event_id} AND h.customer_id = ${customer_id}),
      (SELECT s.place FROM waitlist_spot s WHERE s.provider_id = ${providerId} AND s.event_id = ${event_id}
        AND s.customer_id = ${customer_id} AND s.ended_at IS NULL)) AS place`);
  return row!.place;
}

const booked = async (
  work: Work,
  { item }: Buying,
  payer: { readonly subject: string; readonly id: number } | null,
): Promise<Got> => ({
  object: 'attendance',
  id: await bookHeld(work, {
    event: item.event_id!,
    customer: item.customer_id,
    place: item.place ?? 'venue',
    payer,
  }),
  name: item.description,
});

/** Refuses a second place for the same customer at an event. */
function checkOnce({ event_id, customer_id }: Wanted, { items }: Around): void {
  if (items.some((item) => item.event_id === event_id && item.customer_id === customer_id))
    throw invalid('event', {
      staff: 'A place at this event is already in the checkout for this customer.',
      customer: 'This is already in your purchase.',
    });
}

/** Refuses course sessions: they are sold as such, at the price of the course. */
async function checkIsNoSession(work: Work, event: number): Promise<void> {
  if ((await singleDates(work, [event])).size > 0)
    throw invalid('event', {
      staff: 'This is a session of a course. Add the course with CRS_DRP or CRS_MEM, or this session with CRS_DT_DRP.',
      customer: say`This is ${a.session} of ${a.course}. Buy the ${one.course}.`,
    });
}

export const DROP_IN_CLASS: ItemKind = {
  ...common,
  type: 'CLASS_DRP',
  description: 'A place at an event for its drop-in price.',
  needs: ['event'],
  independent: true,
  check: async (work, wanted, around) => {
    checkOnce(wanted, around);
    const [events, paid] = await Promise.all([
      eventsOf(work, [wanted.event_id]),
      isPaid(work, { event: wanted.event_id!, customer: wanted.customer_id }),
    ]);
    const event = events.get(wanted.event_id!)!;
    await checkIsNoSession(work, event.id);
    if (!event.allows_dropins)
      throw invalid('event', {
        staff: 'This event has no drop-ins. Add a membership that covers it, and the event with CLASS_MEM.',
        customer: say`${A.membership} is needed to book this ${one.event}.`,
      }).about(event.kind);
    if (paid)
      throw invalid('event', {
        staff:
          'The customer paid for a late cancellation, and that payment counts for this booking. Book them without a checkout.',
        customer: say`You have paid for this ${one.event} already. Book it without paying again.`,
      }).about(event.kind);
  },
  facts: async (work, items) => {
    const events = await eventsOf(
      work,
      items.map((item) => item.event_id),
    );
    return new Map(
      items.map((item) => {
        const event = events.get(item.event_id!)!;
        return [item.id, factsOf(work, event, priceAt(event, item.place))];
      }),
    );
  },
  fulfil: (work, buying) => booked(work, buying, { subject: dropInPayer.subject, id: buying.item.id }),
};

/** Returns what each use costs on top of the membership, by membership and offering type. */
export async function extraPrices(
  { tx, providerId }: Work,
  memberships: readonly number[],
): Promise<Map<string, number>> {
  const rows = await tx.rows<{ membership_id: number; offering_type_id: number; price: number }>(sql`
    SELECT membership_id, offering_type_id, on_allotment_price_minor AS price FROM membership_registration_grant
    WHERE provider_id = ${providerId} AND membership_id = ANY(${memberships}::bigint[])`);
  return new Map(rows.map((row) => [`${row.membership_id}:${row.offering_type_id}`, row.price]));
}

/**
 * Returns the product of each item's membership: that of the customer's own membership, or of the item that buys one.
 */
export async function productsOf(
  { tx, providerId }: Work,
  items: readonly ItemRow[],
  all: readonly ItemRow[],
): Promise<Map<number, number>> {
  const owned = await tx.rows<{ id: number; membership_id: number }>(
    sql`SELECT id, membership_id FROM customer_membership
      WHERE provider_id = ${providerId} AND id = ANY(${items.map((item) => item.customer_membership_id)}::bigint[])`,
  );
  return new Map(
    items.map((item) => [
      item.id,
      item.customer_membership_item_id === null
        ? owned.find(({ id }) => id === item.customer_membership_id)!.membership_id
        : all.find(({ id }) => id === item.customer_membership_item_id)!.membership_id!,
    ]),
  );
}

const BUYS_MEMBERSHIP = new Set(['MEM_DRP', 'MEM_PK', 'MEM_PP', 'MEM_RECUR', 'MEM_RECUR_UP']);

export function checkMembership(
  { customer_membership_id, customer_membership_item_id }: Wanted,
  { items }: Around,
): void {
  if ((customer_membership_id === null) === (customer_membership_item_id === null))
    throw invalid(
      'customer_membership',
      'Send either customer_membership, or customer_membership_checkout_item for a membership that is in the checkout.',
    );
  if (customer_membership_item_id === null) return;
  const buys = items.find(({ id }) => id === customer_membership_item_id);
  if (!buys || !BUYS_MEMBERSHIP.has(buys.item_type))
    throw invalid(
      'customer_membership_checkout_item',
      'Must be the id of an item of this checkout that buys a membership that can be used immediately.',
    );
}

export const MEMBERSHIP_CLASS: ItemKind = {
  ...common,
  type: 'CLASS_MEM',
  description: 'A place at an event that a membership pays for. Its price is what the membership adds for each use.',
  needs: ['event'],
  takes: ['customer_membership', 'customer_membership_checkout_item'],
  checkedByTrial: true,
  check: async (work, wanted, around) => {
    checkOnce(wanted, around);
    checkMembership(wanted, around);
    await checkIsNoSession(work, wanted.event_id!);
  },
  facts: async (work, items, { items: all }) => {
    const [events, products] = await Promise.all([
      eventsOf(
        work,
        items.map((item) => item.event_id),
      ),
      productsOf(work, items, all),
    ]);
    const prices = await extraPrices(work, [...products.values()]);
    return new Map(
      items.map((item) => {
        const event = events.get(item.event_id!)!;
        return [item.id, factsOf(work, event, prices.get(`${products.get(item.id)}:${event.offering_type_id}`) ?? 0)];
      }),
    );
  },
  fulfil: async (work, buying) => {
    const {
      id: item,
      total_minor: costs,
      customer_membership_id: has,
      customer_membership_item_id: buys,
    } = buying.item;
    const got = await booked(work, buying, {
      subject: 'customer_membership',
      id: buys === null ? has! : buying.got.get(buys)!.id,
    });
    if (costs > 0) await notePayment(work, { attendance: got.id, item });
    return got;
  },
};
