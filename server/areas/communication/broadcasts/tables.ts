/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  ...ofBusiness('broadcast_message'),
  broadcast_exclusion: deleted('broadcasts_left_out', { internal: true }),
};
