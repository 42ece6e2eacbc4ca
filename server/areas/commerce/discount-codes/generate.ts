/** Generation of many codes in one request, one for each person. */
import { action, one } from '../../../kernel/api/endpoint.ts';
import { codeBody } from './values.ts';
import { discountCodeFeed } from './feed.ts';
import { columnsOf } from './values.ts';
import { discountCode } from './discount-code.ts';
import { groupFor } from './groups.ts';
import { instant, join, raw, sql } from '../../../kernel/base/db/sql.ts';
import { integer, object, text } from '../../../kernel/base/fields/kinds.ts';
import { randomInt } from 'node:crypto';
import { who } from './find-codes.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = discountCode.fields;

const MAX_CODES = 1000;

/** An alphabet without letters and digits that look alike, and without vowels, so that no code is a word. */
const ALPHABET = 'BCDFGHJKMNPQRTVWXYZ2346789';
/** Two hundred billion combinations: with a thousand codes, guessing one is hopeless. */
const LENGTH = 8;
/** Space left before the dash and the random part. */
const PREFIX = 20 - 1 - LENGTH;

const { group: _, ...values } = codeBody;

export const generate = action({
  path: '/discount_codes/bulk_generate',
  summary: 'Create many discount codes',
  description:
    'Creates codes that differ only in the code itself, in one group. Each begins with `code`, followed by a dash and eight random letters and digits that are hard to confuse. Returns the first. `GET /discount_codes?group=…` lists all of them. The codes are random, so a dry run shows different codes from those that are created later.',
  who,
  body: {
    ...values,
    code: text({ max: PREFIX, pattern: /[^\s-]/, hint: 'Must contain at least one letter or digit.' }).describe(
      `Prefix of all codes, at most ${PREFIX} characters.`,
    ),
    count: integer({ min: 1, max: MAX_CODES }).default(1).describe('Number of codes to create.'),
    status: f.status.default('active'),
    uses: integer().optional().describe('It changes nothing, but can be sent. A new code has no uses.'),
    group: object({ name: text({ max: 100 }) }).describe('A name that no group has creates one.'),
  },
  returns: one(discountCode),
  run: async ({ work, body: { code, count, uses: _uses, group, ...sent } }) => {
    const columns = { ...(await columnsOf(work, null, sent)), group_id: await groupFor(work, group) };
    const made: number[] = [];
    while (made.length < count) made.push(...(await insertCodes(work, columns, codesLike(code, count - made.length))));
    for (const id of made) work.record(discountCodeFeed.created, id, { discount_code: id });
    return made[0];
  },
});

const codesLike = (prefix: string, count: number): string[] =>
  Array.from(
    { length: count },
    () => `${prefix}-${Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`,
  );

/** Inserts codes and skips those that already exist. */
async function insertCodes(work: Work, columns: Record<string, unknown>, codes: readonly string[]): Promise<number[]> {
  const given = Object.entries({ ...columns, created_at: instant(work.now), updated_at: instant(work.now) }).filter(
    ([, value]) => value !== undefined,
  );
  const names = raw(given.map(([name]) => name).join(', '));
  const rows = await work.tx.rows<{ id: number }>(sql`
    INSERT INTO discount_code (provider_id, code, ${names})
    SELECT ${work.providerId}, c, ${join(
      given.map(([, value]) => sql`${value}`),
      ', ',
    )}
    FROM unnest(${codes}::text[]) c ON CONFLICT (provider_id, discount_code_key(code)) DO NOTHING RETURNING id`);
  for (const { id } of rows) work.touch('discount_code', id, null);
  return rows.map(({ id }) => id);
}
