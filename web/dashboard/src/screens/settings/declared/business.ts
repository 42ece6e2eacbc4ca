/** Settings of the business itself, and its appearance to customers. */
import { choice, color, email, flag, image, lines, long, number, tel, text, zone, type FormOf } from './setting.ts';
import { minutes, rows, time } from './setting.ts';

const business = {
  read: 'GET /providers/{id}',
  write: 'PATCH /providers/{id}',
  versioned: true,
  needs: ['super_admin'],
} as const;

const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'it', 'pt', 'pl'];
const FONTS = ['system', 'humanist', 'geometric', 'rounded', 'classical', 'old_style', 'transitional', 'slab'];

export const profile: FormOf = {
  ...business,
  name: 'profile',
  settings: [
    text('name'),
    long('description'),
    email('contact_info.email', { nullable: true }),
    tel('contact_info.phone_number', { nullable: true }),
    zone('timezone'),
    choice('language', LANGUAGES, { nullable: true }),
  ],
};

export const address: FormOf = {
  ...business,
  name: 'address',
  wholes: ['address'],
  settings: [
    text('address.street'),
    text('address.street_secondary', { nullable: true }),
    text('address.postal_code'),
    text('address.city'),
    text('address.region', { nullable: true }),
    text('address.country'),
  ],
};

export const branding: FormOf = {
  ...business,
  name: 'branding',
  settings: [
    image('logo', { nullable: true }),
    image('branding.cover', { nullable: true }),
    color('branding.color', { nullable: true }),
    choice('branding.font', FONTS),
    choice('branding.heading_font', FONTS, { nullable: true }),
    choice('branding.heading_size', ['small', 'medium', 'large']),
  ],
};

export const theme: FormOf = {
  name: 'theme',
  read: 'GET /providers/{id}/theme',
  write: 'PATCH /providers/{id}/theme',
  versioned: true,
  needs: ['super_admin'],
  settings: [image('homescreen_logo', { nullable: true })],
};

export const site: FormOf = {
  ...business,
  name: 'site',
  settings: [
    text('booking_site.slug'),
    text('booking_site.domain', { nullable: true }),
    flag('booking_site.is_listed'),
    flag('booking_site.publishes_open_data'),
    flag('booking_site.sells_to_guests'),
    flag('is_marketing_preference_on_customer_forms'),
    lines('domains'),
  ],
};

export const security: FormOf = {
  ...business,
  name: 'security',
  settings: [flag('security.second_factor_required'), flag('security.log_in_links')],
};

export const booking: FormOf = {
  ...business,
  name: 'booking',
  settings: [
    minutes('default_registration_settings.registrations_open_interval', { nullable: true }),
    minutes('default_registration_settings.registrations_close_interval'),
    minutes('default_registration_settings.cancellation_notice_interval'),
  ],
};

export const waitlist: FormOf = {
  ...business,
  name: 'waitlist',
  settings: [
    number('waitlist_settings.waitlist_max', { nullable: true }),
    time('waitlist_settings.quiet_hours_start', { nullable: true }),
    time('waitlist_settings.quiet_hours_end', { nullable: true }),
    rows('waitlist_settings.waitlist_policy', [
      minutes('until_minutes_before', { nullable: true }),
      choice('action', ['auto_promote', 'reserve', 'broadcast']),
      number('claim_minutes'),
    ]),
  ],
};

export const memberships: FormOf = {
  ...business,
  name: 'memberships',
  wholes: ['membership_settings'],
  settings: [choice('membership_settings.bookings_without_membership', ['cancel', 'keep'])],
};

export const prices: FormOf = {
  ...business,
  name: 'prices',
  settings: [flag('prices_include_tax'), flag('customers_pay_at_desk')],
};
