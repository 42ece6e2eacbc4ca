/** The staff of a business, their permissions, and which of them are instructors. */
import { collection } from './setting.ts';

export const staff = collection({
  name: 'staff',
  object: 'staff',
  list: 'GET /staff',
  read: 'GET /staff/{id}',
  add: 'POST /staff',
  change: 'PATCH /staff/{id}',
  called: ['first_name', 'last_name'],
  also: 'permissions',
  fields: 'first_name last_name email permissions venues archived',
});

export const permissionOf = (name: string): string => `permissions.${name}`;

/** All permissions of the interface. */
export const PERMISSIONS = staff.settings
  .filter(({ name }) => name.startsWith(permissionOf('')))
  .map(({ name }) => name.slice(permissionOf('').length));

export const instructors = collection({
  name: 'instructors',
  object: 'instructor',
  list: 'GET /instructors',
  read: 'GET /instructors/{id}',
  add: 'POST /instructors',
  change: 'PATCH /instructors/{id}',
  fields: 'staff name description picture_url archived',
  more: { picture_url: { kind: 'text' } },
});

export const rates = collection({
  name: 'rates',
  object: 'instructor_pay_rate',
  list: 'GET /instructor_pay_rates',
  read: 'GET /instructor_pay_rates/{id}',
  add: 'POST /instructor_pay_rates',
  change: 'PATCH /instructor_pay_rates/{id}',
  more: {
    type: { first: 'per_session' },
    counted_statuses: { first: 'attended registered' },
    counts_comped: { first: 'on' },
    pays_empty_sessions: { first: 'on' },
    archived: { only: 'change' },
  },
});
