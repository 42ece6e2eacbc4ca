/** The staff of a business, their permissions, and which of them are instructors. */
import { choice, choices, date, email, flag, long, many, money } from './setting.ts';
import { number, one, rows, text, type CollectionOf } from './setting.ts';

const admin = ['super_admin'] as const;

/** All permissions of the interface, the most powerful first. */
export const PERMISSIONS = [
  'super_admin',
  'customers',
  'attendances',
  'manage_events',
  'instructor_attendances',
  'instructor_manage_events',
  'pos',
  'store',
  'discount_codes',
  'customer_payments',
  'revenue',
  'developer',
  'email_notifications',
] as const;

export const permissionOf = (name: string): string => `permissions.${name}`;

export const staff: CollectionOf = {
  name: 'staff',
  object: 'staff',
  list: 'GET /staff',
  read: 'GET /staff/{id}',
  add: 'POST /staff',
  change: 'PATCH /staff/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  called: ['first_name', 'last_name'],
  also: 'permissions',
  settings: [
    text('first_name'),
    text('last_name'),
    email('email'),
    ...PERMISSIONS.map((one) => flag(permissionOf(one))),
    many('venues', 'venues'),
    flag('archived', { only: 'change' }),
  ],
};

export const instructors: CollectionOf = {
  name: 'instructors',
  object: 'instructor',
  list: 'GET /instructors',
  read: 'GET /instructors/{id}',
  add: 'POST /instructors',
  change: 'PATCH /instructors/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  settings: [
    one('staff', 'staff', { only: 'new' }),
    text('name'),
    long('description'),
    text('picture_url'),
    flag('archived', { only: 'change' }),
  ],
};

export const rates: CollectionOf = {
  name: 'rates',
  object: 'instructor_pay_rate',
  list: 'GET /instructor_pay_rates',
  read: 'GET /instructor_pay_rates/{id}',
  add: 'POST /instructor_pay_rates',
  change: 'PATCH /instructor_pay_rates/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  settings: [
    text('name'),
    choice('type', ['per_session', 'per_hour'], { first: 'per_session' }),
    money('base'),
    rows('tiers', [number('lower_bound'), number('upper_bound', { nullable: true }), money('per_customer_amount')]),
    choices('counted_statuses', ['attended', 'registered', 'no_show', 'late_cancelled'], {
      first: 'attended registered',
    }),
    flag('counts_comped', { first: 'on' }),
    flag('pays_empty_sessions', { first: 'on' }),
    money('minimum_pay', { nullable: true }),
    money('maximum_pay', { nullable: true }),
    many('instructors', 'instructors'),
    many('offering_types', 'offerings'),
    many('venues', 'venues'),
    date('starts_on', { nullable: true }),
    date('ends_on', { nullable: true }),
    flag('archived', { only: 'change' }),
  ],
};
