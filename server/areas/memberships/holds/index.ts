import { bulkHolds } from './bulk-holds.ts';
import { calendarJob, sweepHolds, zoneReader } from './calendar.ts';
import { changeHolds } from './change-holds.ts';
import { customerMembershipHold } from './hold.ts';
import { FEED } from './feed.ts';
import { findHolds } from './find-holds.ts';
import { Problem } from '../../../kernel/api/problem.ts';
import { showPaymentResolution } from './payment-resolution.ts';
import type { Area } from '../../../kernel/api/registry.ts';

export { customerMembershipHold } from './hold.ts';
export { decideHoldsOf, endHoldsOf } from './writes.ts';
export { settleDue } from './calendar.ts';

export const holds: Area = {
  name: 'holds',
  description:
    'Putting memberships on hold: they are not used and not paid for in that time, and continue where they stopped.',
  tables: ['customer_membership_hold'],
  resources: [customerMembershipHold],
  endpoints: [...findHolds, ...changeHolds, ...bulkHolds, showPaymentResolution],
  feed: FEED,
  readers: [zoneReader],
  jobs: [calendarJob],
  sweep: sweepHolds,
  constraints: {
    customer_membership_hold_one: () =>
      new Problem(
        'conflict',
        'The membership is already on hold at that time. Change that hold, or choose other days.',
        { start_date: ['It is already on hold at that time.'] },
      ),
  },
};
