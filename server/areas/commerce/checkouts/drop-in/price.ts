/** Prices of single places at events and at sessions of courses, shared by checkouts and charges to accounts. */
import { singleDates, type Series, type SingleDate } from '../../../availability/courses/index.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { EventKind } from '../../../../kernel/base/values/words.ts';
import type { LineType } from '../../../money/ledger/index.ts';
import type { Place } from '../../../scheduling/schedule/index.ts';
import type { PriceFacts } from '../item-kinds/kind.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface EventRow {
  readonly id: number;
  readonly name: string;
  readonly starts_at: number;
  readonly timezone: string;
  readonly venue_id: number;
  readonly offering_type_id: number;
  readonly dropin_price_minor: number;
  readonly online_dropin_price_minor: number | null;
  readonly allows_dropins: boolean;
  readonly kind: EventKind;
}

export async function eventsOf(
  { tx, providerId }: Work,
  ids: readonly (number | null)[],
): Promise<Map<number, EventRow>> {
  const rows = await tx.rows<EventRow>(sql`
    SELECT e.id, e.name, e.starts_at, e.timezone, e.venue_id, e.offering_type_id, o.dropin_price_minor,
      o.online_dropin_price_minor, o.allows_dropins, o.schedule_type AS kind
    FROM event e JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
    WHERE e.provider_id = ${providerId} AND e.id = ANY(${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the list price of a place of this kind, in minor units; null stands for one at the venue. */
export const priceAt = (event: EventRow, place: Place | null): number =>
  place === 'online' && event.online_dropin_price_minor !== null
    ? event.online_dropin_price_minor
    : event.dropin_price_minor;

/** Returns, for example, `Rowing on 31 January 2026`, in the language of the business. */
const nameOf = (work: Work, name: string, startsAt: number, zone: string): string => {
  const { say, day } = storedTexts(work);
  return say('event', { name, day: day(wallAt(startsAt, zone).date) });
};

export const factsOf = (work: Work, event: EventRow, unitPrice: number): PriceFacts => ({
  description: nameOf(work, event.name, event.starts_at, event.timezone),
  unitPrice,
  recurringPrice: null,
  taxed: { type: 'event', venue: event.venue_id },
  discounted: { type: 'event', objects: { event: event.id, offeringType: event.offering_type_id } },
  credit: 0,
});

export const factsOfSeries = (series: Series, description: string, unitPrice: number): PriceFacts => ({
  description,
  unitPrice,
  recurringPrice: null,
  taxed: { type: 'course', venue: series.venue },
  discounted: { type: 'course', objects: { course: series.course, offeringType: series.offeringType } },
  credit: 0,
});

export const factsOfSession = (work: Work, { series, price, startsAt, zone }: SingleDate): PriceFacts =>
  factsOfSeries(series, nameOf(work, series.courseName, startsAt, zone), price ?? 0);

interface SinglePlace {
  readonly price: PriceFacts;
  /** type of its invoice line */
  readonly line: LineType;
  /** day of the event in the time zone of its venue, YYYY-MM-DD */
  readonly day: string;
}

/** Returns the current price of a place of this kind at an event. */
export async function singlePlace(work: Work, event: number, place: Place): Promise<SinglePlace> {
  const [events, sessions] = await Promise.all([eventsOf(work, [event]), singleDates(work, [event])]);
  const session = sessions.get(event);
  const found = events.get(event)!;
  const day = wallAt(found.starts_at, found.timezone).date;
  return session
    ? { price: factsOfSession(work, session), line: 'course_session', day }
    : { price: factsOf(work, found, priceAt(found, place)), line: 'event_registration', day };
}
