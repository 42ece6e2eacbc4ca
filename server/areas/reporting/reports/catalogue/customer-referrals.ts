/** Referrals: one row for each referred customer. */
import { anyOf, changed, COUNT, customerColumns, named, oneOfThese, withinDays, yearAndMonth } from './common.ts';
import { below, column, report } from '../report.ts';
import type { Columns } from '../columns.ts';
import { date, id, instant, integer, money, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { ZONE } from '../moment.ts';

const STATUSES = ['pending', 'confirmed', 'cancelled'] as const;
const SIGNED_UP = sql`(f.created_at AT TIME ZONE ${ZONE})::date`;
const CONFIRMED = sql`(f.confirmed_at AT TIME ZONE ${ZONE})::date`;

const person = (name: string, t: string, v: string, who: string, aliases = {}): Columns => ({
  ...customerColumns(t, name, { id: `${name}_id`, name: `${name}_name`, email: `${name}_email`, ...aliases }),
  ...below(
    name,
    named('venue', v, `the venue of the customer who ${who}`),
    (key) => `${name}_${key.replace('.', '_')}`,
  ),
});

/** The reference misspells these two names. */
const MISSPELT = { name: 'referrering_customer_name', email: 'referrering_customer_email' };

const status = column(oneOf(STATUSES), 'f.status', 'Whether it has been confirmed.');

export const customerReferralsReport = report('customer_referrals', {
  title: 'referrals',
  description: 'Referrals, with both customers and the result.',
  who: ['customers'],
  from: 'referral f',
  joins: {
    r: raw('JOIN customer r ON r.provider_id = f.provider_id AND r.id = f.referrer_id'),
    c: raw('JOIN customer c ON c.provider_id = f.provider_id AND c.id = f.customer_id'),
    rv: raw('LEFT JOIN venue rv ON rv.provider_id = r.provider_id AND rv.id = r.venue_id'),
    cv: raw('LEFT JOIN venue cv ON cv.provider_id = c.provider_id AND cv.id = c.venue_id'),
    m: raw(
      `LEFT JOIN LATERAL (SELECT x.* FROM customer_membership x
        WHERE x.provider_id = f.provider_id AND x.customer_id = f.customer_id ORDER BY x.id LIMIT 1) m ON true`,
    ),
    p: raw('LEFT JOIN membership p ON p.provider_id = m.provider_id AND p.id = m.membership_id'),
  },
  id: 'f.id',
  venue: null,
  columns: {
    id: column(id(), 'f.id', 'ID of the referral.'),
    ...person('referring_customer', 'r', 'rv', 'referred', MISSPELT),
    ...person('signup_customer', 'c', 'cv', 'was referred'),
    ...below(
      'signup_customer_membership',
      {
        id: column(id(), 'm.id', 'ID of the first membership that the new customer bought.'),
        status: column(text(), 'm.status', 'Status of that membership.'),
        'membership.id': column(id(), 'p.id', 'ID of what was bought.'),
        'membership.name': column(text(), 'p.name', 'Name of what was bought.'),
        use_count: column(
          integer({ min: 0 }),
          `(SELECT -coalesce(sum(e.amount), 0) FROM entitlement_entry e
            WHERE e.provider_id = m.provider_id AND e.customer_membership_id = m.id)`,
          'Number of uses.',
        ),
      },
      {
        id: 'customer_membership_id',
        status: 'customer_membership_status',
        'membership.id': 'membership_id',
        'membership.name': 'membership_name',
        use_count: 'membership_use_count',
      },
    ),
    credit_given: column(money(), 'f.referrer_credit_minor', 'Account credit that the customer who referred got.', {
      for: ['revenue', 'customer_payments'],
    }),
    signup_date: column(date(), SIGNED_UP, 'Day on which the new customer signed up.'),
    confirmation_date: column(date(), CONFIRMED, 'Day on which it was confirmed.'),
    updated_at: column(instant(), 'f.updated_at', 'When it changed last.'),
    status,
  },
  sort: '-id',
  customer: 'signup_customer.id',
  filters: {
    ...withinDays('confirmation_date', CONFIRMED, date),
    memberships: anyOf('p.id'),
    referring_customers: anyOf('f.referrer_id'),
    signup_customers: anyOf('f.customer_id'),
    ...withinDays('signup_date', SIGNED_UP, date),
    status: oneOfThese(['pending', 'confirmed'], 'f.status'),
    ...changed('f'),
  },
  grouped: {
    by: {
      ...customerColumns('r', 'referring_customer', { id: 'referring_customer_id', ...MISSPELT }),
      ...named('signup_membership', 'p', 'the first membership that the new customer bought', {
        id: 'membership_id',
        name: 'membership_name',
      }),
      ...yearAndMonth(SIGNED_UP, 'the sign-up', ['signup_year', 'signup_month']),
      status,
    },
    measures: { count: COUNT },
  },
});
