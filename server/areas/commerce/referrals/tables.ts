/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { BOOKS, kept, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  ...ofBusiness('customer_referral_settings', 'referral_settings'),
  referral: kept('referrals', BOOKS),
};
