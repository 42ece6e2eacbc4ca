/** Usage of an allotment by period: returned by `usage` for any day, and by the membership itself for today. */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { periodFor, stateOf, usedIn, type Counted, type Pause, type Pot, type PotState } from './rules/allotment.ts';
import type { OfferingTypeLimit, PeriodLimit } from '../../memberships/index.ts';

/** The facts about one customer membership, as the database returns them. */
export interface UsageFacts extends Omit<Counted, 'pauses'> {
  readonly limits: PeriodLimit[];
  readonly holds: (Pause & { prorates: boolean })[];
}

export const toCounted = ({ start, end, cycle, uses, holds }: UsageFacts): Counted => ({
  start,
  end,
  cycle,
  uses,
  pauses: holds.filter((hold) => hold.prorates),
});

/** Returns the limits of the allotment; if there are none, one total limit without a number. */
export const limitsIn = ({ limits }: UsageFacts): PeriodLimit[] =>
  limits.length > 0 ? limits : [{ period: 'total', maxUses: null, rollOver: 0, offeringTypes: [] }];

/**
 * Returns the period that includes the day, with its counts. Both of its dates are included; for the total, they are
 * those of the membership.
 */
export function periodOf(limit: PeriodLimit, facts: UsageFacts, on: string) {
  const { dates, ...counts } = countsOf(toPot(limit), limit.maxUses === null, on, toCounted(facts));
  const days =
    limit.period === 'total'
      ? { start_date: facts.start, end_date: facts.end }
      : { start_date: dates.start, end_date: addDays(dates.end, -1) };
  return { period_type: limit.period, ...days, ...counts };
}

export const toPot = ({ period, maxUses, rollOver, offeringTypes }: PeriodLimit): Pot => ({
  period,
  max: maxUses ?? 0,
  rollOver,
  counts: { except: offeringTypes.filter((o) => o.isExtra).map((o) => o.offeringType) },
});
export const offeringTypePot = ({ period }: PeriodLimit, own: OfferingTypeLimit): Pot => ({
  period,
  max: own.maxUses,
  rollOver: 0,
  counts: { only: [own.offeringType] },
});

export function countsOf(pot: Pot, unlimited: boolean, on: string, counted: Counted) {
  if (unlimited) {
    const dates = periodFor(pot.period, on, counted.cycle);
    return {
      dates,
      max_uses: null,
      used_count: usedIn(pot, dates, counted.uses),
      remaining_count: null,
      prorate_adjustment: null,
    };
  }
  const { dates, max, used, left, prorated } = stateOf(pot, on, counted);
  return {
    dates,
    max_uses: max,
    used_count: used,
    remaining_count: left,
    prorate_adjustment: shownAdjustment(prorated),
  };
}

const shownAdjustment = (prorated: PotState['prorated']) =>
  prorated && {
    active_days: prorated.activeDays,
    holds: prorated.pauses.map((p) => ({ start_date: p.start, end_date: p.end })),
    original_max_uses: prorated.original,
    prorated_max_uses: prorated.max,
    total_days: prorated.totalDays,
  };
