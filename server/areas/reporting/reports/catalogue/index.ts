/** All reports by name. */
import { attendanceStrikesReport } from './attendance-strikes.ts';
import { attendancesReport } from './attendances.ts';
import { classesReport } from './classes.ts';
import { contentViewsReport } from './content-views.ts';
import { courseSessionAttendancesReport } from './course-session-attendances.ts';
import { customerCreditsReport } from './customer-credits.ts';
import { customerFieldChangesReport } from './customer-field-changes.ts';
import { customerMembershipHoldsReport } from './customer-membership-holds.ts';
import { customerMembershipsReport } from './customer-memberships.ts';
import { customerReferralsReport } from './customer-referrals.ts';
import { customersReport } from './customers.ts';
import { deferredRevenueReport } from './deferred-revenue.ts';
import { discountCodeUsesReport } from './discount-code-uses.ts';
import { fillRatesReport } from './fill-rates.ts';
import { giftCardsReport } from './gift-cards.ts';
import { instructedSessionsReport } from './instructed-sessions.ts';
import { instructorsReport } from './instructors.ts';
import { invoiceLineItemsReport } from './invoice-line-items.ts';
import { invoicesReport } from './invoices.ts';
import { lifetimeValuesReport } from './lifetime-values.ts';
import { membersAtRiskReport } from './members-at-risk.ts';
import { retentionReport } from './retention.ts';
import { revenueReport } from './revenue.ts';
import { smsMessagesReport } from './sms-messages.ts';
import { storeOrderItemsReport, storeOrdersReport } from './store-orders.ts';
import { utilisationReport } from './utilisation.ts';
import { unsignedWaiversReport, waiverSignaturesReport } from './waivers.ts';
import type { Report } from '../report.ts';

export const REPORTS: readonly Report[] = [
  attendanceStrikesReport,
  attendancesReport,
  classesReport,
  contentViewsReport,
  courseSessionAttendancesReport,
  customerCreditsReport,
  customerFieldChangesReport,
  customerMembershipHoldsReport,
  customerMembershipsReport,
  customerReferralsReport,
  customersReport,
  deferredRevenueReport,
  discountCodeUsesReport,
  fillRatesReport,
  giftCardsReport,
  instructedSessionsReport,
  instructorsReport,
  invoiceLineItemsReport,
  invoicesReport,
  lifetimeValuesReport,
  membersAtRiskReport,
  retentionReport,
  revenueReport,
  smsMessagesReport,
  storeOrderItemsReport,
  storeOrdersReport,
  unsignedWaiversReport,
  utilisationReport,
  waiverSignaturesReport,
];

/** Reports whose rows are already groups. */
export const TOTALS: readonly Report[] = [instructorsReport];
