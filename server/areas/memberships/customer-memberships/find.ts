import { activeHold, activeHoldEnd, activeHoldStart } from './use/hold-facts.ts';
import { boolean, date, id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { choice, filter, type Filter, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { customerMembership } from './customer-membership.ts';
import { raw, param, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { Field } from '../../../kernel/base/fields/field.ts';
import { parseDate, parseInstant, wallAt } from '../../../kernel/base/values/zone.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const whoSees: Who = { provider: true, customer: true, unregistered: false };

/** Alternative values of the filters, which differ from those of the resource; both are accepted. */
const ALSO: Record<string, string> = { complete: 'completed', recurring: 'recurring_plan', prepaid: 'prepaid_plan' };

/** Returns the filter for any of these values, in either spelling. */
const anyOf = (name: string, column: string, words: readonly string[]): Filter => {
  const wanted = param<Input>((i) => i.query[name].map((word: string) => ALSO[word] ?? word));
  return filter(listOf(oneOf(words)), (t) => sql`${raw(`${t}.${column}`)} = ANY(${wanted}::text[])`);
};

const ids = (column: string): Filter =>
  filter(listOf(id()), (t, wanted) => sql`${raw(`${t}.${column}`)} = ANY(${wanted}::bigint[])`);

const bound = (field: Field<string>, of: (t: string) => Sql, operator: '>=' | '<='): Filter =>
  filter(field, (t, v) => sql`${of(t)} ${raw(operator)} ${v}::date`);

/** Field for a day, or for an instant that stands for its day by the clock of the business. */
const day = (): Field<string> =>
  new Field<string>({
    schema: { type: 'string', format: 'date-time' },
    read: (input, path, { issues, zone }) => {
      if (typeof input === 'string' && parseDate(input) !== null) return input;
      const at = typeof input === 'string' ? parseInstant(input, zone) : null;
      return at === null
        ? issues.add(path, 'Must be a date, or a date and time, for example 2026-01-31T18:00:00+01:00.')
        : wallAt(at, zone).date;
    },
  });

const column =
  (name: string) =>
  (t: string): Sql =>
    raw(`${t}.${name}`);

const onMembership = (t: string): Sql =>
  raw(`JOIN membership mm ON mm.provider_id = ${t}.provider_id AND mm.id = ${t}.membership_id`);

export const findCustomerMemberships = [
  ...listAndGet(customerMembership, {
    path: '/customer_memberships',
    summary: 'List memberships that customers hold',
    get: 'Get a membership that a customer holds',
    description: 'Customers see their own, those of their family, and those that are shared with them.',
    who: whoSees,
    filters: {
      active_hold_start_date_gte: bound(date(), activeHoldStart, '>='),
      active_hold_start_date_lte: bound(date(), activeHoldStart, '<='),
      active_hold_end_date_gte: bound(date(), activeHoldEnd, '>='),
      active_hold_end_date_lte: bound(date(), activeHoldEnd, '<='),
      awaits_approval: choice(boolean().describe('True for imported plans that are not billed yet.'), {
        true: (t) => raw(`${t}.awaits_approval`),
        false: (t) => raw(`NOT ${t}.awaits_approval`),
      }),
      customer: ids('customer_id'),
      expiration_date_gte: bound(day(), column('expiration_date'), '>='),
      expiration_date_lte: bound(day(), column('expiration_date'), '<='),
      has_active_hold: choice(boolean().describe('True for a current or upcoming hold.'), {
        true: (t) => sql`${activeHold(t)} IS NOT NULL`,
        false: (t) => sql`${activeHold(t)} IS NULL`,
      }),
      has_expiration_date: choice(boolean(), {
        true: (t) => raw(`${t}.expiration_date IS NOT NULL`),
        false: (t) => raw(`${t}.expiration_date IS NULL`),
      }),
      ids: ids('id'),
      membership: ids('membership_id'),
      membership_type: anyOf('membership_type', 'membership_type', [
        'pack',
        'recurring',
        'prepaid',
        'recurring_plan',
        'prepaid_plan',
      ]),
      owned_or_shared_with_customer: filter(
        id().describe('Memberships that this customer can use.'),
        (t, customer) => sql`${raw(t)}.id IN (
        SELECT u.customer_membership_id FROM customer_membership_user u
        WHERE u.provider_id = current_provider_id() AND u.customer_id = ${customer})`,
      ),
      owned_or_shared_with_family: filter(
        id().describe('Memberships that anyone in this family can use.'),
        (t, family) => sql`${raw(t)}.id IN (
        SELECT u.customer_membership_id FROM customer c
        JOIN customer_membership_user u ON u.provider_id = c.provider_id AND u.customer_id = c.id
        WHERE c.provider_id = current_provider_id() AND c.family_id = ${family} AND c.deleted_at IS NULL)`,
      ),
      start_date_gte: bound(day(), column('start_date'), '>='),
      start_date_lte: bound(day(), column('start_date'), '<='),
      status: anyOf('status', 'status', ['active', 'hold', 'complete', 'completed', 'cancelled']),
    },
    sort: {
      id: { by: column('id') },
      expiration_date: { by: column('expiration_date') },
      'membership.name': { by: () => raw('lower(mm.name)'), join: onMembership },
      'membership.type': { by: column('membership_type') },
      start_date: { by: column('start_date') },
      status: { by: column('status') },
    },
  }),
];
