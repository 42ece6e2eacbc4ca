/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  sign_up: {
    ...deleted('sign_ups', { rows: ({ emails }) => sql`t.email_key = ANY(${emails}::text[])` }),
    stays:
      'The data that people entered when they signed up waits for the link in an email, which leads to the old installation.',
  },
};
