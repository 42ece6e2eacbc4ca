/** Converts times of an iCalendar text to instants. */
import ICAL from 'ical.js';
import { instantOfWall, isZone, startOfDay, wallAt } from '../../../../kernel/base/values/zone.ts';
import { zoneOfWindows } from './windows-zones.ts';
import { twoDigits } from '../../../../kernel/base/values/date.ts';

type Time = InstanceType<typeof ICAL.Time>;
type Property = InstanceType<typeof ICAL.Property>;
type Component = InstanceType<typeof ICAL.Component>;

const { utcTimezone, localTimezone: floating } = ICAL.Timezone;

export const dateOf = (time: Time): string =>
  `${String(time.year).padStart(4, '0')}-${twoDigits(time.month)}-${twoDigits(time.day)}`;

const wallOf = (time: Time): string =>
  `${dateOf(time)}T${twoDigits(time.hour)}:${twoDigits(time.minute)}:${twoDigits(Math.min(time.second, 59))}`;

/**
 * Returns the IANA zone that a TZID names, also behind the prefix of a program
 * (`/citadel.org/20250101_1/Europe/Berlin`), or by its Windows name; null if the name is the calendar's own.
 */
export function ianaZone(tzid: string | null | undefined): string | null {
  if (!tzid) return null;
  const whole = tzid.replaceAll('"', '').trim();
  const parts = whole.split('/');
  for (const length of [parts.length, 3, 2, 1]) {
    const name = parts.slice(-length).join('/');
    if (isZone(name)) return name;
  }
  return zoneOfWindows(whole);
}

/**
 * A region and a city: every program means the same by such a name. Short names, like EST, are defined by the program.
 */
const isPlace = (zone: string | null): boolean => zone !== null && zone.includes('/');

export const tzidOf = (property: Property): string | null => {
  const tzid = property.getParameter('tzid');
  return typeof tzid === 'string' ? tzid : null;
};

/** Returns true if the calendar includes rules for the zone of a time. */
const hasRules = ({ zone }: Time): boolean => {
  const { component } = (zone ?? {}) as { component?: Component | null };
  return Boolean(component?.getFirstSubcomponent('standard') ?? component?.getFirstSubcomponent('daylight'));
};

/**
 * Returns the instant of a time. Names with a region and a city are resolved by the IANA database. For all other names,
 * the calendar's own rules apply if it has any, and `zone` for whole days and for times without a known zone.
 */
export function instantOf(time: Time, tzid: string | null, zone: string): number {
  if (time.isDate) return startOfDay(dateOf(time), zone);
  if (time.zone === utcTimezone) return time.toUnixTime() * 1000;
  const known = ianaZone(tzid);
  if (!(isPlace(known) && isPlace(tzid)) && hasRules(time)) return time.toUnixTime() * 1000;
  return instantOfWall(wallOf(time), known ?? zone);
}

/**
 * Returns true if the zone of a property's times is unknown: they are then read in the zone of the calendar or the
 * business.
 */
export const isUnknownZone = (property: Property): boolean => {
  const tzid = tzidOf(property);
  return (
    tzid !== null &&
    ianaZone(tzid) === null &&
    property
      .getValues()
      .some((value) => value instanceof ICAL.Time && !value.isDate && !isUtc(value) && !hasRules(value))
  );
};

/** Returns the day of a time where only a day is meant: its own day, if it was written as midnight. */
export function dayMeant(time: Time, tzid: string | null, zone: string): string {
  const isMidnight = time.hour === 0 && time.minute === 0 && time.second === 0;
  return time.isDate || isMidnight ? dateOf(time) : wallAt(instantOf(time, tzid, zone), zone).date;
}

/** Returns an instant as a time without a zone, for comparison with such times. */
export function floatingAt(epochMs: number, zone: string): Time {
  const { year, month, day, hour, minute, second } = wallAt(epochMs, zone);
  return new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, floating);
}

export const isUtc = (time: Time): boolean => !time.isDate && time.zone === utcTimezone;
export const isFloating = (time: Time): boolean => !time.isDate && (!time.zone || time.zone === floating);
