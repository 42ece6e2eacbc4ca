/**
 * Days on which venues are closed, as the schedule needs them: a later area knows them and fills the port `closedDays`.
 * Nothing is planned on such a day, unless staff say so. Closing a day locks its venues, and planning takes a shared
 * lock on the venue, so that each sees the other.
 */
import { holdVenues } from '../../../places/venues/index.ts';
import { Port, type Item } from '../../../../kernel/base/fields/port.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface ClosedDay {
  /** ISO date by the clock of the venue */
  readonly date: string;
  /** text for customers */
  readonly reason: string | null;
}

export interface ClosedDays extends Item {
  /** name of the resource that closes days */
  readonly resource: string;
  /** days of the venue, both ends included */
  readonly read: (work: Work, asked: { venue: number; from: string; to: string }) => Promise<readonly ClosedDay[]>;
}

export const closedDays = new Port<ClosedDays>('kind of closed days', ({ resource }) => resource);

/** Returns the closed days of a venue by their dates; none is added until the transaction ends. */
export async function closedDaysAt(
  work: Work,
  asked: { readonly venue: number; readonly from: string; readonly to: string },
): Promise<ReadonlyMap<string, ClosedDay>> {
  // Sent together in this order, in one round trip: days that were closed before the lock on the venue are included.
  const [, ...found] = await Promise.all([
    holdVenues(work, [asked.venue]),
    ...closedDays.filled.map((kind) => kind.read(work, asked)),
  ]);
  return new Map(found.flat().map((day) => [day.date, day]));
}

/** Returns the day of an event by the clock of its venue: the one on which it starts. */
export const dayOf = ({ local_starts_at }: { readonly local_starts_at: string }): string =>
  local_starts_at.slice(0, 10);

/** Refuses an event on a closed day; `field` is the property that the caller can change. */
export async function refuseClosedDay(
  work: Work,
  { venue, date, field }: { venue: number; date: string; field: 'starts_at' | 'venue' },
): Promise<void> {
  const day = (await closedDaysAt(work, { venue, from: date, to: date })).get(date);
  if (day) throw closedDayProblem(day, field);
}

export const closedDayProblem = ({ date, reason }: ClosedDay, field: 'starts_at' | 'venue'): Problem => {
  const why = `The venue is closed on ${date}${reason === null ? '.' : `: ${reason}`}`;
  const choose = field === 'venue' ? 'another venue' : 'another day';
  return new Problem(
    SCHEDULE_PROBLEMS.venue_closed,
    `${why} Choose ${choose}, reopen the day with \`DELETE /business_closures/{id}\`, or send \`on_closed_day\`.`,
    { [field]: [why] },
  );
};
