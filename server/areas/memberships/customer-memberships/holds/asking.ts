/** Checks of a requested hold: staff may always create one, customers only if the membership allows it. */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { checkActsFor } from '../../../people/customers/index.ts';
import { daysOf, type HoldRow } from './hold-row.ts';
import { invalid, Issues, Problem } from '../../../../kernel/base/problem.ts';
import { limitReached, type LimitReached } from './rules/limits.ts';
import { objectionsTo, type Days, type Objection } from './rules/hold.ts';
import { todayOf } from '../writes.ts';
import type { Owned } from '../owned.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { day, one, say, type Text } from '../../../../kernel/base/values/words.ts';

/** Refuses a customer who may not put this membership on hold themselves, or not change this hold. */
export async function checkMayHold(work: Work, owned: Owned, hold?: HoldRow): Promise<void> {
  if (work.viewer.mode === 'provider') return;
  await checkActsFor(work, owned.customer_id);
  if (!owned.allows.holds)
    throw new Problem(
      'permission_denied',
      say`You can't put this ${one.membership} on hold yourself. Ask the business to do it.`,
    );
  if (hold && hold.made_by !== 'customer')
    throw new Problem(
      'permission_denied',
      say`The business put this ${one.membership} on hold. Ask the business to change it.`,
    );
}

export const refusal = ({ field, message }: Objection): Problem =>
  field === 'non_field_errors' ? new Problem('already_ended', message) : invalid(field, message);

const mostOf = ({ limit, most }: LimitReached): Text => {
  if (limit === 'max_hold_days_per_year')
    return say`This ${one.membership} can be on hold for at most ${most} days in twelve months.`;
  return most === 1
    ? say`This ${one.membership} can be put on hold once in twelve months.`
    : say`This ${one.membership} can be put on hold at most ${most} times in twelve months.`;
};

const limitMessage = (reached: LimitReached): Text =>
  reached.from === null
    ? say`${mostOf(reached)} Choose fewer days, or ask the business.`
    : say`${mostOf(reached)} The next hold can start on ${day(reached.from)}.`;

interface Asked {
  readonly extendExpirations: boolean;
  /** the hold that is changed */
  readonly except?: HoldRow;
  /** property with which the caller set the end */
  readonly saysEnd?: string;
}

/**
 * Returns all objections to a hold of these days, and the customer limit that it exceeds: staff may exceed it, but are
 * informed.
 */
export function against(
  work: Work,
  owned: Owned,
  days: Days,
  { extendExpirations, except, saysEnd }: Asked,
): { objections: Objection[]; limit: LimitReached | null } {
  const others = owned.holds.filter((h) => h.id !== except?.id).map(daysOf);
  // The last day without this hold.
  const { status, start_date: start, expiration_date: last } = owned;
  const term = { status, start, end: last !== null && except ? addDays(last, -except.extended_days) : last };
  const begun = except !== undefined && except.start_date === days.start;
  const objections = objectionsTo(
    {
      days,
      extends: extendExpirations,
      today: begun && days.start < todayOf(work) ? days.start : todayOf(work),
      term,
      others,
    },
    saysEnd,
  );
  const limit = limitReached(days, others, owned.allows.holdLimits);
  if (limit && work.viewer.mode !== 'provider') objections.push({ field: 'start_date', message: limitMessage(limit) });
  return { objections, limit };
}

/** Throws the objections; a limit that staff may exceed becomes an effect. */
export function check(work: Work, owned: Owned, days: Days, how: Asked): void {
  const { objections, limit } = against(work, owned, days, how);
  const issues = new Issues();
  for (const { field, message } of objections) issues.add(field, message);
  issues.throwIfAny();
  if (limit) reportLimit(work, owned, limit);
}

export const reportLimit = (work: Work, owned: Owned, limit: LimitReached): void =>
  work.effect('hold_limit_exceeded', 'customermembership', owned.id, {
    limit: limit.limit,
    most: limit.most,
    possible_from: limit.from,
  });
