/** What recurring reservations refuse with, besides what bookings are refused with. */
import { defineProblems, Problem } from '../../../kernel/api/problem.ts';
import { dayText } from '../../../kernel/values/spoken-time.ts';
import { one, say, textIn, type Words } from '../../../kernel/values/words.ts';
import type { Told } from './rows.ts';

export const RESERVATION_PROBLEMS = defineProblems({
  reservation_conflicts: {
    status: 409,
    type: 'conflict',
    means:
      'At least one date of the recurring reservation can’t be booked, and `on_conflict` is `fail`. The message names each date with the reason.',
  },
  nothing_to_reserve: {
    status: 409,
    type: 'conflict',
    means: 'No event that is still to come takes place at this time, so a recurring reservation would book nothing.',
  },
});

/** Several dates are named, and the rest are counted. */
const NAMED_AT_MOST = 10;

export interface Conflict {
  readonly startsAt: number;
  readonly zone: string;
  readonly told: Told;
}

export function conflicts(all: readonly Conflict[]): Problem {
  const list = (side: 'staff' | 'customer') => {
    const named = all
      .slice(0, NAMED_AT_MOST)
      .map(({ startsAt, zone, told }) => `${dayText(startsAt, zone)}: ${told[side]}`);
    const more = all.length - named.length;
    return [...named, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
  };
  return new Problem(RESERVATION_PROBLEMS.reservation_conflicts, {
    staff: `Some dates can’t be booked. ${list('staff')} Leave them out with skipped_dates, or send on_conflict=skip.`,
    customer: `Some dates can’t be booked. ${list('customer')}`,
  });
}

/** The rule that recurring reservations add to those of booking. */
export const OVERLAPPING = 'overlapping_booking';

export const overlapping = (event: string, words: Words): Told => ({
  code: OVERLAPPING,
  staff: `The customer is booked on ${event} at that time.`,
  customer: textIn(words, say`There is another ${one.booking} at that time: ${event}.`),
});
