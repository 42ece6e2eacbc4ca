/** The message after every form of an event, whatever kind of event it is and whether it still exists. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { enrollFree, newRun } from '../../availability/courses/test/world.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { bookSlot, newPractice, newRoom, slotsOf } from '../../../test/worlds/slot-world.ts';
import { newOffering, newVenue } from '../../../test/schedule-world.ts';
import { newSchedule } from '../../../test/worlds/hours-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { DONE } from '../frame/catalog.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
let visitor: PageVisitor;
let client: PageClient;
let customer: number;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  const person = await newMember(world);
  customer = await makeCustomer(world, person);
  client = new PageClient(world.url);
  await client.get(`/account/${world.harbour}/log-in`);
  await client.post(`/account/${world.harbour}/log-in`, { email: person.email, password: PASSWORD });
  visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': person.email, Password: PASSWORD });
});
after(() => c.close());

/** Requests a page, and returns where it leads. */
async function pageAt(path: string): Promise<{ status: number; text: string }> {
  const { status, text, headers } = await client.get(path);
  return status === 303 ? client.get(headers.get('location')!) : { status, text };
}

async function paid(item: object): Promise<number> {
  const order = await c.open(customer);
  await c.add(order, item as never);
  const done = await c.pay(order, { payment_processor: c.sandbox });
  const attendance = done.checkout_items[0].result.id;
  return (await c.read(`/attendances/${attendance}?fields=event`)).event;
}

const ZONE = 'America/Toronto';
const RENTAL = { schedule_type: 'room_rental', slot_duration: 60, slot_increments: 60 };
const dayOf = (soon: boolean): string => addDays(wallAt(world.now, ZONE).date, soon ? 0 : 9);

/** Books one of each kind, a week ahead unless `soon`. */
const BOOKED: Record<string, (soon: boolean) => Promise<number>> = {
  'a class': async (soon) => paid({ item_type: 'CLASS_DRP', event: await c.event({ in: soon ? 1 : 200 }) }),
  'a class for members alone': async (soon) => {
    const event = await c.memberEvent({ in: soon ? 1 : 200 });
    await c.m.give(customer, await c.m.pack(1));
    const booked = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer } });
    assert.equal(booked.status, 200, booked.text);
    return event;
  },
  'an appointment': async (soon) => {
    const { offering } = await newPractice(world, { dropin_price_minor: 9500 });
    const [slot] = await slotsOf(world, { offering, date: dayOf(soon) });
    return paid({ item_type: 'APPT_DRP', appointment_slot: slot.id });
  },
  'a room rental': async (soon) => {
    const venue = await newVenue(world, { timezone: ZONE });
    await newRoom(world, venue);
    const offering = await newOffering(world, { ...RENTAL, dropin_price_minor: 9500 });
    await newSchedule(world, { venue, daily: '09:00-17:00', offeringTypes: { [offering]: [] } });
    const [slot] = await slotsOf(world, { offering, date: dayOf(soon) });
    return paid({ item_type: 'ROOM_RTL_DRP', room_rental_slot: slot.id });
  },
  'a session of a course': async (soon) => {
    const run = await newRun(world, { sessions: 3, inHours: soon ? 1 : 200 });
    await enrollFree(world, run.series, customer);
    return run.sessions[0];
  },
};

for (const [kind, bookOne] of Object.entries(BOOKED))
  for (const soon of [false, true])
    test(`cancelling ${kind} ${soon ? 'late' : 'in time'} ends on a page that says so`, async () => {
      const event = await bookOne(soon);
      await world.work(world.harbour, ({ tx }) =>
        tx.run(sql`UPDATE offering_type SET cancellation_notice_interval = 720 WHERE provider_id = ${world.harbour}`),
      );
      await visitor.open(`${world.site}/events/${event}`);
      await visitor.leave(visitor.page.getByRole('button', { name: /^Cancel/ }));
      // A late cancellation that costs something is confirmed first.
      const confirm = visitor.page.getByRole('button', { name: 'Cancel anyway', exact: true });
      if (soon && (await confirm.count()) > 0) await visitor.leave(confirm);
      assert.match(
        await visitor.text(),
        soon ? /The booking is cancelled\. It counts as a late cancellation\./ : /The booking is cancelled\.(?! It)/,
      );
    });

test('moving an appointment ends on its new page, and the address of the old one says so too', async () => {
  const { offering } = await newPractice(world);
  const [slot, other] = await slotsOf(world, { offering, date: dayOf(false) });
  const { event } = (await bookSlot(world, slot.id, customer)).body;
  await visitor.open(`${world.site}/book/time/${other.id}?move=${event}`);
  await visitor.leave(visitor.page.getByRole('button', { name: /^Move/ }));
  assert.match(await visitor.text(), /Moved to the new time\./);
});

test('whatever result an address names, its page exists', async () => {
  const gone = await BOOKED['an appointment'](false);
  const unbooked = await world.post(`/events/${gone}/unregister`, { as: world.machine, body: { customer } });
  assert.equal(unbooked.status, 200, unbooked.text);
  const there = await BOOKED['a class'](false);
  const { course } = await newRun(world, { sessions: 2 });
  const words = Object.keys(DONE.languages.en).map((key) => key.slice('done.'.length));
  for (const word of [...words, 'enrolled', 'left', 'nothing-of-ours'])
    for (const path of [`events/${there}`, `courses/${course}`, '', 'timetable', 'memberships']) {
      const { status } = await pageAt(`${world.site}/${path}?done=${word}`);
      assert.equal(status, 200, `${path}: ${word}`);
    }
  for (const word of ['booked', 'bought', 'rescheduled', 'waiting', 'left-waitlist', 'cancelled', 'cancelled-late']) {
    const { status, text } = await pageAt(`${world.site}/events/${gone}?done=${word}`);
    assert.deepEqual([status, text.includes('class="done"')], [200, true], word);
  }
  assert.equal((await pageAt(`${world.site}/events/${gone}`)).status, 404);
  assert.equal((await pageAt(`${world.site}/events/${gone}?done=nothing-of-ours`)).status, 404);
});
