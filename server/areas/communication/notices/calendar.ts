/** The calendar entry that is attached to an email: the same entry each time, in the zone of the event. */
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { zoneDefinition } from '../../../kernel/base/values/vtimezone.ts';
import type { CalendarPart } from '../messages/index.ts';

export interface Entry {
  readonly providerId: number;
  readonly event: number;
  readonly customer: number;
  /** increases each time, so that calendars know which version is the newest */
  readonly sequence: number;
  readonly cancelled: boolean;
  readonly name: string;
  readonly location: string;
  readonly url: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly zone: string;
  readonly now: number;
  readonly organizer: { readonly name: string; readonly email: string };
  readonly attendee: { readonly name: string; readonly email: string };
}

/** A plain `Date` would be written in the zone of this machine. */
const inZone = (at: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);

export function calendarPart(e: Entry): CalendarPart {
  const method = e.cancelled ? 'CANCEL' : 'REQUEST';
  const calendar = ical({
    prodId: { company: 'Rollcall', product: 'Rollcall', language: 'EN' },
    method: ICalCalendarMethod[method],
  });
  calendar.timezone({ name: null, generator: (zone) => zoneDefinition(zone, e.startsAt, e.endsAt) });
  const event = calendar.createEvent({
    id: `event-${e.providerId}-${e.event}-${e.customer}@rollcall`,
    sequence: e.sequence,
    stamp: new Date(e.now),
    start: inZone(e.startsAt, e.zone),
    end: inZone(e.endsAt, e.zone),
    timezone: e.zone,
    summary: e.name,
    location: e.location || null,
    url: e.url,
    status: e.cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: e.organizer,
  });
  event.createAttendee({ name: e.attendee.name, email: e.attendee.email, rsvp: false, status: 'ACCEPTED' as never });
  return { method, content: calendar.toString() };
}
