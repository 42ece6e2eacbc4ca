/** Writes a calendar feed as iCalendar text (RFC 5545). The same entries always produce the same text. */
import ical, { ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { zoneDefinition } from '../../../../kernel/base/values/vtimezone.ts';
import type { Entry } from './entries.ts';

type PrintedEntry = Omit<Entry, 'created_at' | 'description'>;

interface Printed {
  readonly providerId: number;
  readonly name: string;
  /** returns the page of an event; null if readers have none */
  readonly pageOf: ((event: number) => string) | null;
  readonly entries: readonly PrintedEntry[];
}

/** SEQUENCE is a 32-bit number. */
const LARGEST_SEQUENCE = 2 ** 31 - 1;
const HOUR_SECONDS = 3600;

const inZone = (at: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);

export function printCalendar({ providerId, name, pageOf, entries }: Printed): string {
  const calendar = ical({
    prodId: { company: 'Rollcall', product: 'Rollcall', language: 'EN' },
    name,
    ttl: HOUR_SECONDS,
  });
  const bounds = new Map<string, { from: number; to: number }>();
  for (const { timezone, starts_at: from, ends_at: to } of entries) {
    const known = bounds.get(timezone);
    bounds.set(timezone, { from: Math.min(known?.from ?? from, from), to: Math.max(known?.to ?? to, to) });
  }
  calendar.timezone({
    name: null,
    generator: (zone) => {
      const known = bounds.get(zone);
      return known ? zoneDefinition(zone, known.from, known.to) : null;
    },
  });
  for (const e of entries) {
    const changedAt = new Date(Math.floor(e.changed_at / 1000) * 1000);
    calendar.createEvent({
      id:
        e.booking === null ? `event-${providerId}-${e.event}@rollcall` : `booking-${providerId}-${e.booking}@rollcall`,
      sequence: Math.min(e.revision, LARGEST_SEQUENCE),
      stamp: changedAt,
      lastModified: changedAt,
      start: inZone(e.starts_at, e.timezone),
      end: inZone(e.ends_at, e.timezone),
      timezone: e.timezone,
      summary: e.person === null ? e.name : `${e.person}: ${e.name}`,
      description: descriptionOf(e),
      location: [e.venue, e.room, e.address].filter(Boolean).join(', ') || null,
      url: pageOf?.(e.event) ?? null,
      status: e.cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      transparency: e.cancelled ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    });
  }
  return calendar.toString();
}

function descriptionOf({ instructors, booked, places }: PrintedEntry): string | null {
  const lines = [
    ...(instructors === null ? [] : [`With ${instructors}`]),
    ...(booked === null ? [] : [places === null ? `${booked} booked` : `${booked} of ${places} spots booked`]),
  ];
  return lines.length === 0 ? null : lines.join('\n');
}
