/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { purpose } from './secret.ts';

export const TABLES: Tables = {
  ...ofBusiness('partner_booking'),
  partner: { sealed: { sealed: (row) => purpose(row.provider_id, row.id) } },
  partner_message: deleted('partner_messages'),
  partner_person: deleted('partner_people'),
};
