import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /waivers': async (world) => ({
    body: {
      name: 'Liability',
      text: 'I take part at my own risk.',
      offering_types_applies_to: 'only',
      offering_types: [await seed(world, 'offering_type')],
      if_unsigned: 'show_at_door',
    },
  }),
  'PUT /waivers/{id}': async (world) => ({ id: await seed(world, 'waiver'), body: { name: 'Risks' } }),
  'PATCH /waivers/{id}': async (world) => ({ id: await seed(world, 'waiver'), body: { text: 'At your own risk.' } }),
  'POST /customers/{id}/send_signing_link': async (world) => {
    const id = await world.newCustomer();
    await world.post('/waivers', {
      as: world.machine,
      body: { name: 'House rules', text: 'I keep to the rules.', at_signup: true, if_unsigned: 'show_at_door' },
    });
    return { id, body: {} };
  },
  'POST /waiver_agreements': async (world) => {
    const customer = await world.newCustomer();
    return { customer, body: { waiver: await seed(world, 'waiver'), customer, signer_name: 'Ada King' } };
  },
};
