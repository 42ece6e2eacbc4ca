import { boolean, id, listOf, oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { choice, EVERYONE, filter, listAndGet, type Filter } from '../../../../kernel/api/endpoint.ts';
import { customerForm, customerFormSubmission, membershipLink, typeLink } from './customer-form.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { whoAnswers } from '../find-fields.ts';

const ids = () => listOf(id(), { max: 200 }).describe('Comma-separated list of ids.');

/** Matches forms that are asked for any of these offering types or memberships. */
const appliesToAny =
  (what: 'offering_type' | 'membership') =>
  (t: string, wanted: unknown): Sql => {
    const linked = sql`EXISTS (SELECT FROM ${raw(`customer_form_${what}`)} l
      WHERE l.provider_id = ${raw(t)}.provider_id AND l.customer_form_id = ${raw(t)}.id
        AND l.${raw(`${what}_id`)} = ANY(${wanted}::bigint[]))`;
    const others = sql`EXISTS (SELECT FROM unnest(${wanted}::bigint[]) w (id) WHERE NOT EXISTS (
      SELECT FROM ${raw(`customer_form_${what}`)} l WHERE l.provider_id = ${raw(t)}.provider_id
        AND l.customer_form_id = ${raw(t)}.id AND l.${raw(`${what}_id`)} = w.id))`;
    return sql`CASE ${raw(t)}.${raw(`${what}s_applies_to`)} WHEN 'all' THEN true WHEN 'only' THEN ${linked}
      WHEN 'all_except' THEN ${others} ELSE false END`;
  };

const LINKS = { offering_type: typeLink, membership: membershipLink };

/** Finds offering types or memberships that any of these forms names. */
export const onForms = (what: keyof typeof LINKS): Filter =>
  filter(
    ids(),
    (t, forms) => sql`EXISTS (SELECT FROM ${raw(LINKS[what].table)} l
      WHERE l.provider_id = ${raw(t)}.provider_id AND l.${raw(`${what}_id`)} = ${raw(t)}.id
        AND l.customer_form_id = ANY(${forms}::bigint[]))`,
  );

const SCOPES = {
  all_offering_types: `offering_types_applies_to = 'all'`,
  all_memberships: `memberships_applies_to = 'all'`,
  at_least_one_membership: `memberships_applies_to <> 'none'`,
  at_least_one_offering_type: `offering_types_applies_to <> 'none'`,
} as const;
const SCOPE_NAMES = Object.keys(SCOPES) as (keyof typeof SCOPES)[];

const isAskedLater = (t: string): Sql =>
  raw(`(${t}.offering_types_applies_to <> 'none' OR ${t}.memberships_applies_to <> 'none')`);

/** Matches forms with any of these scopes. */
function scopeOf(t: string, scopes: unknown): Sql {
  const [first, ...rest] = SCOPE_NAMES.map(
    (scope) => sql`(${scope} = ANY(${scopes}::text[]) AND ${raw(`${t}.${SCOPES[scope]}`)})`,
  );
  return sql`(${rest.reduce((all, one) => sql`${all} OR ${one}`, first)})`;
}

export const findForms = [
  ...listAndGet(customerForm, {
    path: '/customer_forms',
    summary: 'List customer forms',
    get: 'Get a customer form',
    who: EVERYONE,
    filters: {
      applicable_to: filter(listOf(oneOf(SCOPE_NAMES)).describe('Only forms with any of these scopes.'), scopeOf),
      applicable_to_memberships: filter(ids(), appliesToAny('membership')),
      applicable_to_offering_types: filter(ids(), appliesToAny('offering_type')),
      no_signup: choice(
        boolean().describe('True: only forms that are not asked at sign-up. False: only those that are.'),
        { true: isAskedLater, false: (t) => sql`NOT ${isAskedLater(t)}` },
      ),
      submitted_by: filter(
        ids(),
        (t, customers) => sql`EXISTS (SELECT FROM customer_form_submission s
          WHERE s.provider_id = ${raw(t)}.provider_id AND s.customer_form_id = ${raw(t)}.id
            AND s.customer_id = ANY(${customers}::bigint[]))`,
      ),
    },
    sort: { order: { by: (t) => raw(`${t}.sort_order`) }, id: { by: (t) => raw(`${t}.id`) } },
    defaultSort: 'order',
  }),
  ...listAndGet(customerFormSubmission, {
    path: '/customer_form_submissions',
    summary: 'List submissions of customer forms',
    get: 'Get a submission of a customer form',
    who: whoAnswers,
    filters: {
      customer: filter(ids(), (t, customers) => sql`${raw(t)}.customer_id = ANY(${customers}::bigint[])`),
      form: filter(ids(), (t, forms) => sql`${raw(t)}.customer_form_id = ANY(${forms}::bigint[])`),
    },
    sort: { created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: '-created_at',
  }),
];
