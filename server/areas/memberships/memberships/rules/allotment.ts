/** How often a membership may be used, and for what. Pure; how uses are counted against it is the ledger's. */
import type { MembershipType } from './incomplete.ts';

export const PERIODS = ['day', 'week', 'month', 'billing_period', 'total'] as const;
export type LimitPeriod = (typeof PERIODS)[number];

export const USE_TYPES = ['event', 'course'] as const;
export type UseType = (typeof USE_TYPES)[number];

export interface OfferingTypeLimit {
  /** id */
  readonly offeringType: number;
  readonly maxUses: number;
  /** true: uses of its own, beside those of the period; false: at most so many of the period's */
  readonly isExtra: boolean;
}

export interface PeriodLimit {
  readonly period: LimitPeriod;
  /** null: as often as one likes */
  readonly maxUses: number | null;
  /** at most so many unused uses go on into the next period */
  readonly rollOver: number;
  readonly offeringTypes: readonly OfferingTypeLimit[];
}

export interface Allotment {
  readonly types: readonly UseType[];
  /** a booking that nobody came to is given back */
  readonly ignoreNoShows: boolean;
  readonly limits: readonly PeriodLimit[];
}

/** A pack of one single use is a drop-in that is bought ahead. */
export const isDropIn = ({ type, allotment }: { type: MembershipType; allotment: Allotment | null }): boolean =>
  type === 'pack' && (allotment?.limits ?? []).some(({ period, maxUses }) => period === 'total' && maxUses === 1);

/** A number of uses in a period, and which uses count against it. */
export interface Pot {
  readonly period: LimitPeriod;
  readonly max: number;
  readonly rollOver: number;
  /** offering types whose uses count: these alone, or all but these */
  readonly counts: { readonly only: readonly number[] } | { readonly except: readonly number[] };
}

/**
 * Everything that one more use for this offering type is held to; each must have one left. Empty: as often as one
 * likes.
 */
export function potsFor({ limits }: Pick<Allotment, 'limits'>, offeringType: number): Pot[] {
  return limits.flatMap(({ period, maxUses, rollOver, offeringTypes }): Pot[] => {
    const own = offeringTypes.find((l) => l.offeringType === offeringType);
    const pots: Pot[] = own ? [{ period, max: own.maxUses, rollOver: 0, counts: { only: [offeringType] } }] : [];
    if (own?.isExtra || maxUses === null) return pots;
    const except = offeringTypes.filter((l) => l.isExtra).map((l) => l.offeringType);
    return [...pots, { period, max: maxUses, rollOver, counts: { except } }];
  });
}

/** Whether the limits leave any use for this offering type; the database's view of coverage says the same. */
export const leavesUses = (allotment: Pick<Allotment, 'limits'>, offeringType: number): boolean =>
  potsFor(allotment, offeringType).every((pot) => pot.max > 0);

export interface Objection {
  /** name of the property, with dots */
  readonly path: string;
  readonly message: string;
}

/** What cannot hold together. */
export function objectionsTo(type: MembershipType, limits: readonly PeriodLimit[]): Objection[] {
  const found: Objection[] = [];
  const at = (path: string, message: string) => found.push({ path: `period_limits.${path}`, message });
  limits.forEach(({ period, maxUses, rollOver, offeringTypes }, i) => {
    if (limits.findIndex((l) => l.period === period) < i)
      at(`${i}.period`, `There is already a limit for "${period}". Each period can have only one.`);
    if (period === 'billing_period' && type !== 'recurring_plan')
      at(`${i}.period`, 'Only recurring plans have billing periods. Use day, week, month or total.');
    if (rollOver > 0 && period === 'total')
      at(`${i}.roll_over`, 'The period total has no next period that uses could carry over into. Send 0.');
    if (rollOver > 0 && maxUses === null) at(`${i}.roll_over`, 'Without a limit, no uses are left over. Send 0.');
    offeringTypes.forEach(({ offeringType, maxUses: own, isExtra }, j) => {
      const one = `${i}.offering_type_limits.${j}`;
      if (offeringTypes.findIndex((l) => l.offeringType === offeringType) < j)
        at(`${one}.offering_type`, 'Name each offering type only once per period.');
      if (isExtra && own === 0)
        at(
          `${one}.max_uses`,
          'Extra uses must be at least 1. To exclude the offering type, send 0 with is_extra false.',
        );
      if (!isExtra && maxUses !== null && own > maxUses)
        at(
          `${one}.max_uses`,
          `They are part of the ${maxUses} uses of the period. Send at most ${maxUses}, or is_extra true.`,
        );
    });
  });
  return found;
}
