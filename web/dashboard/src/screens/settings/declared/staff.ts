/** Who works at a business, what they may see and do, and who of them teaches. */
import { email, flag, long, many, one, text, type CollectionOf } from './setting.ts';

const admin = ['super_admin'] as const;

/** All of the interface, what lets do most first. */
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
