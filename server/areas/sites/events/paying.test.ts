/** Payment of an event on its page: with the default membership, another one, or a single visit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { newEvent, newOffering } from '../../../test/schedule-world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
/** the event that the memberships of this world pay for; a single visit costs 22.00 */
let event: number;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE offering_type SET dropin_price_minor = 2200, allows_dropins = true
        WHERE provider_id = ${world.harbour} AND id = ${c.m.offering}`,
    ),
  );
  event = await c.memberEvent({ name: 'Rowing', max_occupancy: 20 });
});
after(() => c.close());

async function someone(): Promise<{ visitor: PageVisitor; customer: number }> {
  const person = await newMember(world);
  const customer = await makeCustomer(world, person);
  const visitor = await new PageBrowser(world.url).visitor();
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': person.email, Password: PASSWORD });
  return { visitor, customer };
}

const MONTH = { duration: 1, duration_unit: 'months' };

const change = (id: number, values: ReturnType<typeof sql>) =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE customer_membership SET ${values} WHERE provider_id = ${world.harbour} AND id = ${id}`),
  );

/** Memberships that can't pay, by the reason. */
const REFUSED: Record<string, (customer: number) => Promise<void>> = {
  'it is for something else': async (customer) => {
    const other = await newOffering(world, { name: 'Diving' });
    const membership = await c.m.pack(5);
    await world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE membership_registration_grant SET offering_type_id = ${other} WHERE provider_id = ${world.harbour}
          AND membership_id = ${membership}`,
      ),
    );
    await c.m.give(customer, membership);
  },
  'it is used up': async (customer) => {
    await c.m.give(customer, await c.m.pack(1));
    const other = await c.memberEvent({ name: 'Before', in: 30 });
    const booked = await world.post(`/events/${other}/register`, { as: world.machine, body: { customer } });
    assert.equal(booked.status, 200, booked.text);
  },
  'it has expired': async (customer) => {
    const { id } = await c.m.give(customer, await c.m.prepaid(MONTH));
    await change(id, sql`start_date = '2026-06-01', expiration_date = '2026-07-01'`);
  },
  'it is on hold': async (customer) => {
    const { membership, plan } = await c.m.recurring();
    const { id } = await c.m.give(customer, membership, { payment_plan: plan });
    const held = await world.post('/customer_membership_holds', {
      as: world.machine,
      body: { customer_membership: id, start_date: '2026-07-15', days: 20 },
    });
    assert.ok(held.status < 300, held.text);
  },
  'it is not paid': async (customer) => {
    const { id } = await c.m.give(customer, await c.m.prepaid(MONTH));
    const order = await c.open(customer);
    await c.add(order, { item_type: 'CLASS_DRP', event: await c.event() });
    await c.pay(order, { pay_later: true });
    const [invoice] = (await c.read(`/invoices?payer=${customer}&sort=-id`)).results;
    await change(id, sql`unpaid_invoice_id = ${invoice.id}`);
  },
};

for (const [why, give] of Object.entries(REFUSED))
  test(`somebody pays for a single visit although they hold a membership: ${why}`, async () => {
    const { visitor, customer } = await someone();
    await give(customer);
    await visitor.open(`${world.site}/events/${event}`);
    await visitor.submit('Book: $22.00');
    assert.match(visitor.path, /\/checkout$/);
    assert.match(await visitor.text(), /Rowing[^]*\$22\.00/);
    await visitor.close();
  });

test('somebody with several memberships chooses which of them pays, or pays for the visit', async () => {
  const { visitor, customer } = await someone();
  const first = await c.m.give(customer, await c.m.pack(5, { name: 'First pack', ...MONTH }));
  const second = await c.m.give(customer, await c.m.pack(5, { name: 'Second pack' }));
  await c.m.give(customer, await c.m.pack(5, { name: 'Not yet' }), { start_date: '2026-09-01' });
  await visitor.open(`${world.site}/events/${event}`);
  const text = (await visitor.text()).replaceAll(/\s+/g, ' ');
  assert.match(text, /4 visits are left after this, valid until \w+ \d+, 2026 .*Book with First pack \(5 left\)/);
  assert.match(text, /4 visits are left after this Book with Second pack \(5 left\)/);
  assert.match(text, /You pay \$22\.00 for this visit only Pay for this visit: \$22\.00/);
  assert.doesNotMatch(text, /Not yet/);
  await visitor.checkAccessible('event-with-choices');
  await visitor.submit('Book with Second pack (5 left)');
  assert.match(await visitor.text(), /You're booked|You’re booked/);
  assert.deepEqual([await c.m.used(first.id), await c.m.used(second.id)], [0, 1]);

  const other = await c.memberEvent({ name: 'Later', in: 50 });
  await visitor.open(`${world.site}/events/${other}`);
  await visitor.submit('Pay for this visit: $22.00');
  assert.match(visitor.path, /\/checkout$/);
  assert.match(await visitor.text(), /Later[^]*\$22\.00/);
  assert.deepEqual([await c.m.used(first.id), await c.m.used(second.id)], [0, 1]);
  await visitor.close();
});

test('the membership on the button is the one that pays, and its last visit is called the last', async () => {
  const { visitor, customer } = await someone();
  const last = await c.m.give(customer, await c.m.pack(1, { name: 'One visit' }));
  await visitor.open(`${world.site}/events/${event}`);
  assert.match(await visitor.text(), /It’s your last visit on it/);
  await visitor.submit('Book with One visit (1 left)');
  assert.match(await visitor.text(), /You’re booked/);
  assert.equal(await c.m.used(last.id), 1);
  await visitor.close();
});

test('what could be bought says what it pays for and how it goes on', async () => {
  const { visitor } = await someone();
  await c.m.pack(10, { name: 'Ten visits', for_sale: true });
  await c.m.recurring([], { committed_billing_periods: 3 }, { name: 'Year club', for_sale: true });
  await visitor.open(`${world.site}/events/${event}`);
  const text = (await visitor.text()).replaceAll(/\s+/g, ' ');
  assert.match(text, /Pays for this visit and 9 more Get Ten visits: \$120\.00/);
  assert.match(text, /Pays for this visit, and renews: at least 3 payments Get Year club: \$40\.00 per month/);
  await visitor.close();
});

test('the main button has its price, the free spots and the deadline beside it, also before the log-in', async () => {
  const stranger = await new PageBrowser(world.url).visitor();
  await stranger.open(`${world.site}/events/${event}`);
  assert.match(
    await stranger.text(),
    /\$22\.00 for one visit · \d+ spots left · Cancel for free until it starts\s*Continue/,
  );
  const { visitor } = await someone();
  await visitor.open(`${world.site}/events/${event}`);
  assert.match(await visitor.text(), /\d+ spots left · Cancel for free until it starts\s*Book: \$22\.00/);
  await Promise.all([stranger.close(), visitor.close()]);
});

test('there is no choice if only one thing can pay, or nothing has to be paid', async () => {
  const { visitor, customer } = await someone();
  const free = (await newEvent(world, { ...c.m.place, offering: await newOffering(world) }, { name: 'Open day' })).id;
  await c.m.give(customer, await c.m.pack(5));
  await visitor.open(`${world.site}/events/${free}`);
  assert.doesNotMatch(await visitor.text(), /Book with|Pay for this visit/);
  await visitor.close();
});

test('the button has the price as the reader writes it', async () => {
  const { visitor } = await someone();
  await visitor.open(`${world.site}/events/${event}?lang=de`);
  assert.match(await visitor.text(), / – 22,00\s\$/u);
  await visitor.close();
});
