/** All reports, by their names. */
import { attendancesReport } from './attendances.ts';
import { classesReport } from './classes.ts';
import { customerCreditsReport } from './customer-credits.ts';
import { customerMembershipsReport } from './customer-memberships.ts';
import { customerReferralsReport } from './customer-referrals.ts';
import { customersReport } from './customers.ts';
import { discountCodeUsesReport } from './discount-code-uses.ts';
import { giftCardsReport } from './gift-cards.ts';
import { invoiceLineItemsReport } from './invoice-line-items.ts';
import { invoicesReport } from './invoices.ts';
import type { Report } from '../report.ts';

export const REPORTS: readonly Report[] = [
  attendancesReport,
  classesReport,
  customerCreditsReport,
  customerMembershipsReport,
  customerReferralsReport,
  customersReport,
  discountCodeUsesReport,
  giftCardsReport,
  invoiceLineItemsReport,
  invoicesReport,
];
