/** The display texts of standing bookings. */
import { locale } from '../../../words/language.ts';
import { nameOf } from '../../../app/customers.ts';
import { words } from '../words.ts';

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });

/** 2024-01-01 was a Monday. */
export const nameOfWeekday = (day: Weekday): string => weekday.format(Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(day)));

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });

/** Returns for example `Tuesday, 7:00 PM, every week`. */
export const everyOf = ({
  weekday: day,
  local_time,
}: {
  readonly weekday: Weekday;
  readonly local_time: string;
}): string =>
  words.say('every', { day: nameOfWeekday(day), time: clock.format(new Date(`2024-01-01T${local_time}:00Z`)) });

/** Customers who were erased, or whose name the person may not see, have no name. */
export const whoseOf = ({ customer }: { readonly customer: Parameters<typeof nameOf>[0] }): string =>
  nameOf(customer) || words.say('somebody');
