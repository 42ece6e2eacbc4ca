import { raw, slot, sql, type Sql } from '../../kernel/db/sql.ts';
import { boolean, id, integer, listOf, slugOrId, text } from '../../kernel/api/kinds.ts';
import { Field } from '../../kernel/api/field.ts';
import { choice, filter, get, list, type Who } from '../../kernel/api/endpoint.ts';
import { nowInstant, type Input } from '../../kernel/access/viewer.ts';
import { customer, viewedByCarers } from './customer.ts';

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

const birthdayBefore = (years: unknown) => sql`(${nowInstant}::timestamptz::date - make_interval(years => ${years}::int))::date`;

const hasLabel = (t: string, label: unknown) =>
  sql`EXISTS (SELECT FROM customer_label_link l WHERE l.provider_id = ${raw(t)}.provider_id AND l.customer_id = ${raw(t)}.id AND l.customer_label_id = ${label})`;

/** Nobody finds out by a filter or an order what is not shown to them. */
const forCarers = (condition: Sql): Sql => sql`${viewedByCarers}::boolean AND ${condition}`;

/** A status by its slug or id; null, in a query the word, stands for none. */
function statusOrNone(): Field<string | number | null> {
  const { spec } = slugOrId('customer_status').nullable();
  const { relation: _, ...plain } = spec;
  return new Field({
    ...plain,
    schema: { type: ['string', 'integer', 'null'] },
    read: (input, path, reading) => (reading.text && String(input).trim() === 'null' ? null : spec.read(input, path, reading)),
  });
}

/** What is the slug of one status is not taken for the id of another. An array that is found first can be looked up in the index. */
const inStatus = (t: string, named: unknown): Sql => sql`(
  ${raw(t)}.status_id = ANY(ARRAY(
    SELECT s.id FROM customer_status s WHERE s.provider_id = current_provider_id() AND (s.slug = ANY(${named}::text[]) OR (s.id::text = ANY(${named}::text[])
      AND NOT EXISTS (SELECT FROM customer_status other WHERE other.provider_id = s.provider_id AND other.slug = s.id::text)))))
  OR (${raw(t)}.status_id IS NULL AND array_position(${named}::text[], NULL) IS NOT NULL))`;

const positionOfStatus = (t: string) =>
  sql`CASE WHEN ${viewedByCarers}::boolean THEN (SELECT s.position FROM customer_status s WHERE s.provider_id = ${raw(t)}.provider_id AND s.id = ${raw(t)}.status_id) END`;

export const findCustomers = [
  list(customer, {
    path: '/customers',
    summary: 'Find customers',
    who: whoSees,
    filters: {
      query: filter(text({ max: 200 }).describe('Each word must occur in a name or the e-mail address.'), (t) =>
        wordSlots.map((word) => sql`${raw(t)}.search_text LIKE ${word}`).reduce((a, b) => sql`${a} AND ${b}`),
      ),
      autocomplete: filter(text({ max: 200 }).describe('Begins a name or the e-mail address.'), (t) =>
        sql`(${raw(t)}.search_text LIKE ${prefix} OR ${raw(t)}.search_text LIKE '% ' || ${prefix})`,
      ),
      ids: filter(listOf(id()), (t, ids) => sql`${raw(t)}.id = ANY(${ids}::bigint[])`),
      family: filter(id(), (t, family) => sql`${raw(t)}.family_id = ${family}`),
      age_gte: filter(integer({ min: 0, max: 200 }), (t, age) => sql`${raw(t)}.date_of_birth <= ${birthdayBefore(age)}`),
      age_lte: filter(integer({ min: 0, max: 200 }), (t, age) => sql`${raw(t)}.date_of_birth > ${birthdayBefore(sql`(${age}::int + 1)`)}`),
      status: filter(
        listOf(statusOrNone(), { max: 100 }).describe('In any of these statuses, by their slugs or ids; `null` finds customers without one: `status=converted,null`.'),
        (t, named) => forCarers(inStatus(t, named)),
      ),
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
