/** Whose mail it is, as the business has set it. */
import {
  LETTERHEAD_COLUMNS,
  letterheadOf,
  type Letterhead,
  type LetterheadRow,
} from '../../../kernel/mail/letterhead.ts';
import { DEFAULT_WORDS } from '../../../kernel/values/words.ts';
import { ENGLISH } from '../../../kernel/languages/languages.ts';
import { sql } from '../../../kernel/db/sql.ts';
import type { Transaction } from '../../../kernel/db/database.ts';

/** Without a name where there is no such business. */
export async function readLetterhead(tx: Transaction, providerId: number): Promise<Letterhead> {
  const row = await tx.one<LetterheadRow>(
    sql`SELECT ${LETTERHEAD_COLUMNS} FROM provider b WHERE b.provider_id = ${providerId}`,
  );
  return row ? letterheadOf(row) : { business: '', color: null, reader: ENGLISH, words: DEFAULT_WORDS, footer: [] };
}
