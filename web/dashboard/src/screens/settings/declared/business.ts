/** Settings of the business itself, and its appearance to customers. */
import { form } from './setting.ts';

const business = { read: 'GET /providers/{id}', write: 'PATCH /providers/{id}', versioned: true, part: true } as const;

export const profile = form({
  ...business,
  name: 'profile',
  fields: 'name description contact_info timezone language',
});

export const address = form({
  ...business,
  name: 'address',
  wholes: ['address'],
  fields: 'address.street address.street_secondary address.postal_code address',
});

export const branding = form({ ...business, name: 'branding', fields: 'logo branding.cover branding' });

export const theme = form({
  name: 'theme',
  read: 'GET /providers/{id}/theme',
  write: 'PATCH /providers/{id}/theme',
  versioned: true,
  // Developers may set it, but not the other settings of its page.
  needs: ['super_admin'],
});

export const site = form({
  ...business,
  name: 'site',
  fields: 'booking_site.slug booking_site.domain booking_site is_marketing_preference_on_customer_forms domains',
});

export const security = form({ ...business, name: 'security', fields: 'security' });

export const booking = form({ ...business, name: 'booking', fields: 'default_registration_settings' });

export const waitlist = form({
  ...business,
  name: 'waitlist',
  fields: `
    waitlist_settings.waitlist_max waitlist_settings.quiet_hours_start waitlist_settings.quiet_hours_end
    waitlist_settings
  `,
});

export const memberships = form({
  ...business,
  name: 'memberships',
  wholes: ['membership_settings'],
  fields: 'membership_settings',
});

export const prices = form({ ...business, name: 'prices', fields: 'prices_include_tax customers_pay_at_desk' });
