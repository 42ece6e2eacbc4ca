import { billed } from './invoicing.ts';
import { row } from '../../../../test/schedule-world.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const open = async (world: World): Promise<number> =>
  (await billed(world, await world.newCustomer(), [{ fees: [] }])).id;

export const CALLS: Calls = {
  'POST /invoices/{id}/record_payment': async (world) => ({
    id: await open(world),
    body: {
      amount: '1.00',
      payment_processor: await row(world, 'payment_processor', { kind: 'offline', name: 'Desk' }),
    },
  }),
  'POST /invoices/{id}/void': async (world) => ({ id: await open(world), body: { reason: 'A mistake.' } }),
  'POST /invoices/{id}/credit': async (world) => ({ id: await open(world), body: { reason: 'A mistake.' } }),
  'POST /invoices/{id}/send': async (world) => ({ id: await open(world), body: {} }),
  'POST /invoices/{id}/remind': async (world) => ({ id: await open(world), body: {} }),
  'PATCH /invoice_settings': async () => ({ body: { tax_number: `VAT ${Math.random()}` } }),
};
