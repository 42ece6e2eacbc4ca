/**
 * Rules for the allotment: the number of uses of a membership, and their offering types. Pure; the ledger counts the
 * uses.
 */
import type { MembershipType } from './incomplete.ts';

export const PERIODS = ['day', 'week', 'month', 'billing_period', 'total'] as const;
type LimitPeriod = (typeof PERIODS)[number];

export const USE_TYPES = ['event', 'course'] as const;
type UseType = (typeof USE_TYPES)[number];

export interface OfferingTypeLimit {
  /** id */
  readonly offeringType: number;
  readonly maxUses: number;
  /** true for uses of its own, in addition to those of the period; false for a maximum within those of the period */
  readonly isExtra: boolean;
}

export interface PeriodLimit {
  readonly period: LimitPeriod;
  /** null for unlimited use */
  readonly maxUses: number | null;
  /** maximum number of unused uses that roll over to the next period */
  readonly rollOver: number;
  readonly offeringTypes: readonly OfferingTypeLimit[];
}

export interface Allotment {
  readonly types: readonly UseType[];
  /** true if an absence is credited */
  readonly ignoreNoShows: boolean;
  readonly limits: readonly PeriodLimit[];
}

/** Returns true for a pack of a single use, which is a drop-in bought in advance. */
export const isDropIn = ({ type, allotment }: { type: MembershipType; allotment: Allotment | null }): boolean =>
  type === 'pack' && (allotment?.limits ?? []).some(({ period, maxUses }) => period === 'total' && maxUses === 1);

/** A number of uses in a period, and the uses that count against it. */
interface Pot {
  readonly period: LimitPeriod;
  readonly max: number;
  readonly rollOver: number;
  /** offering types whose uses count: only these, or all except these */
  readonly counts: { readonly only: readonly number[] } | { readonly except: readonly number[] };
}

/** Returns all limits for one more use for this offering type; each must have one left. Empty for unlimited use. */
export function potsFor({ limits }: Pick<Allotment, 'limits'>, offeringType: number): Pot[] {
  return limits.flatMap(({ period, maxUses, rollOver, offeringTypes }): Pot[] => {
    const own = offeringTypes.find((l) => l.offeringType === offeringType);
    const pots: Pot[] = own ? [{ period, max: own.maxUses, rollOver: 0, counts: { only: [offeringType] } }] : [];
    if (own?.isExtra || maxUses === null) return pots;
    const except = offeringTypes.filter((l) => l.isExtra).map((l) => l.offeringType);
    return [...pots, { period, max: maxUses, rollOver, counts: { except } }];
  });
}

/** Returns true if the limits leave any use for this offering type, as the database's view of coverage does. */
export const leavesUses = (allotment: Pick<Allotment, 'limits'>, offeringType: number): boolean =>
  potsFor(allotment, offeringType).every((pot) => pot.max > 0);

interface Objection {
  /** name of the property, with dots */
  readonly path: string;
  readonly message: string;
}

/** Returns the contradictions between the limits. */
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
