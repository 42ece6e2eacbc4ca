/** Notices about an event, with all values that their templates may use. */
import { calendarPart } from './calendar.ts';
import { dayIn, shortMomentIn, timesIn, zoneIn } from '../../../kernel/base/languages/times.ts';
import { eventPath, passesPath } from '../../scheduling/schedule/index.ts';
import { addressLine, mapOf } from '../../places/venues/index.ts';
import { saying } from './messages.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { ticketOf } from './ticket.ts';
import { takesPasses } from '../../../kernel/base/passes/index.ts';
import type { Reader as Reading } from '../../../kernel/base/languages/languages.ts';
import type { EventFacts } from './event-facts.ts';
import type { Notice, NoticeType, NoticeValues } from '../../../kernel/work/unit/notices.ts';
import type { PersonalNotice, Reader } from './write.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export async function readEvents(work: Work, ids: readonly number[]): Promise<Map<number, EventFacts>> {
  const rows = await work.tx.rows<EventFacts>(sql`
    SELECT e.id, e.name, e.offering_type_id AS offering_type, o.schedule_type AS kind, e.status, e.timezone,
      e.starts_at, e.ends_at, e.cancelled_at,
      e.reopened_at, v.name AS venue, v.physical_address AS address, v.venue_type = 'online' AS online,
      (SELECT string_agg(i.name, ', ' ORDER BY lower(i.name), i.id) FROM event_instructor ei
        JOIN instructor i ON i.provider_id = ei.provider_id AND i.id = ei.instructor_id
        WHERE ei.provider_id = e.provider_id AND ei.event_id = e.id) AS instructors, b.name AS business, b.contact_email
    FROM event e JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
    JOIN venue v ON v.provider_id = e.provider_id AND v.id = e.venue_id JOIN provider b ON b.provider_id = e.provider_id
    WHERE e.provider_id = ${work.providerId} AND e.id = ANY(${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the names of the online venues of people who take part online in an event that has a venue too, by entry. */
async function readOnline(work: Work, of: readonly Pick<About, 'event' | 'customer'>[]): Promise<Map<string, string>> {
  const rows = await work.tx.rows<{ event: number; customer: number; name: string }>(sql`
    SELECT a.event_id AS event, a.customer_id AS customer, v.name
    FROM unnest(${of.map((o) => o.event)}::bigint[], ${of.map((o) => o.customer)}::bigint[]) AS o (event, customer)
    JOIN attendance a ON a.provider_id = ${work.providerId} AND a.event_id = o.event AND a.customer_id = o.customer
      AND a.place = 'online'
    JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
    JOIN venue v ON v.provider_id = e.provider_id AND v.id = e.online_venue_id`);
  return new Map(rows.map(({ name, ...entry }) => [entryOf(entry), name]));
}

export async function readParticipants(
  work: Work,
  ids: readonly number[],
): Promise<Map<number, { first: string; whole: string }>> {
  const rows = await work.tx.rows<{ id: number; first_name: string | null; last_name: string | null }>(
    sql`SELECT id, first_name, last_name FROM customer
      WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`,
  );
  return new Map(
    rows.map((r) => [
      r.id,
      { first: r.first_name ?? '', whole: [r.first_name, r.last_name].filter(Boolean).join(' ') },
    ]),
  );
}

/** Returns the times as pages write them, with their zone if it is not that of the business. */
function timeText({ tenant }: Work, { locale }: Reading, { starts_at, ends_at, timezone }: EventFacts): string {
  const times = timesIn(locale, starts_at, ends_at, timezone);
  return timezone === tenant.zone ? times : `${times} (${zoneIn(locale, starts_at, timezone)})`;
}

const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const pointOf = (address: EventFacts['address']) => ({ lat: numberIn(address?.lat), lng: numberIn(address?.lng) });

/** Returns the address of its page, on which it can also be booked, accepted and cancelled. */
export const eventUrl = (work: Work, event: number): string =>
  `${work.installation.baseUrl}${eventPath(work.providerId, event)}`;

/** Returns the address of the page on which a booking is added to a phone's wallet. */
const passesUrl = (work: Work, event: number): string =>
  `${work.installation.baseUrl}${passesPath(work.providerId, event)}`;

/** Returns the sequence numbers of each customer's entry, one more than the last. */
export async function nextEntries(
  work: Work,
  of: readonly { event: number; customer: number }[],
): Promise<Map<string, number>> {
  if (of.length === 0) return new Map();
  const rows = await work.tx.rows<{ event_id: number; customer_id: number; sequence: number }>(sql`
    INSERT INTO calendar_entry AS c (provider_id, event_id, customer_id)
    SELECT DISTINCT ${work.providerId}::bigint, o.event, o.customer
    FROM unnest(${of.map((o) => o.event)}::bigint[], ${of.map((o) => o.customer)}::bigint[]) AS o (event, customer)
    ORDER BY o.event, o.customer
    ON CONFLICT (provider_id, event_id, customer_id) DO UPDATE SET sequence = c.sequence + 1
    RETURNING event_id, customer_id, sequence`);
  return new Map(rows.map((r) => [entryOf({ event: r.event_id, customer: r.customer_id }), r.sequence]));
}

const entryOf = ({ event, customer }: { event: number; customer: number }): string => `${event}:${customer}`;

export interface About {
  readonly type: NoticeType;
  readonly event: number;
  readonly customer: number;
  readonly key: string;
  readonly values?: Notice['values'];
  readonly push?: Notice['push'];
  /** effect on the entry in the reader's calendar */
  readonly entry?: 'kept' | 'removed';
  /** it says what paid, until when to cancel, and how, without a log-in */
  readonly ticket?: true;
}

/** Builds the notices; those about an event that no longer exists are left out. */
export async function eventNotices(
  work: Work,
  all: readonly About[],
  { preview = false }: { readonly preview?: boolean } = {},
): Promise<PersonalNotice[]> {
  const events = await readEvents(work, [...new Set(all.map((a) => a.event))]);
  const participants = await readParticipants(work, [...new Set(all.map((a) => a.customer))]);
  const online = await readOnline(work, all);
  const sequences = await nextEntries(
    work,
    all.filter((a) => a.entry && !preview),
  );
  const tickets = new Map<About, (reader: Reading) => NoticeValues>();
  for (const one of all) {
    const event = events.get(one.event);
    if (one.ticket && event) tickets.set(one, await ticketOf(work, event, one.customer));
  }
  const { sender } = work.installation.messages;
  const wallets = takesPasses(work.installation.wallets, work.realNow);
  return all.flatMap((a): PersonalNotice[] => {
    const [e, participant] = [events.get(a.event), participants.get(a.customer)];
    if (!e || !participant) return [];
    const url = eventUrl(work, e.id);
    const call = online.get(entryOf(a));
    const venue = call ?? e.venue;
    const address = call === undefined ? addressLine(e.address) : '';
    const map = e.online || call !== undefined ? null : mapOf({ ...pointOf(e.address), address });
    const values: Notice['values'] = (reader) => ({
      'participant.first_name': participant.first,
      'participant.name': participant.whole,
      'event.name': e.name,
      'event.word': work.tenant.words.about(e.kind).one.event,
      'event.date': dayIn(reader.locale, e.starts_at, e.timezone),
      'event.time': timeText(work, reader, e),
      'event.starts': shortMomentIn(reader.locale, e.starts_at, e.timezone),
      'event.url': url,
      'venue.name': venue,
      'venue.address': address,
      'venue.map': map === null ? null : saying(work, reader)('map', { url: map }),
      'event.with': e.instructors === null ? null : saying(work, reader)('with', { names: e.instructors }),
      ...tickets.get(a)?.(reader),
      ...(typeof a.values === 'function' ? a.values(reader) : a.values),
    });
    const calendar = (of: Reader) =>
      calendarPart({
        providerId: work.providerId,
        event: e.id,
        customer: a.customer,
        sequence: sequences.get(entryOf(a)) ?? 0,
        cancelled: a.entry === 'removed',
        name: of.id === a.customer ? e.name : `${e.name} (${participant.first})`,
        location: [venue, address].filter(Boolean).join(', '),
        url,
        startsAt: e.starts_at,
        endsAt: e.ends_at,
        zone: e.timezone,
        now: work.now,
        organizer: { name: e.business, email: e.contact_email ?? sender.address },
        attendee: {
          name: [of.first_name, of.last_name].filter(Boolean).join(' ') || of.email!,
          email: of.email!,
        },
      });
    return [
      {
        type: a.type,
        customer: a.customer,
        values,
        valuesFor: ({ has_account: mayLogIn }, reading) => ({
          // Passes are for people who can log in.
          wallet: mayLogIn && wallets ? saying(work, reading)('wallet', { url: passesUrl(work, e.id) }) : null,
        }),
        key: a.key,
        ...(a.push && { push: a.push }),
        ...(a.entry && { calendar }),
      },
    ];
  });
}
