/** The money of a cancellation, before and after it: what comes back, what is lost, and the question before a loss. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { newEvent, newOffering } from '../../../test/schedule-world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

/** People may cancel for free until a day before. */
const NOTICE_MINUTES = 24 * 60;

let world: World;
let c: CheckoutWorld;
let visitor: PageVisitor;
let customer: number;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE offering_type SET cancellation_notice_interval = ${NOTICE_MINUTES}
        WHERE provider_id = ${world.harbour} AND id = ${c.m.offering}`,
    ),
  );
  const person = await newMember(world);
  customer = await makeCustomer(world, person);
  visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': person.email, Password: PASSWORD });
});
after(async () => {
  await visitor.close();
  await c.close();
});

/** Creates an event that costs 22.00, and pays for it. `hours`: from now */
async function paidEvent(hours: number): Promise<number> {
  const offering = await newOffering(world, {
    dropin_price_minor: 2200,
    cancellation_notice_interval: NOTICE_MINUTES,
  });
  const { id } = await newEvent(world, { ...c.m.place, offering }, { in: hours });
  const order = await c.open(customer);
  await c.add(order, { item_type: 'CLASS_DRP', event: id, customer });
  await c.pay(order, { payment_processor: c.desk });
  return id;
}

async function bookedWithPack(hours: number, name: string): Promise<number> {
  await c.m.give(customer, await c.m.pack(1, { name }));
  const event = await c.memberEvent({ in: hours });
  const booked = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer } });
  assert.equal(booked.status, 200, booked.text);
  return event;
}

const open = async (event: number): Promise<string> => {
  await visitor.open(`${world.site}/events/${event}`);
  return visitor.text();
};
const statusOf = async (event: number): Promise<string> =>
  (await c.read(`/attendances?event=${event}&customer=${customer}`)).results[0].status;

test('a visit that comes back is announced before the cancellation, and confirmed after it', async () => {
  const event = await bookedWithPack(48, 'One visit');
  assert.match(await open(event), /If you cancel now, the visit comes back to One visit\./);
  await visitor.submit('Cancel booking');
  assert.match(await visitor.text(), /The booking is cancelled\. The visit is back on One visit\./);
  assert.equal(await statusOf(event), 'not_registered');
  // The address shows a result only as long as it is true.
  const done = visitor.url.pathname + visitor.url.search;
  await visitor.submit('Book with One visit (1 left)');
  await visitor.open(done);
  assert.doesNotMatch(await visitor.text(), /The visit is back/);
});

test('a price that comes back is announced before the cancellation, and confirmed after it', async () => {
  const event = await paidEvent(48);
  assert.match(await open(event), /If you cancel now, \$22\.00 comes back as account credit\./);
  await visitor.submit('Cancel booking');
  assert.match(await visitor.text(), /The booking is cancelled\. \$22\.00 comes back as account credit\./);
});

test('a late cancellation that loses a price asks first, and cancels nothing until it is confirmed', async () => {
  const event = await paidEvent(2);
  assert.match(await open(event), /Cancelling now counts as late\.[^]*the \$22\.00 paid for it is lost\./);
  await visitor.submit('Cancel late');
  assert.match(await visitor.text(), /Cancel late\?[^]*the \$22\.00 paid for it is lost\./);
  await visitor.checkAccessible('event-cancel-late');
  assert.equal(await statusOf(event), 'registered');
  await visitor.follow('Keep the booking');
  assert.match(await visitor.text(), /You’re booked/);
  await visitor.submit('Cancel late');
  await visitor.submit('Cancel anyway');
  assert.match(await visitor.text(), /It counts as a late cancellation\. The \$22\.00 paid for it is not returned\./);
  assert.equal(await statusOf(event), 'late_cancelled');
});

test('a late cancellation that loses a visit asks first', async () => {
  const event = await bookedWithPack(2, 'Last visit');
  assert.match(await open(event), /the visit on Last visit is lost\./);
  await visitor.submit('Cancel late');
  await visitor.submit('Cancel anyway');
  assert.match(await visitor.text(), /It counts as a late cancellation\. The visit on Last visit is used\./);
});

test('a price that staff put on the account is owed no longer, or still owed if it is late', async () => {
  for (const [hours, says] of [
    [48, /If you cancel now, \$22\.00 is no longer owed\./],
    [2, /If you cancel now, \$22\.00 is still owed\./],
  ] as const) {
    const offering = await newOffering(world, {
      dropin_price_minor: 2200,
      cancellation_notice_interval: NOTICE_MINUTES,
    });
    const { id } = await newEvent(world, { ...c.m.place, offering }, { in: hours });
    const booked = await world.post(`/events/${id}/register`, { as: world.machine, body: { customer } });
    assert.equal(booked.status, 200, booked.text);
    assert.match(await open(id), says);
  }
});

test('nothing is asked before a late cancellation that costs nothing', async () => {
  const offering = await newOffering(world, { cancellation_notice_interval: NOTICE_MINUTES });
  const { id } = await newEvent(world, { ...c.m.place, offering }, { in: 2 });
  await open(id);
  await visitor.submit('Book');
  await visitor.submit('Cancel late');
  assert.match(await visitor.text(), /The booking is cancelled\. It counts as a late cancellation\./);
  assert.equal(await statusOf(id), 'late_cancelled');
});
