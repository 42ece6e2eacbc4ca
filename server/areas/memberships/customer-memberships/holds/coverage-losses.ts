/**
 * Bookings that lose the membership when a hold changes: those on new days of the hold, and those after the
 * membership's last day if that day moves back.
 */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { beyond, type Days } from './rules/hold.ts';
import { daysOf, type HoldRow } from './hold-row.ts';
import type { CoverageLoss } from '../use/uncovered.ts';

/** An empty range: locks the membership, but no booking. */
const NO_DAYS = { from: '9999-12-31', to: '9999-12-31' };

const newDays = (hold: HoldRow, days: Days | null): CoverageLoss[] =>
  days === null
    ? []
    : beyond(days, daysOf(hold)).map(({ start, end }) => ({
        customerMembership: hold.customer_membership_id,
        from: start,
        to: end,
      }));

/**
 * Returns everything that a hold may displace, to be locked before the hold gets these days or is deleted. `end`: the
 * current last day of the membership.
 */
export const possibleLosses = (hold: HoldRow, days: Days | null, end: string | null): CoverageLoss[] => [
  { customerMembership: hold.customer_membership_id, ...NO_DAYS },
  ...newDays(hold, days),
  ...(end !== null && hold.extended_days > 0
    ? [{ customerMembership: hold.customer_membership_id, from: addDays(end, 1 - hold.extended_days), to: null }]
    : []),
];

/** Returns what the change has uncovered, by the last day of the membership before and after it. */
export const coverageLostBy = (
  hold: HoldRow,
  days: Days | null,
  { before, after }: { before: string | null; after: string | null },
): CoverageLoss[] => [
  ...newDays(hold, days),
  ...(before !== null && after !== null && after < before
    ? [{ customerMembership: hold.customer_membership_id, from: addDays(after, 1), to: null }]
    : []),
];
