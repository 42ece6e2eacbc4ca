/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

const STORED = { stays: 'It is calculated again from the business’s invoices, entries and bookings.' };

export const TABLES: Tables = {
  ...ofBusiness('report_schedule'),
  report_export: { stays: 'Files of reports are there for a week. Ask for them again.' },
  report_change: STORED,
  report_state: STORED,
  report_turnout: STORED,
  revenue_month: STORED,
  revenue_part: STORED,
  revenue_sale: STORED,
};
