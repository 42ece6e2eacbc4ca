import { newDrawer, openSession } from './seeds.ts';
import { seed } from '../../../../test/seeds.ts';
import { row } from '../../../../test/schedule-world.ts';
import { WATER } from './quick.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const newTerminal = (world: World): Promise<number> =>
  row(world, 'payment_processor', { kind: 'offline', name: 'Terminal' });

const sale = async (world: World): Promise<{ items: object[]; payments: object[] }> => ({
  items: [WATER],
  payments: [{ payment_processor: await newTerminal(world) }],
});

/** Makes a sale and returns its id. */
async function sold(world: World): Promise<number> {
  const made = await world.post('/counter/sales', { as: world.machine, body: await sale(world) });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.id;
}

export const CALLS: Calls = {
  'POST /counter/sales': async (world) => ({ body: await sale(world) }),
  'POST /counter/sales/{id}/refund': async (world) => ({ id: await sold(world), body: { reason: 'It was cold.' } }),
  'POST /counter/sales/{id}/send_receipt': async (world) => ({
    id: await sold(world),
    body: { email: `buyer${await seed(world, 'venue')}@example.com` },
  }),
  'POST /counter/cash_sessions': async (world) => ({
    body: { payment_processor: await newDrawer(world), opening_float: '50.00' },
  }),
  'POST /counter/cash_sessions/{id}/pay_in': async (world) => ({
    id: await openSession(world),
    body: { amount: '10.00', reason: 'Change from the bank.' },
  }),
  'POST /counter/cash_sessions/{id}/pay_out': async (world) => ({
    id: await openSession(world),
    body: { amount: '10.00', reason: 'Milk.' },
  }),
  'POST /counter/cash_sessions/{id}/close': async (world) => ({
    id: await openSession(world),
    body: { counted: '49.00', difference_reason: 'A coin is missing.' },
  }),
  'PATCH /counter_settings': async (world) => {
    const { body } = await world.get('/counter_settings', { as: world.machine });
    return { body: { cash_sessions_required: !body.cash_sessions_required } };
  },
};
