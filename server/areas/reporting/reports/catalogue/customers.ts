/** Customers: one row for each person whom the business knows. */
import { anyOf, COUNT, countField, isTrue, named, nameOf, within, withinDays } from './common.ts';
import {
  called,
  boolean,
  date,
  email,
  id,
  instant,
  integer,
  listOf,
  map,
  money,
  object,
  oneOf,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { column, filterBy, report } from '../report.ts';
import type { Column, Columns, ReportFilter } from '../columns.ts';
import { ANSWER_COLUMNS, answersOf } from '../../../agreements/customer-fields/index.ts';
import { given, NOW, TODAY, ZONE } from '../moment.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

/** Counts the customer's bookings in one of these states. */
const bookings = (...statuses: string[]): Sql =>
  raw(`(SELECT count(*) FROM attendance a WHERE a.provider_id = c.provider_id AND a.customer_id = c.id
    AND a.status IN (${statuses.map((status) => `'${status}'`).join(', ')}))`);

/** Lists the customer's memberships in a state, with the details of each. */
const membershipsThat = (status: string): Sql =>
  raw(`
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'membership',
      jsonb_build_object('id', p.id, 'name', p.name)) ORDER BY m.id), '[]'::jsonb)
    FROM customer_membership m JOIN membership p ON p.provider_id = m.provider_id AND p.id = m.membership_id
    WHERE m.provider_id = c.provider_id AND m.customer_id = c.id AND m.status ${status})`);

const membershipList = () => listOf(object({ id: id(), membership: object({ id: id(), name: text() }) }));

const cameWithin = (days: number): Sql =>
  sql`EXISTS (SELECT FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
    WHERE a.provider_id = c.provider_id AND a.customer_id = c.id AND a.status = 'attended'
      AND e.starts_at > ${NOW}::timestamptz - interval '${raw(String(days))} days'
      AND e.starts_at <= ${NOW}::timestamptz)`;

const IS_MEMBER = raw(
  `EXISTS (SELECT FROM customer_membership m
    WHERE m.provider_id = c.provider_id AND m.customer_id = c.id AND m.status = 'active')`,
);
const WILL_COME = sql`EXISTS (SELECT FROM attendance a
  JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
  WHERE a.provider_id = c.provider_id AND a.customer_id = c.id AND a.status = 'registered' AND e.status = 'active'
    AND e.starts_at > ${NOW}::timestamptz)`;

const IS_ACTIVE = sql`(${IS_MEMBER} OR ${cameWithin(30)})`;
const IS_NEW = sql`(c.created_at > ${NOW}::timestamptz - interval '30 days')`;
const IS_CLAIMED = raw('(c.user_id IS NOT NULL)');
const IS_SLIPPING_AWAY = sql`(${cameWithin(90)} AND NOT ${cameWithin(30)} AND NOT ${WILL_COME})`;
const IS_BLOCKED = sql`EXISTS (SELECT FROM customer_registration_block b
  WHERE b.provider_id = c.provider_id AND b.customer_id = c.id AND b.lifted_at IS NULL
    AND (b.ends_at IS NULL OR b.ends_at > ${NOW}::timestamptz))`;
const AGE = sql`date_part('year', age(${TODAY}::date, c.date_of_birth))::int`;
const CREDIT = raw(
  `(SELECT coalesce(-sum(b.amount_minor), 0) FROM customer_balance b
    WHERE b.provider_id = c.provider_id AND b.customer_id = c.id AND b.account = 'credit')`,
);

const LATEST = sql`
  (SELECT jsonb_build_object('id', e.id, 'starts_at', to_char(e.local_starts_at, 'YYYY-MM-DD"T"HH24:MI:SS'),
    'name', e.name,
    'type', CASE WHEN o.schedule_type = 'course' THEN 'course_session' ELSE 'event' END)
  FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
    JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
  WHERE a.provider_id = c.provider_id AND a.customer_id = c.id AND a.status IN ('registered', 'attended', 'no_show')
  ORDER BY e.starts_at DESC, e.id DESC LIMIT 1)`;

const LATEST_START =
  raw(`(SELECT max(e.starts_at) FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
  WHERE a.provider_id = c.provider_id AND a.customer_id = c.id AND a.status IN ('registered', 'attended', 'no_show'))`);

/** Selects a value of the customer's last incoming payment. */
const lastPayment = (what: string): Sql =>
  raw(
    `(SELECT p.${what} FROM payment p WHERE p.provider_id = c.provider_id AND p.customer_id = c.id AND p.status = 'succeeded' ORDER BY p.succeeded_at DESC, p.id DESC LIMIT 1)`,
  );

const invoicesThat = (status: string): Sql =>
  raw(
    `EXISTS (SELECT FROM invoice i WHERE i.provider_id = c.provider_id AND i.customer_id = c.id AND i.status = '${status}')`,
  );

const ASKED = given('extra_customer_fields');

const ANSWERS = sql`
  (SELECT jsonb_agg(jsonb_build_object('key', f.key, ${raw(ANSWER_COLUMNS)}) ORDER BY f.position, f.id)
  FROM customer_field_value v
  JOIN customer_field f ON f.provider_id = v.provider_id AND f.id = v.customer_field_id
  WHERE v.provider_id = c.provider_id AND v.customer_id = c.id AND CASE WHEN ${ASKED} = '' THEN NOT f.is_sensitive
    ELSE f.key = ANY(string_to_array(${ASKED}, ',')) END)`;

/** Answers by the keys of their questions. */
const answers: Column = {
  ...column(
    map(),
    ANSWERS,
    'Answers to the questions of the business. Sensitive ones are left out unless they are asked for.',
    { for: ['customers'], sortable: false },
  ),
  make: ([rows], wire) => {
    const asked = JSON.parse(rows ?? '[]') as { readonly key: string }[];
    return Object.fromEntries(answersOf(rows, wire).map((one: any, i) => [asked[i].key, one.value]));
  },
};

const NOT_STORED = 'Always empty: it isn’t stored.';
const carers = { for: ['customers'] } as const;
const money$ = { for: ['revenue', 'customer_payments'] } as const;

const columns: Columns = {
  id: column(id(), 'c.id', 'ID of the customer.'),
  full_name: column(text(), nameOf('c'), 'First and last name.'),
  first_name: column(text(), 'c.first_name', 'First name.'),
  last_name: column(text(), 'c.last_name', 'Last name.'),
  email: column(email(), 'c.email', 'Email address.', carers),
  created_at: column(instant(), 'c.created_at', 'When the customer signed up or was added.'),
  deleted_at: column(instant(), 'c.deleted_at', 'When the record was deleted; empty if it wasn’t.'),
  is_active: column(boolean(), IS_ACTIVE, 'Has an active membership, or came in the last 30 days.'),
  date_of_birth: column(date(), 'c.date_of_birth', 'Date of birth.', carers),
  age: column(integer(), AGE, 'Age in years, today.', carers),
  phone_number: column(text(), 's.full_number', 'The number that text messages are sent to.', carers),
  address: column(map(), 'NULL::text', NOT_STORED, { sortable: false }),
  days_until_birthday: column(
    integer(),
    sql`
      (c.date_of_birth +
        make_interval(years => ${AGE} + CASE WHEN c.date_of_birth + make_interval(years => ${AGE}) = ${TODAY}::date
          THEN 0 ELSE 1 END))::date - ${TODAY}::date`,
    'Days until the next birthday; 0 on the day itself.',
    carers,
  ),
  gender: column(text(), 'NULL::text', NOT_STORED),
  is_claimed: column(boolean(), IS_CLAIMED, 'The person has an account of their own.'),
  is_new: column(boolean(), IS_NEW, 'Was added in the last 30 days.'),
  is_slipping_away: column(
    boolean(),
    IS_SLIPPING_AWAY,
    'Came in the last 90 days, but not in the last 30, and has booked nothing.',
  ),
  registration_blocked: column(boolean(), IS_BLOCKED, 'Is blocked from booking.'),
  has_failed_payments: column(boolean(), invoicesThat('failed'), 'Has an invoice whose payment failed.', money$),
  has_retry_payments: column(
    boolean(),
    invoicesThat('retrying'),
    'Has an invoice whose payment is tried again.',
    money$,
  ),
  'family.id': column(id(), 'c.family_id', 'ID of the family.', { alias: 'family_id' }),
  'family.name': column(
    text(),
    `(SELECT nullif(btrim(concat_ws(' ', h.first_name, h.last_name)), '') FROM customer h
    WHERE h.provider_id = c.provider_id AND h.family_id = c.family_id AND h.family_role = 'manager'
    ORDER BY h.id LIMIT 1)`,
    'Name of the person who manages the family.',
    { alias: 'family_name' },
  ),
  'family.role': column(oneOf(['manager', 'child']), 'c.family_role', 'Part that the customer has in the family.', {
    alias: 'family_role',
  }),
  'family.managers': column(
    listOf(called('id_and_name', object({ id: id(), name: text() }))),
    `(SELECT jsonb_agg(jsonb_build_object('id', h.id, 'name', concat_ws(' ', h.first_name, h.last_name)) ORDER BY h.id)
      FROM customer h
      WHERE h.provider_id = c.provider_id AND h.family_id = c.family_id AND h.family_role = 'manager')`,
    'People who manage the family.',
    { alias: 'family_managers' },
  ),
  ...named('venue', 'v', 'the venue that the customer belongs to'),
  'instructor.id': column(id(), 'NULL::bigint', NOT_STORED, { alias: 'instructor_id' }),
  'instructor.name': column(text(), 'NULL::text', NOT_STORED, { alias: 'instructor_name' }),
  referral_code: column(text(), 'c.referral_code', 'Code by which the customer refers others.'),
  thumbnail_url: column(text(), 'NULL::text', NOT_STORED),
  active_customer_memberships: column(membershipList(), membershipsThat(`= 'active'`), 'Memberships that can be used.'),
  inactive_customer_memberships: column(
    membershipList(),
    membershipsThat(`IN ('completed', 'cancelled')`),
    'Memberships that have ended.',
  ),
  on_hold_customer_memberships: column(membershipList(), membershipsThat(`= 'hold'`), 'Memberships that are on hold.'),
  'referring_member.id': column(id(), 'r.id', 'ID of the customer who referred this one.', {
    alias: 'referring_member_id',
  }),
  'referring_member.name': column(text(), nameOf('r'), 'Name of the customer who referred this one.', {
    alias: 'referrering_member_name',
  }),
  account_credit_balance: column(money(), CREDIT, 'Account credit that can be spent.', money$),
  last_payment_at: column(instant(), lastPayment('succeeded_at'), 'When the last payment came in.', money$),
  last_payment_amount: column(money(), lastPayment('amount_minor'), 'Amount of the last payment.', money$),
  registered_and_attended_count: column(
    countField(),
    bookings('registered', 'attended'),
    'Bookings to come and visits.',
  ),
  registrations_count: column(
    countField(),
    bookings('registered'),
    'Bookings that are neither attended, missed nor cancelled.',
  ),
  attendances_count: column(countField(), bookings('attended'), 'Visits.'),
  late_cancels_count: column(countField(), bookings('late_cancelled'), 'Bookings that were cancelled too late.'),
  no_shows_count: column(countField(), bookings('no_show'), 'Bookings to which the customer didn’t come.'),
  latest_registration: column(
    object({ id: id(), starts_at: text(), name: text(), type: oneOf(['event', 'course_session']) }),
    LATEST,
    'The latest event that was booked and not cancelled; its start by the clock of its venue.',
    { sortable: false },
  ),
  'emergency_contact.name': column(text(), 'NULL::text', NOT_STORED, { alias: 'emergency_contact_name' }),
  'emergency_contact.relationship': column(text(), 'NULL::text', NOT_STORED, {
    alias: 'emergency_contact_relationship',
  }),
  'emergency_contact.phone': column(text(), 'NULL::text', NOT_STORED, { alias: 'emergency_contact_phone' }),
  'lead_source.name': column(text(), 'NULL::text', NOT_STORED),
  is_lead: column(boolean(), 'c.is_lead', 'Has shown interest and bought nothing yet.'),
  answers,
};

const ANY: Readonly<Record<string, Sql>> = {
  new: IS_NEW,
  claimed: IS_CLAIMED,
  slipping_away: IS_SLIPPING_AWAY,
  inactive: sql`(NOT ${IS_ACTIVE})`,
  active: IS_ACTIVE,
  registration_blocked: IS_BLOCKED,
  lead: raw('c.is_lead'),
};
const KINDS = ['new', 'claimed', 'slipping_away', 'inactive', 'active', 'registration_blocked', 'lead'] as const;

const atLeast = (): ReportFilter =>
  filterBy(integer({ min: 0, max: 1_000_000 }), (n) => sql`${bookings('registered', 'attended')} >= ${n}::int`);

const LOCAL_CREATED = sql`(c.created_at AT TIME ZONE ${ZONE})`;

export const customersReport = report('customers', {
  title: 'customers',
  description: 'Everyone whom the business knows: how to reach them, what they have, and how often they come.',
  who: ['customers'],
  from: 'customer c',
  joins: {
    v: raw('LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id'),
    s: raw('LEFT JOIN sms_account s ON s.provider_id = c.provider_id AND s.customer_id = c.id'),
    f: raw('LEFT JOIN referral f ON f.provider_id = c.provider_id AND f.signed_up_as = c.id'),
    r: raw('LEFT JOIN customer r ON r.provider_id = f.provider_id AND r.id = f.referrer_id'),
  },
  where: raw('NOT c.is_walk_in'),
  unless: { include_deleted: () => raw('c.deleted_at IS NULL') },
  id: 'c.id',
  venue: null,
  columns,
  shown: Object.keys(columns).filter((name) => name !== 'answers'),
  given: ({ extra_customer_fields: keys = '' }) => ({ extra_customer_fields: keys.replaceAll(/\s/g, '') }),
  sort: 'id',
  customer: 'id',
  filters: {
    active_memberships: filterBy(
      listOf(id(), { max: 1000 }),
      (
        ids,
      ) => sql`EXISTS (SELECT FROM customer_membership m WHERE m.provider_id = c.provider_id AND m.customer_id = c.id
        AND m.status = 'active' AND m.membership_id = ANY(${ids}::bigint[]))`,
    ),
    ...within('created_at', 'c.created_at'),
    ...withinDays('date_of_birth', 'c.date_of_birth', date, 'date_of_birth', null),
    extra_customer_fields: filterBy(
      text({ max: 2000 }).describe(
        'Keys of questions, separated by commas: these answers are in the column `answers`, also sensitive ones.',
      ),
      () => raw('true'),
    ),
    has_account_credit: isTrue(sql`${CREDIT} > 0`, 'account_credit_balance'),
    ids: anyOf('c.id'),
    is_active: isTrue(IS_ACTIVE),
    is_any: filterBy(listOf(oneOf(KINDS)), (kinds: readonly (typeof KINDS)[number][]) =>
      kinds.map((kind) => ANY[kind]).reduce((all, one) => sql`${all} OR ${one}`, raw('false')),
    ),
    is_claimed: isTrue(IS_CLAIMED),
    is_new: isTrue(IS_NEW),
    is_slipping_away: isTrue(IS_SLIPPING_AWAY),
    ...within('latest_registration_starts_at', LATEST_START, null),
    registration_blocked: isTrue(IS_BLOCKED),
    registered_and_attended_count_gte: atLeast(),
    registered_and_attended_count_lte: filterBy(
      integer({ min: 0, max: 1_000_000 }),
      (n) => sql`${bookings('registered', 'attended')} <= ${n}::int`,
    ),
  },
  grouped: {
    usual: ['count'],
    by: {
      created_date: column(date(), sql`${LOCAL_CREATED}::date`, 'Day on which they signed up or were added.'),
      is_claimed: columns.is_claimed,
      is_active: columns.is_active,
      has_account_credit: column(boolean(), sql`(${CREDIT} > 0)`, 'Has account credit that can be spent.', money$),
      created_month: column(
        integer({ min: 1, max: 12 }),
        sql`date_part('month', ${LOCAL_CREATED})::int`,
        'Month in which they were added, from 1 to 12.',
      ),
      created_year: column(integer(), sql`date_part('year', ${LOCAL_CREATED})::int`, 'Year in which they were added.'),
      birth_month: column(
        integer({ min: 1, max: 12 }),
        `date_part('month', c.date_of_birth)::int`,
        'Month of birth, from 1 to 12.',
        carers,
      ),
      gender: columns.gender,
      created_hour: column(
        integer({ min: 0, max: 23 }),
        sql`date_part('hour', ${LOCAL_CREATED})::int`,
        'Hour of the day at which they were added.',
      ),
      age: columns.age,
      is_new: columns.is_new,
      is_slipping_away: columns.is_slipping_away,
      registration_blocked: columns.registration_blocked,
    },
    measures: { count: COUNT },
  },
});
