import { accountReasons } from '../../money/account-entries/index.ts';
import { customerFilters, customerProperties } from './of-customers.ts';
import { approveRenewals } from './renewals/approval.ts';
import { bulkEditPrices } from './prices/bulk-edit-prices.ts';
import { bulkExtend } from './changes/bulk-extend.ts';
import { bulkHolds } from './holds/bulk-holds.ts';
import { bulkJob } from '../../platform/bulk/index.ts';
import { calendarJob, sweepHolds, zoneReader } from './holds/calendar.ts';
import { cancel } from './changes/cancel.ts';
import { changeHolds } from './holds/change-holds.ts';
import { completeJob, sweepEnds } from './renewals/complete.ts';
import { createMembershipOfCustomer } from './create.ts';
import { customerMembership } from './customer-membership.ts';
import { customerMembershipHold } from './holds/hold.ts';
import { downgradeMembership } from './changes/downgrade.ts';
import { ENDING_NOTICES } from './changes/notice-types.ts';
import { editPrices } from './prices/price-edit.ts';
import { extendExpiration } from './changes/expiration.ts';
import { FEED } from './feed.ts';
import { FEED as CHANGES_FEED } from './changes/feed.ts';
import { FEED as HOLDS_FEED } from './holds/feed.ts';
import { findCustomerMemberships } from './find.ts';
import { findHolds } from './holds/find-holds.ts';
import { membershipBillers } from './billers.ts';
import { attendanceProperties, MEMBERSHIP_TO_TRY, MEMBERSHIP_TO_USE, membershipPayer } from './use/payer.ts';
import { payers } from '../../scheduling/schedule/index.ts';
import { HOLD, REACTIVATION, UPGRADE } from './account-reasons.ts';
import { MEMBERSHIP_PROBLEMS } from './problems.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { reactivateMembership } from './changes/reactivate.ts';
import { membershipRenewalsFeed } from './renewals/feed.ts';
import { REMINDERS } from './renewals/notice-types.ts';
import { remindJob, sweepReminders } from './renewals/remind.ts';
import { renewJob, sweepRenewals } from './renewals/renew.ts';
import { share, shareStatus, showShareStatus, unshare } from './sharing/sharing.ts';
import { shareEach, shareWithFamilies } from './sharing/share-with-families.ts';
import { FEED as SHARING_FEED } from './sharing/feed.ts';
import { membershipPriceChange } from './prices/price-change.ts';
import { membershipPricesFeed, priceChangeFeed } from './prices/feed.ts';
import { PRICE_NOTICES } from './prices/notice-types.ts';
import { announcePrices, applyJob, priceChangeEndpoints, sweepPriceChanges } from './prices/schedule-change.ts';
import { showPaymentResolution } from './holds/payment-resolution.ts';
import { showUsage } from './use/usage.ts';
import { upgradeMembership } from './changes/upgrade.ts';
import { USED_UP } from './use/rules/choice.ts';
import { TABLES } from './tables.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { Area } from '../../../kernel/api/area.ts';
import { one, say } from '../../../kernel/base/values/words.ts';

export { renewDue } from './renewals/renew.ts';
export { membershipBillers, type DuePeriod, type Expected, type MembershipBiller } from './billers.ts';
export { periodsAhead } from './renewals/ahead.ts';
export { cancelMembership } from './changes/cancel.ts';
export { moveExpirations } from './changes/expiration.ts';
export { pauseMembership, resumeMembership } from './holds/change-holds.ts';
export { settleHoldsSoon } from './holds/calendar.ts';
export { setUnpaid } from './changes/unpaid.ts';
export { downgrade } from './changes/downgrade.ts';
export { createCustomerMembership, quoteSale, type Quote } from './writes.ts';
export { chargesAhead, type ExpectedCharge } from './renewals/approval.ts';
export { decideMoved, writeMoved, type Decided, type MovedState } from './import/moved.ts';
export { takeBackMoved } from './import/take-back.ts';
export { usesLimit } from './import/uses-left.ts';
export { planAt, productsFor } from './import/products.ts';
export { lockAllOwned, lockOwnedBy } from './owned.ts';
export { MEMBERSHIP_PROBLEMS } from './problems.ts';
export { usesLeftOn } from './use/left.ts';
export { REFUSALS } from './use/rules/choice.ts';
export { firstPeriodEnd } from './rules/purchase.ts';
export { upgrade } from './changes/upgrade.ts';
export type { Wanted } from './changes/successor.ts';
export { settleDue } from './holds/calendar.ts';

/** Bookings that memberships pay for. */
const BOOKINGS = [
  'POST /events/{id}/register',
  'POST /events/{id}/join_waitlist',
  'POST /events/{id}/confirm_attendance',
  'PATCH /attendances/{id}',
  'POST /attendances/{id}/move',
];

export const customerMemberships: Area = {
  name: 'customer_memberships',
  description:
    'The memberships that customers own: their dates, billing periods, uses, prices, and who they are shared with.',
  tables: TABLES,
  resources: [customerMembership, shareStatus, membershipPriceChange],
  filters: { '/customers': customerFilters },
  endpoints: [
    ...findCustomerMemberships,
    createMembershipOfCustomer,
    showUsage,
    cancel,
    reactivateMembership,
    extendExpiration,
    upgradeMembership,
    downgradeMembership,
    approveRenewals,
    bulkEditPrices,
    ...priceChangeEndpoints,
    bulkExtend,
    share,
    unshare,
    showShareStatus,
    shareWithFamilies,
  ],
  topics: [
    {
      name: 'membership_holds',
      description: 'Days on which memberships of customers are on hold: neither used nor paid for.',
      resources: [customerMembershipHold],
      endpoints: [...findHolds, ...changeHolds, ...bulkHolds, showPaymentResolution],
    },
  ],
  problems: MEMBERSHIP_PROBLEMS,
  translations: readTranslations('customer-memberships/refusals'),
  refuses: Object.fromEntries(BOOKINGS.map((operation) => [operation, Object.values(MEMBERSHIP_PROBLEMS)])),
  feed: [
    ...FEED,
    ...HOLDS_FEED,
    membershipRenewalsFeed,
    ...CHANGES_FEED,
    ...SHARING_FEED,
    membershipPricesFeed,
    priceChangeFeed,
  ],
  properties: { attendance: attendanceProperties, customer: customerProperties },
  inputs: {
    'POST /events/{id}/register': { customer_membership: MEMBERSHIP_TO_USE },
    'GET /events/{id}/explain': { customer_membership: MEMBERSHIP_TO_TRY },
  },
  notices: [...Object.values(ENDING_NOTICES), ...Object.values(PRICE_NOTICES), ...Object.values(REMINDERS)],
  ports: [membershipBillers],
  fills: [accountReasons.with(HOLD, REACTIVATION, UPGRADE), payers.with(membershipPayer)],
  readers: [zoneReader],
  jobs: [
    completeJob,
    calendarJob,
    renewJob,
    remindJob,
    applyJob,
    bulkJob(editPrices),
    bulkJob(announcePrices),
    bulkJob(shareEach),
  ],
  async sweep(tx, now) {
    await sweepEnds(tx, now);
    await sweepHolds(tx, now);
    await sweepRenewals(tx, now);
    await sweepReminders(tx, now);
    await sweepPriceChanges(tx, now);
  },
  constraints: {
    membership_price_change_one: () =>
      new Problem('already_exists', 'A price change of this membership is already scheduled. Cancel it first.'),
    customer_membership_uses: () => new Problem(MEMBERSHIP_PROBLEMS.allotment_used_up, USED_UP),
    customer_membership_hold_one: () =>
      new Problem(
        'conflict',
        say`The ${one.membership} is already on hold at that time. Change that hold, or choose other days.`,
        { start_date: ['It is already on hold at that time.'] },
      ),
  },
};
