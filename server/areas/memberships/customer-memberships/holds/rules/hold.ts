/** Rules for the days of a hold: docs/algorithms/holds.md. Dates are the business's own. Pure. */
import { addDays, daysBetween } from '../../../../../kernel/base/values/date.ts';
import { day, one, say, type Text } from '../../../../../kernel/base/values/words.ts';

/** A range of days that includes both. */
export interface Days {
  /** YYYY-MM-DD */
  readonly start: string;
  /** null if it lasts until somebody ends it */
  readonly end: string | null;
}

/** Limit for the days of a hold, and for days moved by one: everything computed from them is still a valid date. */
export const LATEST = '2999-12-31';

export type State = 'upcoming' | 'active' | 'ended';

export const stateOn = ({ start, end }: Days, today: string): State =>
  today < start ? 'upcoming' : end !== null && today > end ? 'ended' : 'active';

/** Returns the length in whole days; null if it has no end. */
export const lengthOf = ({ start, end }: Days): number | null => (end === null ? null : daysBetween(start, end) + 1);

export const meet = (a: Days, b: Days): boolean =>
  (b.end === null || a.start <= b.end) && (a.end === null || b.start <= a.end);

export const isWithin = (day: string, { start, end }: Days): boolean => start <= day && (end === null || day <= end);

/** Returns the parts of `days` outside of `without`: at most one before it and one after it. */
export function beyond(days: Days, without: Days | null): Days[] {
  if (without === null || !meet(days, without)) return [days];
  return [
    ...(days.start < without.start ? [{ start: days.start, end: addDays(without.start, -1) }] : []),
    ...(without.end !== null && (days.end === null || days.end > without.end)
      ? [{ start: addDays(without.end, 1), end: days.end }]
      : []),
  ];
}

/** A problem with a property of the request, for people. */
export interface Objection {
  readonly field: string;
  readonly message: Text;
}

/** The term of the membership that is put on hold. `end`: its last day, null if it has none. */
export interface Term {
  readonly status: 'active' | 'hold' | 'completed' | 'cancelled';
  /** null if it has not begun */
  readonly start: string | null;
  readonly end: string | null;
}

interface Placing {
  readonly days: Days;
  /** true if the last day of the membership moves by the days of the hold */
  readonly extends: boolean;
  readonly today: string;
  readonly term: Term;
  /** other holds of the membership */
  readonly others: readonly Days[];
}

/**
 * Returns the objections to a hold of these days; empty if there are none. `end`: the property with which the caller
 * set its end.
 */
export function objectionsTo({ days, extends: moves, today, term, others }: Placing, end = 'end_date'): Objection[] {
  if (term.status === 'completed' || term.status === 'cancelled')
    return [{ field: 'customer_membership', message: "It has ended, so it can't be put on hold." }];
  if (term.start === null)
    return [
      {
        field: 'customer_membership',
        message: 'It starts with its first registration, and can be put on hold from then on.',
      },
    ];
  const found: Objection[] = [];
  if (days.start > LATEST) found.push({ field: 'start_date', message: `Must be ${LATEST} or earlier.` });
  if (days.start < today) found.push({ field: 'start_date', message: say`Must be today, ${day(today)}, or later.` });
  if (days.start < term.start)
    found.push({
      field: 'start_date',
      message: say`The ${one.membership} starts on ${term.start}. Choose that day or a later one.`,
    });
  if (term.end !== null && days.start > term.end)
    found.push({
      field: 'start_date',
      message: say`The ${one.membership} ends on ${term.end}. Choose an earlier day.`,
    });
  if (days.end !== null && days.end < days.start)
    found.push({ field: end, message: say`Must be the first day, ${day(days.start)}, or later.` });
  else if (days.end !== null && term.end !== null && days.start <= term.end && days.end > term.end && !moves)
    found.push({
      field: end,
      message: say`The ${one.membership} ends on ${term.end}. Choose an earlier day, or set extend_expirations.`,
    });
  if (days.end !== null && days.end > LATEST) found.push({ field: end, message: `Must be ${LATEST} or earlier.` });
  if (moves && term.end !== null && term.end > LATEST)
    found.push({
      field: 'extend_expirations',
      message: say`The ${one.membership} ends on ${term.end}, which is too late to be moved.`,
    });
  const other = others.find((o) => meet(o, days));
  if (other && found.length === 0)
    found.push({
      field: 'start_date',
      message:
        other.end === null
          ? say`It is already on hold from ${day(other.start)} on. End that hold, or choose earlier days.`
          : say`It is already on hold from ${day(other.start)} to ${day(other.end)}. Change that hold, or choose other days.`,
    });
  return found;
}

/** An edit of a hold; absent properties stay. */
export interface Edit {
  readonly start?: string;
  readonly end?: string | null;
  /** number of days by which the hold becomes longer */
  readonly daysToAdd?: number;
  readonly openEnded?: boolean;
}

const against = (field: string, message: Text) => ({ against: { field, message } });

/** Returns the days of a hold after an edit, or the objection to it. */
export function edited(
  hold: Days,
  edit: Edit,
  today: string,
): { readonly days: Days } | { readonly against: Objection } {
  const said = [
    ...(edit.end !== undefined ? ['end_date'] : []),
    ...(edit.daysToAdd !== undefined ? ['days_to_add'] : []),
    ...(edit.openEnded ? ['make_open_ended'] : []),
  ];
  if (said.length > 1) return against(said[1], `Send only one of ${said.join(', ')}: each of them sets the end.`);
  const state = stateOn(hold, today);
  if (state === 'ended') return against('non_field_errors', `It ended on ${hold.end}. Create another hold.`);
  if (state === 'active' && edit.start !== undefined && edit.start !== hold.start)
    return against('start_date', `It started on ${hold.start}, which can't be changed any more.`);
  if (edit.daysToAdd !== undefined && hold.end === null)
    return against('days_to_add', 'It has no end to add days to. Send end_date.');
  const start = edit.start ?? hold.start;
  const end =
    edit.openEnded || edit.end === null
      ? null
      : edit.end !== undefined
        ? edit.end
        : edit.daysToAdd !== undefined
          ? addDays(hold.end!, edit.daysToAdd)
          : hold.end;
  if (state === 'active' && end !== null && end < today)
    return against('end_date', `Must be today (${today}) or later. To resume immediately, end the hold.`);
  return { days: { start, end } };
}

/**
 * Returns the days of a hold that ends so that the membership is active again on a day; null if no day of it is left.
 */
export function endedBy(
  hold: Days,
  back: string,
  today: string,
): { readonly days: Days | null } | { readonly against: Objection } {
  if (stateOn(hold, today) === 'ended') return against('non_field_errors', `It ended on ${hold.end}.`);
  if (back < today) return against('on_date', `Must be today (${today}) or later.`);
  if (hold.end !== null && back > addDays(hold.end, 1))
    return against('on_date', `It ends on ${hold.end}, before that day. To make it longer, change its days.`);
  return { days: back <= hold.start ? null : { start: hold.start, end: addDays(back, -1) } };
}
