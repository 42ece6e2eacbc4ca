import { row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import { sql, instant } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a cash drawer without an open session. */
export const newDrawer = (world: World, providerId = world.harbour): Promise<number> =>
  row(
    world,
    'payment_processor',
    { kind: 'offline', name: 'Drawer', settings: JSON.stringify({ cash_drawer: 'yes' }) },
    providerId,
  );

/** Records a payment of its own invoice, into a drawer without a session. */
const payment = (world: World, providerId: number): Promise<number> => seed(world, 'payment', providerId);

const stamps = ({ now }: World) => ({ created_at: instant(now), updated_at: instant(now) });

/** Opens a session with a float of 50.00 and returns its id. */
export const openSession = async (world: World, providerId = world.harbour): Promise<number> =>
  row(
    world,
    'cash_session',
    {
      payment_processor_id: await newDrawer(world, providerId),
      venue_id: await seed(world, 'venue', providerId),
      opened_by_id: await seed(world, 'staff', providerId),
      opening_float_minor: 5000,
      ...stamps(world),
    },
    providerId,
  );

/** Creates a session that another staff member closed, with a difference. */
async function closed(world: World, providerId: number): Promise<number> {
  const [id, staff] = [await openSession(world, providerId), await seed(world, 'staff', providerId)];
  await world.work(providerId, ({ tx }) =>
    tx.run(sql`UPDATE cash_session SET closed_at = now(), closed_by_id = ${staff}, counted_minor = 4900,
      difference_reason = 'Lost.',
      denominations = '[{"value": 100, "count": 49}]' WHERE provider_id = ${providerId} AND id = ${id}`),
  );
  return id;
}

async function sale(world: World, providerId: number): Promise<number> {
  const [checkout, invoice] = [await seed(world, 'checkout', providerId), await seed(world, 'invoice', providerId)];
  const [venue, staff, paid] = [
    await seed(world, 'venue', providerId),
    await seed(world, 'staff', providerId),
    await payment(world, providerId),
  ];
  const id = await row(
    world,
    'counter_sale',
    {
      checkout_id: checkout,
      invoice_id: invoice,
      is_walk_in: false,
      venue_id: venue,
      staff_id: staff,
      total_minor: 450,
      credit_minor: 50,
      ...stamps(world),
    },
    providerId,
  );
  await row(
    world,
    'counter_payment',
    { counter_sale_id: id, payment_id: paid, amount_minor: 400, tendered_minor: 500, ...stamps(world) },
    providerId,
  );
  return id;
}

export const SEEDS: Seeds = {
  cash_session: async (world, providerId) => {
    await closed(world, providerId);
    return openSession(world, providerId);
  },
  cash_movement: async (world, providerId) => {
    const refund = await seed(world, 'payment_refund', providerId);
    const paid = await payment(world, providerId);
    const session = await openSession(world, providerId);
    const staff = await seed(world, 'staff', providerId);
    const of = { cash_session_id: session, staff_id: staff, ...stamps(world) };
    await row(world, 'cash_movement', { ...of, kind: 'payment', amount_minor: 10, payment_id: paid }, providerId);
    return row(
      world,
      'cash_movement',
      { ...of, kind: 'refund', amount_minor: 10, payment_id: paid, payment_refund_id: refund },
      providerId,
    );
  },
  counter_sale: sale,
  counter_payment: async (world, providerId) => {
    const id = await sale(world, providerId);
    const found = await world.work(providerId, ({ tx }) =>
      tx.one<{ id: number }>(
        sql`SELECT id FROM counter_payment WHERE provider_id = ${providerId} AND counter_sale_id = ${id}`,
      ),
    );
    return found!.id;
  },
};
