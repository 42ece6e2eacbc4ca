import { boolean, id, instant, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { may, viewingCustomer } from '../../../kernel/work/access/viewer.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const pushNotificationToken = resource('push_notification_token', {
  description:
    'A browser or installed site on which a customer agreed to get push notifications. Deleting it withdraws the consent.',
  fields: {
    id: id(),
    customer: ref('customer'),
    name: text({ max: 100 }).nullable().describe('Name of the device for the customer, for example `Chrome, Android`.'),
    service: text().describe('The host of the push service that delivers to the device.'),
    fingerprint: text()
      .from((t) => raw(`encode(${t}.fingerprint, 'hex')`))
      .describe('The SHA-256 of its endpoint, by which a device knows whether it is this one.'),
    enabled: boolean().describe('False: nothing is sent to it for now.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: {
    provider: (_t, viewer) => may(viewer, 'customers'),
    customer: (t) => sql`${raw(t)}.customer_id = ${viewingCustomer}`,
    unregistered: false,
  },
  secret: ['sealed', 'public_key'],
});
