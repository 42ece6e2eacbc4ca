import { iso, row } from '../../../../test/schedule-world.ts';
import { payment } from './seeds.ts';
import { post } from '../../ledger/index.ts';
import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const UNDER_WAY = { status: 'pending' };

const rowOf = (world: World, id: number) =>
  world.work(
    world.harbour,
    async ({ tx }) =>
      (await tx.one<{ customer_id: number; payment_processor_id: number }>(
        sql`SELECT customer_id, payment_processor_id FROM payment WHERE provider_id = ${world.harbour} AND id = ${id}`,
      ))!,
  );

export const CALLS: Calls = {
  'POST /payment_processors/{id}/check': async (world) => ({
    params: { id: String(await seed(world, 'payment_processor')) },
    body: {},
  }),
  'DELETE /payment_methods/{id}': async (world) => {
    const id = await seed(world, 'payment_method');
    const { customer_id: customer } = await world.work(
      world.harbour,
      async ({ tx }) =>
        (await tx.one<{ customer_id: number }>(
          sql`SELECT customer_id FROM payment_method WHERE provider_id = ${world.harbour} AND id = ${id}`,
        ))!,
    );
    return { id, customer, body: {} };
  },
  'POST /payments/{id}/cancel': async (world) => ({ id: await payment(world, world.harbour, UNDER_WAY), body: {} }),
  'POST /payments/{id}/check': async (world) => ({ id: await payment(world, world.harbour, UNDER_WAY), body: {} }),
  'POST /payment_refunds/{id}/check': async (world) => ({
    id: await row(world, 'payment_refund', {
      payment_id: await payment(world, world.harbour),
      amount_minor: 100,
      explanation: 'Ill.',
      status: 'started',
    }),
    body: {},
  }),
  'POST /payment_refunds/{id}/retry': async (world) => {
    const paid = await payment(world, world.harbour);
    const { customer_id: customer, payment_processor_id: processor } = await rowOf(world, paid);
    const values = { payment_id: paid, amount_minor: 100, explanation: 'Ill.', failure: 'Returned.' };
    const failed = { status: 'failed', failed_at: iso(world.now) };
    const id = await row(world, 'payment_refund', { ...values, ...failed });
    await world.work(world.harbour, (work) =>
      post(work, {
        kind: 'payment_refund_failed',
        about: { object: 'payment_refund', id },
        explanation: 'Returned.',
        lines: [
          { account: 'clearing', detail: String(processor), amount: 100 },
          { account: 'unapplied', customer, amount: -100 },
        ],
      }),
    );
    return { id, body: {} };
  },
  'POST /sandbox/payments/{id}': async (world) => {
    const id = await payment(world, world.harbour, UNDER_WAY);
    const { payment_processor_id: processor_id } = await rowOf(world, id);
    const said = { holder: 'Ada', keeps_method: false, return_to: '', cancel_to: '', description: 'A class' };
    await row(world, 'sandbox_charge', {
      ...said,
      processor_id,
      key: `payment-${id}`,
      amount_minor: 1000,
      scenario: 'late',
      state: 'pending',
      created_at: iso(world.now),
    });
    return { id, body: { event: 'fail' } };
  },
};

export const CHANGES_NOTHING: Record<string, string> = {
  'POST /payment_processors/{id}/check': 'it asks the payment processor',
};
