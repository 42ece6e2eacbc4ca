/** The state of a person at an event, for the timetable, the home page and the page of the event. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book } from '../../../test/schedule-world.ts';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
let visitor: PageVisitor;
let customer: number;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  const reserves = [{ until_minutes_before: null, action: 'reserve', claim_minutes: 60 }];
  const body = { name: 'Harbour', waitlist_settings: { waitlist_policy: reserves } };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body })).status, 200);
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

const rowOf = async (event: number, on = `${world.site}/timetable`, who = visitor): Promise<string> => {
  await who.open(on);
  const text = await who.page.locator(`.event[data-event="${event}"]`).innerText();
  return text.replaceAll(/\s+/g, ' ');
};

const join = (event: number, who: number) =>
  world.post(`/events/${event}/join_waitlist`, { as: world.machine, body: { customer: who } });

test('a booking is marked on the timetable and the home page, for nobody else', async () => {
  const event = await c.event({ price: '0.00', name: 'Booked class' });
  assert.equal((await book(world, event, customer)).status, 200);
  for (const page of [`${world.site}/timetable`, world.site])
    assert.match(await rowOf(event, page), /Booked See booking$/);
  const stranger = await new PageBrowser(world.url).visitor();
  assert.match(await rowOf(event, `${world.site}/timetable`, stranger), /3 spots left Book$/);
  await visitor.checkAccessible('timetable-with-bookings');
  await stranger.close();
});

test('a place on the waitlist has its number, and a spot that is kept says until when it can be claimed', async () => {
  const event = await c.event({ price: '0.00', name: 'Full class', max_occupancy: 1 });
  const [holder, first] = [await world.newCustomer(), await world.newCustomer()];
  await book(world, event, holder);
  for (const who of [first, customer]) assert.equal((await join(event, who)).status, 200);
  assert.match(await rowOf(event), /Waiting, number 2 See booking$/);
  await world.post(`/events/${event}/leave_waitlist`, { as: world.machine, body: { customer: first } });
  await world.post(`/events/${event}/unregister`, { as: world.machine, body: { customer: holder } });
  assert.match(await rowOf(event), /Yours to claim until \d+:\d\d .m\. Claim it$|Yours to claim until .* Claim it$/);
});

test('a spot that is held while somebody pays says so everywhere, and leads back to the payment', async () => {
  const event = await c.event({ price: '18.00', name: 'Paid class' });
  await visitor.open(`${world.site}/events/${event}`);
  await visitor.submit('Book: $18.00');
  assert.match(visitor.path, /\/checkout$/);
  assert.match(await rowOf(event), /Held until .*, finish paying Finish paying$/);
  await visitor.open(`${world.site}/events/${event}`);
  assert.match(await visitor.text(), /Held for you until [^]*Finish paying to book it\./);
  await visitor.checkAccessible('event-held');
  await visitor.submit('Finish paying');
  assert.match(visitor.path, /\/checkout$/);
  assert.match(await visitor.text(), /Paid class[^]*\$18\.00/);
  world.setNow(world.now + 2 * 3_600_000);
  assert.doesNotMatch(await rowOf(event), /Held/);
});

test('one row of a family names each person who has something there', async () => {
  const event = await c.event({ price: '0.00', name: 'Family class' });
  const family = await world.work(world.harbour, async ({ tx }) => {
    const made = await tx.one<{ id: number }>(
      sql`INSERT INTO family (provider_id) VALUES (${world.harbour}) RETURNING id`,
    );
    await tx.run(
      sql`UPDATE customer SET family_id = ${made!.id}, family_role = 'manager' WHERE provider_id = ${world.harbour}
        AND id = ${customer}`,
    );
    return made!.id;
  });
  const sam = await world.newCustomer({ first_name: 'Sam', family_id: family, family_role: 'child' });
  await book(world, event, sam);
  assert.match(await rowOf(event), /Sam: Booked Book$/);
  await book(world, event, customer);
  assert.match(await rowOf(event), /Booked Sam: Booked See booking$/);
});
