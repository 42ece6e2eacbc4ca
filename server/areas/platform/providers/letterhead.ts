/** The sender of emails, as the business has configured it. */
import {
  LETTERHEAD_COLUMNS,
  letterheadOf,
  type Letterhead,
  type LetterheadRow,
} from '../../../kernel/base/mail/letterhead.ts';
import { DEFAULT_WORDS } from '../../../kernel/base/values/words.ts';
import { ENGLISH } from '../../../kernel/base/languages/languages.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Columns of a letterhead; `b` is the row of the business. */
export const LETTERHEAD = sql`${LETTERHEAD_COLUMNS},
  EXISTS (SELECT FROM provider_theme lt WHERE lt.provider_id = b.provider_id
  AND (lt.logo_id IS NOT NULL OR lt.homescreen_logo_id IS NOT NULL)) AS has_icon`;

const NOBODY: Letterhead = {
  business: '',
  color: null,
  icon: null,
  reader: ENGLISH,
  words: DEFAULT_WORDS,
  footer: [],
};

/** Returns a letterhead without a name if there is no such business. */
export async function readLetterhead({
  tx,
  providerId,
  installation,
}: Pick<Work, 'tx' | 'providerId' | 'installation'>): Promise<Letterhead> {
  const row = await tx.one<LetterheadRow>(
    sql`SELECT ${LETTERHEAD} FROM provider b WHERE b.provider_id = ${providerId}`,
  );
  return row ? letterheadOf(row, installation.baseUrl) : NOBODY;
}
