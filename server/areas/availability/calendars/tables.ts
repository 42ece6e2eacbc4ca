/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { printOf, purpose } from './outside/address.ts';

export const TABLES: Tables = {
  ...ofBusiness('external_calendar', 'external_calendar_event', 'staff_calendar_setting'),
  calendar_feed: deleted('calendar_addresses', { hidden: ['generation'] }),
  external_calendar_account: {
    sealed: { sealed: (row) => purpose(row.provider_id, row.id) },
    printed: { address_print: (box, row) => printOf(box, row.provider_id, row.staff_id, row.sealed) },
  },
};
