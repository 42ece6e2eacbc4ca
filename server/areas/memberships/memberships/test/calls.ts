import { seed } from '../../../../test/seeds.ts';
import { SOLD } from './seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /memberships': async (world) => ({
    body: {
      name: 'Ten times',
      type: 'pack',
      category: await seed(world, 'membership_category'),
      one_time_fee: '120.00',
      ...SOLD,
    },
  }),
  'POST /memberships/{id}/unarchive': async (world) => {
    const id = await seed(world, 'membership');
    await world.post(`/memberships/${id}/archive`, { as: world.machine });
    return { id, body: {} };
  },
  'PATCH /memberships/ordering': async (world) => ({
    body: { ordering: [await seed(world, 'membership'), await seed(world, 'membership')] },
  }),
  'PATCH /membership_categories/ordering': async (world) => ({
    body: { ordering: [await seed(world, 'membership_category'), await seed(world, 'membership_category')] },
  }),
  'POST /membership_payment_plans': async (world) => {
    const { membership } = (
      await world.get(`/membership_payment_plans/${await seed(world, 'membership_payment_plan')}`, {
        as: world.machine,
      })
    ).body;
    return { body: { membership, price: '30.00', billing_period_length: 2, billing_period_unit: 'weeks' } };
  },
  'PATCH /membership_payment_plans/{id}': async (world) => ({
    id: await seed(world, 'membership_payment_plan'),
    body: { price: '45.00' },
  }),
  'DELETE /joining_fees/{id}': async (world) => ({
    id: (await world.post('/joining_fees', { as: world.machine, body: { amount: '25.00' } })).body.id,
    body: {},
  }),
  'PATCH /membership_terms/{id}': async (world) => ({
    id: await seed(world, 'membership_terms'),
    body: { base_terms: 'Be on time.' },
  }),
  'POST /membership_terms/{id}/consent': async (world) => {
    const customer = await world.newCustomer();
    return { id: await seed(world, 'membership_terms'), customer, body: { customer, version: 1, how: 'online' } };
  },
  'PATCH /membership_registration_grants/{id}': async (world) => ({
    id: await seed(world, 'membership_registration_grant'),
    body: { on_allotment_price: '7.50' },
  }),
};
