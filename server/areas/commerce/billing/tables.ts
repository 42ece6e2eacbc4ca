/** The tables of this area, and how each is handled when a business moves or a person is erased. */
import { ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  ...ofBusiness('billing_collection', 'billing_period', 'billing_settings', 'payment_subscription'),
};
