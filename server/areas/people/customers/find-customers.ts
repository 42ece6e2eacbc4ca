import { addressKey } from '../../../kernel/base/values/mail-address.ts';
import { composed } from '../../../kernel/base/values/text/composed.ts';
import { and, raw, param, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { boolean, id, listOf, number, text } from '../../../kernel/base/fields/kinds.ts';
import { choice, filter, telling, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { escapeLike } from '../../../kernel/api/reading/text-filters.ts';
import { nowInstant, type Input } from '../../../kernel/work/access/viewer.ts';
import { customer, viewedWithAddress } from './customer.ts';

/** As in the specification's table: all staff; customers for their own record and their family's; no visitors. */
const whoSees: Who = { provider: true, customer: true, unregistered: false };

const WORDS = 4;

const LONGEST_QUERY = 200;

/** Returns a word as names and addresses are stored: two spellings that look alike find the same people. */
const asStored = (word: string): string =>
  word.includes('@') ? addressKey(word) : composed(word, LONGEST_QUERY).toLowerCase();

/** Returns a LIKE pattern that finds the n-th word anywhere; a missing word matches everything. */
function containing(query: string | undefined, n: number): string {
  const sent = (query ?? '').split(/\s+/).filter(Boolean)[n];
  const word = sent === undefined ? undefined : asStored(sent);
  return word === undefined ? '%' : `%${escapeLike(word)}%`;
}

const wordParams = Array.from({ length: WORDS }, (_, n) => param<Input>((i) => containing(i.query.query, n)));
const prefix = param<Input>((i) => `${escapeLike(asStored(String(i.query.autocomplete).trim()))}%`);

/** Returns the latest date of birth of people who have reached this age in years; fractions are fractions of a year. */
const birthdayBefore = (years: unknown) => sql`(${nowInstant}::timestamptz::date - ${years} * interval '1 year')::date`;

const age = (which: string) => number({ min: 0, max: 200 }).describe(which);

/**
 * Returns the earliest date of birth of people who are at most this old: a whole number includes the year until the
 * next birthday, a fraction means exactly that age.
 */
const firstBirthday = (years: unknown) =>
  sql`CASE WHEN ${years}::float8 = floor(${years}::float8) THEN ${birthdayBefore(sql`(${years}::float8 + 1)`)} + 1
    ELSE ${birthdayBefore(sql`${years}::float8`)} END`;
const begins = (words: Sql): Sql => sql`(${words} LIKE ${prefix} OR ${words} LIKE '% ' || ${prefix})`;

/** Viewers who can't see addresses must not find people by them: a match must be in the names as well. */
const byName = (t: string, found: (names: Sql) => Sql): Sql =>
  sql`
    (${viewedWithAddress}::boolean
      OR ${found(raw(`lower(coalesce(${t}.first_name, '') || ' ' || coalesce(${t}.last_name, ''))`))})`;

export const findCustomers = [
  ...listAndGet(customer, {
    path: '/customers',
    summary: 'List customers',
    get: 'Get a customer',
    who: whoSees,
    filters: {
      query: filter(
        text({ max: LONGEST_QUERY }).describe(
          'Each word must occur in a name or the email address. For staff without the permission `customers`, in a name.',
        ),
        (t) =>
          and(
            wordParams.flatMap((word) => [
              sql`${raw(t)}.search_text LIKE ${word}`,
              byName(t, (names) => sql`${names} LIKE ${word}`),
            ]),
          ),
      ),
      autocomplete: filter(
        text({ max: LONGEST_QUERY }).describe(
          'Beginning of a name or the email address. For staff without the permission `customers`, of a name.',
        ),
        (t) => sql`${begins(sql`${raw(t)}.search_text`)} AND ${byName(t, begins)}`,
      ),
      ids: filter(listOf(id()), (t, ids) => sql`${raw(t)}.id = ANY(${ids}::bigint[])`),
      family: filter(id(), (t, family) => sql`${raw(t)}.family_id = ${family}`),
      age_gte: telling(
        'date_of_birth',
        filter(
          age('At least this old, in years: 5.5 is five and a half.'),
          (t, years) => sql`${raw(t)}.date_of_birth <= ${birthdayBefore(sql`${years}::float8`)}`,
        ),
      ),
      age_lte: telling(
        'date_of_birth',
        filter(
          age('At most this old, in years: 17 is until the 18th birthday, 5.5 is five and a half.'),
          (t, years) => sql`${raw(t)}.date_of_birth >= ${firstBirthday(years)}`,
        ),
      ),
      participating: choice(boolean(), {
        true: (t) => raw(`${t}.participating`),
        false: (t) => raw(`NOT ${t}.participating`),
      }),
      deleted: choice(boolean().default(false), {
        true: (t) => raw(`${t}.deleted_at IS NOT NULL`),
        false: (t) => raw(`${t}.deleted_at IS NULL`),
      }),
    },
    sort: {
      id: { by: (t) => raw(`${t}.id`) },
      created_at: { by: (t) => raw(`${t}.created_at`) },
      last_name: { by: (t) => raw(`lower(${t}.last_name)`) },
    },
  }),
];
