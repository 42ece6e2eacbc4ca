/** What a hold gives back and charges, decided for a membership as it stands. */
import { daysOf, type HoldRow } from './hold-row.ts';
import { decide, type Decided, type OfPeriod, type OtherHold, type Usage } from './rules/payment.ts';
import { periodAt, periodStart } from '../../../../kernel/values/cycle.ts';
import { todayOf } from '../writes.ts';
import type { Days } from './rules/hold.ts';
import type { Owned } from '../owned.ts';
import type { Work } from '../../../../kernel/work.ts';

/** How a hold is meant, beside its days. */
export interface Manner {
  readonly prorateUsage: boolean;
  readonly disableProrates: boolean;
  readonly extendExpirations: boolean;
}

export const mannerOf = (row: HoldRow): Manner => ({
  prorateUsage: row.prorate_usage,
  disableProrates: row.disable_prorates,
  extendExpirations: row.extend_expirations,
});

interface Deciding {
  /** the last day of the membership as it is with the hold */
  readonly end: string | null;
  /** the hold as it is, which is not one of the others */
  readonly replaces?: HoldRow;
  /** missing while its bookings are not settled: `decideHolds` decides with what is used then */
  readonly usage?: Usage;
}

const ofPeriod = (amount: number, period: { start_date: string } | null): OfPeriod | null =>
  period === null || amount === 0 ? null : { period: period.start_date, amount };

/** `disable_prorates` leaves what is paid alone: such a hold lowers no worth of a period. */
const otherHold = (row: HoldRow): OtherHold => ({
  ...daysOf(row),
  prorates: row.prorate_usage && !row.disable_prorates,
  credit: ofPeriod(row.resolution.resolution.credit, row.resolution.start),
  charge: ofPeriod(row.resolution.resolution.charge, row.resolution.reactivation),
});

/** What is paid and given back for a hold of these days. */
export function decideFor(
  work: Work,
  { cycle, billed_price_minor: price, start_date: start, holds }: Owned,
  days: Days,
  { disableProrates, prorateUsage }: Manner,
  { end, replaces, usage }: Deciding,
): Decided {
  // What was paid for the period in which it begins stays, whatever the price has become since.
  const paid =
    cycle !== null &&
    replaces !== undefined &&
    periodAt(cycle, replaces.start_date) === periodAt(cycle, days.start) &&
    periodStart(cycle, periodAt(cycle, days.start)) <= todayOf(work);
  return decide({
    cycle,
    price,
    usage: usage ?? null,
    disableProrates,
    prorateUsage,
    end,
    startPrice: paid ? replaces.resolution.price : price,
    currency: work.tenant.currency,
    hold: days,
    start: start!,
    others: holds.filter((hold) => hold.id !== replaces?.id).map(otherHold),
  });
}
