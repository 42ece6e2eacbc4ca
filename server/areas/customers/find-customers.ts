import { and, raw, slot, sql, type Sql } from '../../kernel/db/sql.ts';
import { boolean, id, integer, listOf, text } from '../../kernel/api/kinds.ts';
import { choice, filter, get, list, telling, type Who } from '../../kernel/api/endpoint.ts';
import { nowInstant, type Input } from '../../kernel/access/viewer.ts';
import { customer, viewedByCarers, viewedWithAddress } from './customer.ts';

/** The specification's table: any staff member; customers their own record and their family's; visitors none. */
const whoSees: Who = { provider: true, customer: true, unregistered: false };

const WORDS = 4;

/** A LIKE pattern that finds the n-th word anywhere; a missing word finds everything. */
export function containing(query: string | undefined, n: number): string {
  const word = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean)[n];
  return word === undefined ? '%' : `%${escapeLike(word)}%`;
}

export const escapeLike = (literal: string): string => literal.replace(/[\\%_]/g, '\\$&');

const wordSlots = Array.from({ length: WORDS }, (_, n) => slot<Input>((i) => containing(i.query.query, n)));
const prefix = slot<Input>((i) => `${escapeLike(String(i.query.autocomplete).toLowerCase().trim())}%`);

const begins = (words: Sql): Sql => sql`(${words} LIKE ${prefix} OR ${words} LIKE '% ' || ${prefix})`;

/** Who is not shown addresses must not find them by asking: what was found must be found in the names too. */
const byName = (t: string, found: (names: Sql) => Sql): Sql =>
  sql`(${viewedWithAddress}::boolean OR ${found(raw(`lower(coalesce(${t}.first_name, '') || ' ' || coalesce(${t}.last_name, ''))`))})`;

const birthdayBefore = (years: unknown) => sql`(${nowInstant}::timestamptz::date - make_interval(years => ${years}::int))::date`;

const hasLabel = (t: string, label: unknown) =>
  sql`EXISTS (SELECT FROM customer_label_link l WHERE l.provider_id = ${raw(t)}.provider_id AND l.customer_id = ${raw(t)}.id AND l.customer_label_id = ${label})`;

/** Nobody finds out by a filter or an order what is not shown to them. */
const forCarers = (condition: Sql): Sql => sql`${viewedByCarers}::boolean AND ${condition}`;

const positionOfStatus = (t: string) =>
  sql`CASE WHEN ${viewedByCarers}::boolean THEN (SELECT s.position FROM customer_status s WHERE s.provider_id = ${raw(t)}.provider_id AND s.id = ${raw(t)}.status_id) END`;

export const findCustomers = [
  list(customer, {
    path: '/customers',
    summary: 'Find customers',
    who: whoSees,
    filters: {
      query: filter(text({ max: 200 }).describe('Each word must occur in a name or the e-mail address; for staff without the permission `customers`, in a name.'), (t) =>
        and(wordSlots.flatMap((word) => [sql`${raw(t)}.search_text LIKE ${word}`, byName(t, (names) => sql`${names} LIKE ${word}`)])),
      ),
      autocomplete: filter(text({ max: 200 }).describe('Begins a name or the e-mail address; for staff without the permission `customers`, a name.'), (t) =>
        sql`${begins(sql`${raw(t)}.search_text`)} AND ${byName(t, begins)}`,
      ),
      ids: filter(listOf(id()), (t, ids) => sql`${raw(t)}.id = ANY(${ids}::bigint[])`),
      family: filter(id(), (t, family) => sql`${raw(t)}.family_id = ${family}`),
      age_gte: telling('date_of_birth', filter(integer({ min: 0, max: 200 }), (t, age) => sql`${raw(t)}.date_of_birth <= ${birthdayBefore(age)}`)),
      age_lte: telling('date_of_birth', filter(integer({ min: 0, max: 200 }), (t, age) => sql`${raw(t)}.date_of_birth > ${birthdayBefore(sql`(${age}::int + 1)`)}`)),
      status: filter(listOf(id(), { max: 100 }).describe('In any of these statuses.'), (t, ids) => forCarers(sql`${raw(t)}.status_id = ANY(${ids}::bigint[])`)),
      label: filter(id().describe('With this label.'), (t, label) => forCarers(hasLabel(t, label))),
      labels: filter(listOf(id(), { max: 100 }).describe('With all of these labels.'), (t, labels) =>
        forCarers(sql`NOT EXISTS (SELECT FROM unnest(${labels}::bigint[]) wanted WHERE NOT ${hasLabel(t, raw('wanted'))})`),
      ),
      active_memberships: filter(listOf(id(), { max: 100 }).describe('Who holds any of these memberships, the own or a shared one.'), (t, ids) =>
        sql`EXISTS (SELECT FROM customer_membership_held h WHERE h.provider_id = ${raw(t)}.provider_id AND h.customer_id = ${raw(t)}.id AND h.membership_id = ANY(${ids}::bigint[]))`,
      ),
      deleted: choice(boolean().default(false), {
        true: (t) => raw(`${t}.deleted_at IS NOT NULL`),
        false: (t) => raw(`${t}.deleted_at IS NULL`),
      }),
    },
    sort: {
      id: { by: (t) => raw(`${t}.id`) },
      created_at: { by: (t) => raw(`${t}.created_at`) },
      last_name: { by: (t) => raw(`lower(${t}.last_name)`) },
      status: { by: positionOfStatus },
    },
  }),
  get(customer, { path: '/customers/{id}', summary: 'Get a customer', who: whoSees }),
];
