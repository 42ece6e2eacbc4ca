/** What a drop-in to an event costs, as SQL: written once, for bookings, explanations and checkouts. */
import { FeeBook, feesOf, priceLines, type FeeRow } from '../../../pricing/fees/index.ts';
import { chooseDropIn, type Choice, type DropInPrice } from './rules/drop-in.ts';
import { raw, sql, type Sql } from '../../../../kernel/db/sql.ts';
import type { Asked } from '../../../scheduling/schedule/index.ts';

/** What is known of one customer for one event. */
export interface DropInFacts {
  /** null: a drop-in is free, or not allowed */
  readonly price: DropInPrice | null;
  /** the booking was paid for, and the price was not given back: it pays for booking again */
  readonly paid: boolean;
}

/**
 * One jsonb of what is known of customer `c` for an event; read it with `dropInFactsOf`. Most of it is asked only where a
 * drop-in costs something: a free booking must not be slower for it.
 */
export const dropInColumn = (c: string, eventId: Sql): Sql => sql`(
  SELECT CASE WHEN o.dropin_price_minor = 0 THEN '{}'::jsonb ELSE jsonb_build_object(
      'allowed', o.allows_dropins, 'listPrice', o.dropin_price_minor, 'venue', e.venue_id,
      'currency', (SELECT p.currency FROM provider p WHERE p.provider_id = e.provider_id),
      'fees', (SELECT jsonb_agg(to_jsonb(f)) FROM (${feesOf(raw('e.provider_id'))}) f),
      'paid', EXISTS (SELECT FROM attendance a JOIN booking_payment d ON d.provider_id = a.provider_id AND d.attendance_id = a.id AND d.given_back IS NULL
        WHERE a.provider_id = e.provider_id AND a.event_id = e.id AND a.customer_id = ${raw(c)}.id)) END
  FROM event e JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
  WHERE e.provider_id = ${raw(c)}.provider_id AND e.id = ${eventId})`;

interface Stored {
  readonly allowed: boolean;
  readonly listPrice: number;
  /** id */
  readonly venue: number;
  readonly currency: string;
  readonly fees: readonly FeeRow[];
  readonly paid: boolean;
}

export function dropInFactsOf(text: string): DropInFacts {
  const stored: Partial<Stored> = JSON.parse(text);
  return 'listPrice' in stored ? known(stored as Stored) : { price: null, paid: false };
}

function known({ allowed, listPrice, venue, currency, fees, paid }: Stored): DropInFacts {
  if (!allowed) return { price: null, paid };
  const { totals } = priceLines([{ listPrice, ...new FeeBook(fees).on('event', venue) }]);
  return { price: { currency, listPrice, total: totals.total }, paid };
}

export const choose = ({ price }: DropInFacts, { wanted, settled }: Asked): Choice =>
  chooseDropIn({ price, paidBy: wanted, settled });
