/** Fields of notices about the money of a booking: its payment, and what came back or was lost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
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
      sql`UPDATE offering_type SET cancellation_notice_interval = ${NOTICE_MINUTES}
        WHERE provider_id = ${world.harbour} AND id = ${c.m.offering}`,
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

test('the email about a cancelled event says what came back to each person', async () => {
  for (const [{ event, customer }, says] of [
    [await withPack(48, 5), 'The visit is back on Five visits.'],
    [await paid(48), '$22.00 comes back as account credit.'],
    [await owed(48), '$22.00 is no longer owed.'],
  ] as const) {
    const body = { notify: { email: { send: true, message: 'The boiler is broken.' } } };
    const done = await world.post(`/events/${event}/cancel`, { as: world.machine, body });
    assert.equal(done.status, 200, done.text);
    const { text } = await mailOf(customer, 'event_cancelled');
    assert.ok(text.includes(`\n\nThe boiler is broken.\n\n${says}\n\n`), text);
  }
});

test('the email about the cancellation of a free booking says nothing about money', async () => {
  const customer = await world.newCustomer();
  const offering = await newOffering(world, {});
  const { id } = await newEvent(world, { ...c.m.place, offering }, { in: 48 });
  const { text } = await cancel({ event: await register(id, customer), customer });
  assert.doesNotMatch(text, /back|owed|late/);
});

const confirmed = (customer: number) => mailOf(customer, 'event_registration_confirmed');

test('the confirmation says what paid and what is left, and until when to cancel for free', async () => {
  for (const [{ customer }, says] of [
    [await withPack(48, 5), 'Paid with Five visits: 4 left.'],
    [await paid(48), 'Paid: $22.00.'],
    [await owed(48), 'Still to pay: $22.00.'],
  ] as const) {
    const { text } = await confirmed(customer);
    assert.match(text, /You can cancel for free until \w+day, .+\.\n/);
    assert.ok(text.includes(`\n\n${says}\n`), text);
  }
  const { customer } = await withPack(2, 5);
  assert.match((await confirmed(customer)).text, /\nA cancellation now counts as late\.\n/);
});

/** Returns the path of the link below a line. */
const linkIn = (text: string, label: string): string => {
  const url = new RegExp(`\\n${label}:\\n(\\S+)\\n`).exec(text)?.[1];
  assert.ok(url?.startsWith(`${world.url}/account/${world.harbour}/booked/`), text);
  return url!.slice(world.url.length);
};

const statusOf = async ({ event, customer }: Booked): Promise<string> =>
  (await c.read(`/attendances?event=${event}&customer=${customer}`)).results[0].status;

/** Opens a page without a log-in. */
const visitorAt = async (path: string) => {
  const visitor = new PageClient(world.url);
  return { visitor, page: await visitor.get(path) };
};

test('the link of the confirmation cancels without a log-in, on a press of the button only', async () => {
  const booking = await withPack(48, 5);
  const path = linkIn((await confirmed(booking.customer)).text, 'Cancel without logging in');
  const { visitor, page } = await visitorAt(path);
  assert.match(page.text, /Cancel this booking\?[^]*If you cancel now, the visit comes back to Five visits\./);
  assert.equal(await statusOf(booking), 'registered', 'opening the link cancels nothing');
  const fields = { customer: String(booking.customer), in_time: 'yes' };
  assert.equal((await visitor.post(path, fields)).status, 303);
  assert.equal(await statusOf(booking), 'not_registered');
  const after = await visitor.get(path);
  assert.match(after.text, /The booking is cancelled\.[^]*The visit is back on Five visits\./);
  // A form that is sent twice counts once.
  assert.equal((await visitor.post(path, fields)).status, 303);
});

test('a late cancellation by the link says what is lost, and asks again if the page said otherwise', async () => {
  const booking = await paid(2);
  const path = linkIn((await confirmed(booking.customer)).text, 'Cancel without logging in');
  const { visitor, page } = await visitorAt(path);
  assert.match(page.text, /Cancelling now counts as late\.[^]*the \$22\.00 paid for it is lost\./);
  const fields = { customer: String(booking.customer), in_time: 'yes' };
  const refused = await visitor.post(path, fields);
  assert.equal(refused.status, 409);
  assert.match(refused.text, /The time for free cancellation has passed since you opened this page\./);
  assert.equal(await statusOf(booking), 'registered');
  await visitor.post(path, { ...fields, in_time: 'no' });
  assert.equal(await statusOf(booking), 'late_cancelled');
});

test('the confirmation has a calendar file, and a receipt if the person paid', async () => {
  const { customer } = await paid(48);
  const { text } = await confirmed(customer);
  const file = await visitorAt(linkIn(text, 'Add to your calendar'));
  assert.match(file.page.headers.get('content-type')!, /^text\/calendar/);
  const receipt = await visitorAt(linkIn(text, 'Receipt'));
  assert.equal(receipt.page.status, 200);
  assert.doesNotMatch((await confirmed((await owed(48)).customer)).text, /Receipt/);
});

// Guards against: A customer reads or acts for somebody else
test('a link that was changed shows and cancels nothing', async () => {
  const [mine, theirs] = [await withPack(48, 5), await withPack(48, 5)];
  const path = linkIn((await confirmed(mine.customer)).text, 'Cancel without logging in');
  const forged = path.replace(`${mine.event}-${mine.customer}_`, `${theirs.event}-${theirs.customer}_`);
  assert.notEqual(forged, path);
  const { visitor } = await visitorAt(path);
  for (const wrong of [forged, `${path}A`, path.slice(0, -1), path.replace('_', '')]) {
    const page = await visitor.get(wrong);
    assert.equal(page.status, 410, wrong);
    assert.match(page.text, /This link no longer works/);
    assert.equal((await visitor.get(`${wrong}/calendar.ics`)).status, 404);
  }
  await visitor.get(path);
  const fields = { customer: String(theirs.customer), in_time: 'yes' };
  assert.equal((await visitor.post(forged, fields)).status, 410);
  assert.equal(await statusOf(theirs), 'registered');
  // The link decides whose booking it is, whatever the form says.
  await visitor.post(path, fields);
  assert.deepEqual([await statusOf(theirs), await statusOf(mine)], ['registered', 'not_registered']);
});

test('a parent cancels the booking of a child by the link, which names the child', async () => {
  const parent = await world.newCustomer();
  const { id: customer } = (
    await world.post(`/customers/${parent}/add_child`, {
      as: world.machine,
      body: { first_name: 'Sam', last_name: 'Byron' },
    })
  ).body;
  const offering = await newOffering(world, {});
  const event = await register((await newEvent(world, { ...c.m.place, offering }, { in: 48 })).id, customer);
  const path = linkIn((await confirmed(parent)).text, 'Cancel without logging in');
  const { visitor, page } = await visitorAt(path);
  assert.match(page.text, /Cancel this booking for Sam\?/);
  await visitor.post(path, { customer: String(customer), in_time: 'yes' });
  assert.equal(await statusOf({ event, customer }), 'not_registered');
});
