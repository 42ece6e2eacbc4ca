import { adjustmentCreated, adjustmentVoided, findAdjustments, membershipAdjustment } from './adjustment.ts';
import { completeJob, sweepEnds } from './complete.ts';
import { createMembershipOfCustomer } from './create.ts';
import { customerMembership } from './customer-membership.ts';
import { FEED } from './feed.ts';
import { findCustomerMemberships } from './find.ts';
import { membershipPayer } from './payer.ts';
import { Problem } from '../../../kernel/api/problem.ts';
import { showUsage } from './usage.ts';
import type { Area } from '../../../kernel/api/registry.ts';

export {
  addAdjustment,
  heldByMyFamily,
  membershipAdjustment,
  voidAdjustments,
  type NewAdjustment,
} from './adjustment.ts';
export { boundOf, cycleOf, usesOf, type BoundFacts } from './facts.ts';
export { lockDisplaced, settleDisplaced, type Displaced, type Displacing } from './displaced.ts';
export { lockHeldBy } from './ledger.ts';
export { membershipPayer } from './payer.ts';
export { COMPLETE_TASK, completeOver } from './complete.ts';
export { prorate, usedIn, type Use } from './rules/allotment.ts';
export { checkDay, createCustomerMembership, todayOf, type NewCustomerMembership } from './writes.ts';
export { CANCELLATION_REASONS, customerMembership, PRICES, type CancellationReason } from './customer-membership.ts';
export { customerMembershipCancelled, customerMembershipDowngraded } from './feed.ts';
export { activeHold, holdsOf } from './hold-facts.ts';
export { allowedCancellation, renewsContract, type Agreed, type Bound } from './rules/contract.ts';
export { PRICE_EDIT } from './prices.ts';
import { USED_UP } from './rules/choice.ts';
export { REFUSALS } from './rules/choice.ts';
export { potOf } from './usage-periods.ts';
export { usageOf } from './usage.ts';

export const entitlements: Area = {
  name: 'entitlements',
  description: 'The memberships that customers hold: their dates, who they are shared with, and every use of them.',
  resources: [customerMembership, membershipAdjustment],
  endpoints: [...findCustomerMemberships, createMembershipOfCustomer, showUsage, ...findAdjustments],
  feed: [...FEED, adjustmentCreated, adjustmentVoided],
  jobs: [completeJob],
  sweep: sweepEnds,
  payers: [membershipPayer],
  constraints: {
    customer_membership_uses: () => new Problem('allotment_used_up', USED_UP),
  },
};
