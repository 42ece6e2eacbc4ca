/**
 * The cost and the credit of a hold: docs/algorithms/proration.md. One function for the preview, the change and later
 * decisions. Amounts are minor units; dates are the business's. Pure.
 */
import { addDays, daysBetween } from '../../../../../kernel/base/values/date.ts';
import { roundHalfUp } from '../../../../../kernel/base/values/money.ts';
import { isWithin, type Days } from './hold.ts';
import { periodAt, periodOf, shareOfDays, type Cycle, type Dates } from '../../../../../kernel/base/values/cycle.ts';

export const STRATEGIES = ['days', 'usage', 'none'] as const;
type Strategy = (typeof STRATEGIES)[number];

/** Another hold of the membership. */
export interface OtherHold extends Days {
  /** true if it reduces the allotment, and what is paid with it */
  readonly prorates: boolean;
}

/** The total allotment of each billing period. */
export interface Usage {
  readonly max: number;
  /** uses that count against a period */
  readonly used: (period: Dates) => number;
  /** number of uses in a period that these pauses overlap */
  readonly prorated: (period: Dates, pauses: readonly Days[]) => number;
}

/** Sentences for the customer, in the language of the business. */
export interface Wording {
  readonly amount: (type: 'credit' | 'charge', amount: number, period: PeriodFacts) => string;
  /** why there is no amount */
  readonly none: (why: 'off' | 'even' | 'periods') => string;
}

export interface PaymentFacts {
  /** null if it is not paid by billing periods */
  readonly cycle: Cycle | null;
  /**
   * the period in which the hold begins: its full price, the amount that was or will be billed for it, and the part
   * that can still be returned
   */
  readonly begins: { readonly price: number; readonly worth: number; readonly left: number };
  /** the period in which the membership becomes active again */
  readonly back: {
    /** full price */
    readonly price: number;
    /** true if it was billed, or will be soon */
    readonly billed: boolean;
    /** returns the price of a part: that part of the price and of the discount, with fees and taxes on it */
    readonly part: (of: (amount: number) => number) => number;
  };
  readonly wording: Wording;
  /** first day of the membership; `end` is its last day after the hold, null if it has none */
  readonly start: string;
  readonly end: string | null;
  readonly hold: Days;
  readonly disableProrates: boolean;
  readonly prorateUsage: boolean;
  /** null if usage is unlimited, or not limited by billing periods */
  readonly usage: Usage | null;
  readonly others: readonly OtherHold[];
}

export interface PeriodFacts {
  readonly start_date: string;
  /** last day */
  readonly end_date: string;
  readonly price: number;
  /** true if it is paid at its beginning, like every period */
  readonly billed: boolean;
  readonly total_days: number;
  readonly held_days: number;
  readonly active_days: number;
  /** null unless it is prorated by usage */
  readonly max_uses: number | null;
  readonly used_count: number | null;
  readonly prorated_max_uses: number | null;
}

export interface Decided {
  readonly strategy: Strategy;
  /** value of the period in which the hold begins */
  readonly price: number;
  /** contains the first day of the hold; null if there are no periods */
  readonly start: (PeriodFacts & { readonly credit: number }) | null;
  /** contains the day after the hold; null if the hold has no end, or the membership ends with it */
  readonly reactivation: (PeriodFacts & { readonly charge: number; readonly due_date: string | null }) | null;
  readonly resolution: {
    readonly type: 'charge' | 'credit' | 'none';
    readonly amount: number;
    readonly due_date: string | null;
    readonly credit: number;
    readonly charge: number;
    readonly explanation: string;
  };
}

function strategyOf({
  cycle,
  disableProrates,
  prorateUsage,
  usage,
}: Pick<PaymentFacts, 'cycle' | 'disableProrates' | 'prorateUsage' | 'usage'>): Strategy {
  if (cycle === null || disableProrates) return 'none';
  return usage !== null && usage.max > 0 && prorateUsage ? 'usage' : 'days';
}

const later = (a: string, b: string): string => (a > b ? a : b);

/** Returns the days of a hold in a period as a half-open range; null if there are none. */
function daysIn({ start, end }: Days, period: Dates): Dates | null {
  const dates = {
    start: later(start, period.start),
    end: end === null || end >= period.end ? period.end : addDays(end, 1),
  };
  return dates.start < dates.end ? dates : null;
}

/** Returns true if a hold covers the day. A period is paid at its beginning, unless the membership is on hold then. */
const restsAt = (day: string, holds: readonly Days[]): boolean => holds.some((hold) => isWithin(day, hold));

/** Computes by how much a hold lowers the amount of a period. */
class Reckoning {
  readonly facts: PaymentFacts;
  readonly strategy: Strategy;
  constructor(facts: PaymentFacts) {
    this.facts = facts;
    this.strategy = strategyOf(facts);
  }

  /** Returns the days of the period that belong to the membership. */
  dates(period: Dates): Dates {
    return { start: later(period.start, this.facts.start), end: period.end };
  }

  /**
   * Returns true if the period is prorated by usage. A first period that is cut short has all of its uses in fewer
   * days, so it is prorated by days.
   */
  byUse({ start }: Dates): boolean {
    return this.strategy === 'usage' && start >= this.facts.start;
  }

  /** Returns by how much the hold lowers the value of the period, in addition to the earlier holds. */
  drop(amount: number, period: Dates, used: number): number {
    const { hold, usage, others } = this.facts;
    const held = daysIn(hold, period);
    if (held === null || this.strategy === 'none') return 0;
    if (!this.byUse(period)) return shareOfDays(amount, this.dates(period), held.start, held.end);
    const before = others.filter((o) => o.prorates);
    // The difference of two rounded values: two consecutive holds lower it by as much as one hold of all their days.
    const worth = (pauses: readonly Days[]): number =>
      roundHalfUp(
        BigInt(amount) * BigInt(Math.min(usage!.max, Math.max(used, usage!.prorated(period, pauses)))),
        usage!.max,
      );
    return Math.max(0, worth(before) - worth([...before, hold]));
  }

  period(period: Dates, price: number, billed: boolean, used: number | null): PeriodFacts {
    const { hold, usage, others } = this.facts;
    const dates = this.dates(period);
    const total = daysBetween(dates.start, dates.end);
    const held = daysIn(hold, dates);
    const byUse = this.byUse(period);
    const heldDays = held === null ? 0 : daysBetween(held.start, held.end);
    return {
      start_date: dates.start,
      end_date: addDays(dates.end, -1),
      price,
      billed,
      total_days: total,
      held_days: heldDays,
      active_days: total - heldDays,
      max_uses: byUse ? usage!.max : null,
      used_count: byUse ? used : null,
      prorated_max_uses: byUse ? usage!.prorated(period, [...others.filter((o) => o.prorates), hold]) : null,
    };
  }
}

export function decide(facts: PaymentFacts): Decided {
  const { cycle, hold, others, end, begins: paid, back: then } = facts;
  const reckoning = new Reckoning(facts);
  const { strategy } = reckoning;
  const said = { strategy, price: paid.worth };
  if (cycle === null) {
    return { ...said, start: null, reactivation: null, resolution: resolve(facts, null, null) };
  }
  const first = periodOf(cycle, periodAt(cycle, hold.start));
  const begins = later(first.start, facts.start);
  const billed = begins < hold.start && !restsAt(begins, others);
  const used = facts.usage?.used(first) ?? 0;
  const credit = Math.max(0, Math.min(reckoning.drop(paid.worth, first, used), paid.left));
  const start = { ...reckoning.period(first, paid.price, billed || paid.worth > 0, used), credit };

  const back = hold.end === null ? null : addDays(hold.end, 1);
  if (back === null || (end !== null && back > end)) {
    return { ...said, start, reactivation: null, resolution: resolve(facts, start, null) };
  }
  const last = periodOf(cycle, periodAt(cycle, back));
  const beginning = later(last.start, facts.start);
  // It began while the membership was on hold, and was not billed then.
  const unpaid = isWithin(beginning, hold) && !then.billed;
  const charge = unpaid && strategy !== 'none' ? then.part((amount) => amount - reckoning.drop(amount, last, 0)) : 0;
  const whole = last.start === first.start && !unpaid ? paid.price : then.price;
  const isBilled = !unpaid && !restsAt(beginning, others);
  const reactivation = {
    ...reckoning.period(last, whole, isBilled, facts.usage?.used(last) ?? 0),
    charge,
    due_date: charge > 0 ? back : null,
  };
  return { ...said, start, reactivation, resolution: resolve(facts, start, reactivation) };
}

function resolve(
  { cycle, wording, hold, disableProrates }: PaymentFacts,
  start: Decided['start'],
  reactivation: Decided['reactivation'],
): Decided['resolution'] {
  const [credit, charge] = [start?.credit ?? 0, reactivation?.charge ?? 0];
  const net = charge - credit;
  const type = net > 0 ? 'charge' : net < 0 ? 'credit' : 'none';
  const said = [
    ...(credit > 0 ? [wording.amount('credit', credit, start!)] : []),
    ...(charge > 0 ? [wording.amount('charge', charge, reactivation!)] : []),
  ];
  if (said.length === 0) said.push(wording.none(cycle === null ? 'periods' : disableProrates ? 'off' : 'even'));
  return {
    type,
    amount: Math.abs(net),
    due_date: type === 'charge' ? reactivation!.due_date : type === 'credit' ? hold.start : null,
    credit,
    charge,
    explanation: said.join(' '),
  };
}
