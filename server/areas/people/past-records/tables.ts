/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = { past_visit: deleted('past_visits') };
