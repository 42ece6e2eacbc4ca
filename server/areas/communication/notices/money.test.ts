/** What notices about bookings say about money: what paid, what came back, and what was lost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { newEvent, newOffering } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';

/** People may cancel for free until a day before. */
const NOTICE_MINUTES = 24 * 60;

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld({ own: true, worker: true });
  c = await CheckoutWorld.of(world);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE offering_type SET cancellation_notice_interval = ${NOTICE_MINUTES} WHERE provider_id = ${world.harbour} AND id = ${c.m.offering}`,
    ),
  );
});
after(() => c.close());

interface Booked {
  readonly event: number;
  readonly customer: number;
}

/** Books with a pack of visits. `hours`: from now until the event */
async function withPack(hours: number, visits: number): Promise<Booked> {
  const customer = await world.newCustomer();
  await c.m.give(customer, await c.m.pack(visits, { name: 'Five visits' }));
  return { event: await register(await c.memberEvent({ in: hours }), customer), customer };
}

async function register(event: number, customer: number): Promise<number> {
  const booked = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer } });
  assert.equal(booked.status, 200, booked.text);
  return event;
}

const priced = async (hours: number): Promise<number> => {
  const offering = await newOffering(world, {
    dropin_price_minor: 2200,
    cancellation_notice_interval: NOTICE_MINUTES,
  });
  return (await newEvent(world, { ...c.m.place, offering }, { in: hours })).id;
};

/** Pays 22.00 for an event. */
async function paid(hours: number): Promise<Booked> {
  const [event, customer] = [await priced(hours), await world.newCustomer()];
  const order = await c.open(customer);
  await c.add(order, { item_type: 'CLASS_DRP', event, customer });
  await c.pay(order, { payment_processor: c.desk });
  return { event, customer };
}

/** Books on account. */
async function owed(hours: number): Promise<Booked> {
  const customer = await world.newCustomer();
  return { event: await register(await priced(hours), customer), customer };
}

/** Returns the newest notice of this kind to the customer. */
const mailOf = (customer: number, type: string): Promise<{ subject: string; text: string }> =>
  until('the notice is written', async () => {
    const [mail] = await world.app.db.acrossTenants('a test looks at the ledger', (tx) =>
      tx.rows<{ subject: string; text: string }>(
        sql`SELECT subject, text_part AS text FROM message
          WHERE customer_id = ${customer} AND kind = ${type} ORDER BY id DESC LIMIT 1`,
      ),
    );
    return mail;
  });

const cancel = async ({ event, customer }: Booked) => {
  const done = await world.post(`/events/${event}/unregister`, { as: world.machine, body: { customer } });
  assert.equal(done.status, 200, done.text);
  return mailOf(customer, 'event_registration_cancelled');
};

test('the email about a cancellation says what came back', async () => {
  for (const [booking, says] of [
    [await withPack(48, 5), 'The visit is back on Five visits.'],
    [await paid(48), '$22.00 comes back as account credit.'],
    [await owed(48), '$22.00 is no longer owed.'],
  ] as const) {
    const { text } = await cancel(booking);
    assert.match(text, /Your booking is cancelled:\n/);
    assert.ok(text.includes(`\n\n${says}\n\n`), text);
  }
});

test('the email about a late cancellation says what is lost or still owed', async () => {
  for (const [booking, says] of [
    [await withPack(2, 5), 'The visit on Five visits is used.'],
    [await paid(2), 'The $22.00 paid for it is not returned.'],
    [await owed(2), '$22.00 is still owed.'],
  ] as const) {
    const { text } = await cancel(booking);
    assert.ok(text.includes(`\n\nIt counts as a late cancellation. ${says}\n\n`), text);
  }
});

test('the email about the cancellation of a free booking says nothing about money', async () => {
  const customer = await world.newCustomer();
  const offering = await newOffering(world, {});
  const { id } = await newEvent(world, { ...c.m.place, offering }, { in: 48 });
  const { text } = await cancel({ event: await register(id, customer), customer });
  assert.doesNotMatch(text, /back|owed|late/);
});
