import { createProcessor } from '../index.ts';
import { applyPayment } from '../../invoices/index.ts';
import { billed } from '../../invoices/test/invoicing.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a payment of an invoice at the sandbox, or as `values` say, without running it. */
export async function payment(
  world: World,
  providerId: number,
  values: Record<string, unknown> = { status: 'succeeded', taken: true, succeeded_at: iso(world.now) },
): Promise<number> {
  const method = await seed(world, 'payment_method', providerId);
  const { customer_id, payment_processor_id } = await ofMethod(world, providerId, method);
  const invoice = await billed(world, customer_id, [{ fees: [] }], {}, providerId);
  const at = { created_at: iso(world.now), updated_at: iso(world.now), external: name('charge') };
  const trouble = 'The processor did not answer.';
  const said = { payee: 'invoice', payee_id: invoice.id, description: 'A class', return_to: '', cancel_to: '' };
  const id = await row(
    world,
    'payment',
    {
      customer_id,
      payment_processor_id,
      payment_method_id: method,
      amount_minor: 1000,
      trouble,
      ...said,
      ...at,
      ...values,
    },
    providerId,
  );
  if (values.taken)
    await world.work(providerId, (work) =>
      applyPayment(work, {
        invoice: invoice.id,
        payment: id,
        processor: payment_processor_id,
        amount: 1000,
        from: 'clearing',
      }),
    );
  return id;
}

async function ofMethod(world: World, providerId: number, id: number) {
  const { rows } = await world.work(providerId, async ({ tx }) => ({
    rows: await tx.rows<{ customer_id: number; payment_processor_id: number }>(
      sql`SELECT customer_id, payment_processor_id FROM payment_method
        WHERE provider_id = ${providerId} AND id = ${id}`,
    ),
  }));
  return rows[0];
}

/** Returns the sandbox for saved methods: the number of processors is limited, so one serves all. */
async function sandboxOf(world: World, providerId: number): Promise<number> {
  const found = await world.work(providerId, ({ tx }) =>
    tx.one<{ id: number }>(
      sql`SELECT id FROM payment_processor WHERE provider_id = ${providerId} AND kind = 'sandbox'
        AND disabled_at IS NULL ORDER BY id LIMIT 1`,
    ),
  );
  return found?.id ?? seed(world, 'payment_processor', providerId);
}

export const SEEDS: Seeds = {
  payment_processor: (world, providerId) =>
    world
      .work(providerId, (work) => createProcessor(work, { kind: 'sandbox', name: name('Sandbox') }))
      // Tests over all endpoints create more processors than a business may have.
      .catch(() => row(world, 'payment_processor', { kind: 'sandbox', name: name('Sandbox') }, providerId)),
  payment_method: async (world, providerId) => {
    const [customer_id, payment_processor_id] = [
      await seed(world, 'customer', providerId),
      await sandboxOf(world, providerId),
    ];
    const card = { type: 'credit_card', brand: 'Visa', holder: 'Ada', last_four: '4242', expiration_month: 5 };
    return row(
      world,
      'payment_method',
      { customer_id, payment_processor_id, token: name('card'), expiration_year: 2031, ...card },
      providerId,
    );
  },
  payment_method_setup: async (world, providerId) => {
    const payment_method_id = await seed(world, 'payment_method', providerId);
    const { customer_id, payment_processor_id } = await ofMethod(world, providerId, payment_method_id);
    return row(
      world,
      'payment_method_setup',
      { customer_id, payment_processor_id, payment_method_id, status: 'succeeded', return_to: '' },
      providerId,
    );
  },
  payment: (world, providerId) => payment(world, providerId),
  payment_refund: async (world, providerId) => {
    const payment_id = await seed(world, 'payment', providerId);
    const failed = (values: Record<string, unknown>) =>
      row(
        world,
        'payment_refund',
        {
          payment_id,
          amount_minor: 100,
          explanation: 'Ill.',
          external: name('refund'),
          status: 'failed',
          failed_at: iso(world.now),
          failure: 'The account is closed.',
          trouble: 'The processor did not answer.',
          ...values,
        },
        providerId,
      );
    const refund = await failed({ retries_id: await failed({}) });
    // It failed too, and was tried again.
    await failed({ retries_id: refund });
    return refund;
  },
  payment_dispute: async (world, providerId) =>
    row(
      world,
      'payment_dispute',
      {
        payment_id: await seed(world, 'payment', providerId),
        external: name('dispute'),
        amount_minor: 100,
        reason: 'Unknown to the customer.',
        status: 'open',
      },
      providerId,
    ),
};
