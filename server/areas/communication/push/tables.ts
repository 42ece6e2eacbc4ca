/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

const STAYS =
  'A device subscribed to this installation, at its address and with its key. Customers switch it on again.';

export const TABLES: Tables = {
  push_notification_token: {
    stays: STAYS,
    ...deleted('devices_with_push_notifications', { hidden: ['sealed', 'public_key', 'fingerprint'] }),
  },
  push_message: {
    stays: STAYS,
    ...deleted('push_notifications', {
      rows: ({ ids }) => sql`EXISTS (SELECT FROM push_notification_token p
        WHERE p.provider_id = t.provider_id AND p.id = t.token_id AND p.customer_id = ANY(${ids}::bigint[]))`,
      hidden: ['key', 'attempts', 'due_at'],
    }),
  },
};
