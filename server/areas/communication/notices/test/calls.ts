import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'PATCH /communication/notification_types/{type}': async () => ({
    params: { type: 'event_reminder' },
    body: { subject: 'Soon: {{event.name}}' },
  }),
  'PATCH /customers/{id}/notification_preferences/{notification_preference_id}': async (world) => {
    const id = await world.newCustomer();
    return { id, customer: id, params: { notification_preference_id: '3' }, body: { sms_enabled: false } };
  },
  'POST /communication/notification_types/{type}/preview': async () => ({
    params: { type: 'event_reminder' },
    body: {},
  }),
  'POST /communication/notification_types/{type}/send_test_email': async (world) => ({
    params: { type: 'event_reminder' },
    body: { staff: await seed(world, 'staff') },
  }),
};

export const CHANGES_NOTHING: Record<string, string> = {
  'POST /communication/notification_types/{type}/preview': 'it only shows how a text would read',
};
