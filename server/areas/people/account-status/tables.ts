/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  customer_registration_block: deleted('registration_blocks', { internal: true }),
  customer_issue: deleted('issues', { internal: true }),
};
