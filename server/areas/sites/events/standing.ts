/**
 * The standing of people at events: a booking, a spot on the waitlist, a spot that is theirs to claim, or one that is
 * held while they pay. One statement for any number of events and people.
 */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Person } from '../frame/index.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** A person's standing at an event. Times are in epoch milliseconds. */
export type Standing =
  | { readonly kind: 'booked' }
  /** `position`: starting at 1 */
  | { readonly kind: 'waiting'; readonly position: number }
  | { readonly kind: 'kept'; readonly until: number }
  /** `checkout`: the one that pays for it; null while its payment is running */
  | { readonly kind: 'held'; readonly until: number; readonly checkout: number | null };

export type StandingOf = Standing & {
  readonly event: number;
  readonly customer: number;
  /** null: the person who reads the page */
  readonly name: string | null;
};

interface Row {
  readonly kind: Standing['kind'];
  readonly event: number;
  readonly customer: number;
  readonly position: number | null;
  /** in epoch milliseconds */
  readonly until: number | null;
  readonly checkout: number | null;
}

/** The most important state comes first: a held seat hides the waitlist spot that it came from. */
const ORDER: readonly Standing['kind'][] = ['booked', 'held', 'kept', 'waiting'];

/** Returns the standings of the people, of each the one that counts most at each event. */
export async function standingsOf(
  tx: Transaction,
  providerId: number,
  { people, events, now }: { readonly people: readonly Person[]; readonly events: readonly number[]; now: number },
): Promise<readonly StandingOf[]> {
  if (people.length === 0 || events.length === 0) return [];
  const [who, which, at] = [people.map(({ id }) => id), [...events], instant(now)];
  const rows = await tx.rows<Row>(sql`
    SELECT 'booked' AS kind, a.event_id AS event, a.customer_id AS customer, NULL::integer AS position,
      NULL::bigint AS until, NULL::bigint AS checkout
    FROM attendance a WHERE a.provider_id = ${providerId} AND a.customer_id = ANY(${who}::bigint[])
      AND a.event_id = ANY(${which}::bigint[]) AND a.status = 'registered'
    UNION ALL
    SELECT CASE s.status WHEN 'spot_reserved' THEN 'kept' ELSE 'waiting' END, s.event_id, s.customer_id,
      (SELECT 1 + count(*) FROM waitlist_spot w WHERE w.provider_id = s.provider_id AND w.event_id = s.event_id
        AND w.ended_at IS NULL AND w.status = 'on_waitlist' AND w.place = s.place AND w.id < s.id)::integer,
      (extract(epoch FROM s.reserved_spot_expires_at) * 1000)::bigint, NULL
    FROM waitlist_spot s WHERE s.provider_id = ${providerId} AND s.customer_id = ANY(${who}::bigint[])
      AND s.event_id = ANY(${which}::bigint[]) AND s.ended_at IS NULL
      AND (s.status <> 'spot_reserved' OR s.reserved_spot_expires_at > ${at}::timestamptz)
    UNION ALL
    SELECT 'held', h.event_id, h.customer_id, NULL, (extract(epoch FROM h.expires_at) * 1000)::bigint,
      CASE WHEN NOT h.paying THEN i.checkout_id END
    FROM seat_hold h JOIN checkout_item i ON i.provider_id = h.provider_id AND i.id = h.held_for_id
    WHERE h.provider_id = ${providerId} AND h.customer_id = ANY(${who}::bigint[])
      AND h.event_id = ANY(${which}::bigint[]) AND h.held_for = 'checkout_item'
      AND h.expires_at > ${at}::timestamptz`);
  const first = new Map<string, Row>();
  for (const row of rows.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))) {
    const key = `${row.event} ${row.customer}`;
    if (!first.has(key)) first.set(key, row);
  }
  const order = (customer: number) => who.indexOf(customer);
  return [...first.values()]
    .toSorted((a, b) => order(a.customer) - order(b.customer))
    .map((row) => ({ ...standingIn(row), ...of(row, people) }));
}

const of = ({ event, customer }: Row, people: readonly Person[]) => ({
  event,
  customer,
  name: people.find(({ id }) => id === customer)!.name,
});

function standingIn({ kind, position, until, checkout }: Row): Standing {
  if (kind === 'booked') return { kind };
  if (kind === 'waiting') return { kind, position: position! };
  return kind === 'kept' ? { kind, until: until! } : { kind, until: until!, checkout };
}
