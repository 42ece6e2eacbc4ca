/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import type { Tables } from '../../../kernel/base/db/table.ts';

export const TABLES: Tables = {
  assistant_proposal: { stays: 'A proposal is valid for minutes, at the installation that showed it.' },
};
