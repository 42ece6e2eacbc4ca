/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = ofBusiness('open_session', 'open_change');
