/** Times of an iCalendar text as instants. */
import ICAL from 'ical.js';
import { instantOfWall, isZone, startOfDay, wallAt } from '../../../../kernel/values/zone.ts';
import { twoDigits } from '../../../../kernel/values/date.ts';

type Time = InstanceType<typeof ICAL.Time>;
type Property = InstanceType<typeof ICAL.Property>;

const { utcTimezone, localTimezone: floating } = ICAL.Timezone;

export const dateOf = (time: Time): string =>
  `${String(time.year).padStart(4, '0')}-${twoDigits(time.month)}-${twoDigits(time.day)}`;

const wallOf = (time: Time): string =>
  `${dateOf(time)}T${twoDigits(time.hour)}:${twoDigits(time.minute)}:${twoDigits(Math.min(time.second, 59))}`;

/**
 * The zone of the IANA database that a TZID names, also behind the prefix of a program
 * (`/citadel.org/20250101_1/Europe/Berlin`); null: it is a name of the calendar's own.
 */
export function ianaZone(tzid: string | null | undefined): string | null {
  if (!tzid) return null;
  const parts = tzid.replaceAll('"', '').split('/');
  for (const length of [parts.length, 3, 2, 1]) {
    const name = parts.slice(-length).join('/');
    if (isZone(name)) return name;
  }
  return null;
}

export const tzidOf = (property: Property): string | null => {
  const tzid = property.getParameter('tzid');
  return typeof tzid === 'string' ? tzid : null;
};

/**
 * A zone of the database is taken from the database. The rules of the calendar count for zones that only it knows, and
 * `zone` for whole days and for times without a zone.
 */
export function instantOf(time: Time, tzid: string | null, zone: string): number {
  if (time.isDate) return startOfDay(dateOf(time), zone);
  if (time.zone === utcTimezone) return time.toUnixTime() * 1000;
  const known = ianaZone(tzid);
  if (known === null && time.zone && time.zone !== floating) return time.toUnixTime() * 1000;
  return instantOfWall(wallOf(time), known ?? zone);
}

/** An instant as a time without a zone, to be compared with such times. */
export function floatingAt(epochMs: number, zone: string): Time {
  const { year, month, day, hour, minute, second } = wallAt(epochMs, zone);
  return new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, floating);
}

export const isUtc = (time: Time): boolean => !time.isDate && time.zone === utcTimezone;
export const isFloating = (time: Time): boolean => !time.isDate && (!time.zone || time.zone === floating);
