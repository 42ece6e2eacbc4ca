/** People add a card in their account without a payment, and a recurring plan is charged to it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../../commerce/checkouts/test/world.ts';
import { createUser } from '../../../people/identity/index.ts';
import { findExpiringCards } from '../../../commerce/billing/cards.ts';
import { PageBrowser, type PageVisitor } from '../../../../test/pages/page-visitor.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { sweepPayments } from '../../../money/payments/sweep.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let c: CheckoutWorld;
let browser: PageBrowser;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  browser = new PageBrowser(world.url);
  const body = { domains: ['shop.example.com'] };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body })).status, 200);
});
after(() => c?.close());

const at = (page: string) => `/account/${world.harbour}/${page}`;

async function someone(email: string): Promise<{ customer: number; visitor: PageVisitor }> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const customer = await world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
  const visitor = await browser.visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  return { customer, visitor };
}

const savedFor = async (customer: number) => (await c.read(`/payment_methods?customer=${customer}`)).results;

test('a person adds a card without a payment, and nothing is charged', async () => {
  const { customer, visitor } = await someone('adds.card@example.com');
  await visitor.open(at('profile/payments'));
  await visitor.submit('Add a card');
  assert.match(await visitor.text(), /Save your card/);
  await visitor.submit('Cancel');
  assert.match(await visitor.text(), /You cancelled, so no card was saved\./);
  assert.deepEqual(await savedFor(customer), []);
  await visitor.submit('Add a card');
  await visitor.submit('Save');
  assert.match(await visitor.text(), /Your card is saved\.[\s\S]*Sandbox card 4242/);
  assert.equal((await savedFor(customer)).length, 1);
  assert.deepEqual((await c.read(`/payments?customer=${customer}`)).results, []);
});

test('the email about a card that expires leads to the page of the plan, which is then charged to the new card', async () => {
  const { customer, visitor } = await someone('expires.card@example.com');
  const { membership } = await c.m.recurring([], { billing_period_length: 1, billing_period_unit: 'weeks' }, {});
  const { id: plan } = await c.m.give(customer, membership, {});
  await visitor.open(at(`profile/memberships/${plan}/card`));
  await visitor.submit('Add a card');
  await visitor.submit('Save');
  const [old] = await savedFor(customer);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE payment_method SET expiration_year = 2020
      WHERE provider_id = ${world.harbour} AND id = ${old.id}`),
  );
  await world.work(world.harbour, (work) => findExpiringCards(work));
  const { results } = await c.read(`/customers/${customer}/messages?kind=card_expires&expand=body`);
  const link = /\/account\/\S+\/card/.exec(JSON.stringify(results[0].body))![0];
  await visitor.open(link);
  await visitor.submit('Add a card');
  await visitor.submit('Save');
  assert.match(await visitor.text(), /Your card is saved/);
  const [kept, added] = (await savedFor(customer)).map(({ id }: { id: number }) => id).toSorted();
  assert.equal(kept, old.id);
  const { results: subscriptions } = await c.read(`/payment_subscriptions?customer=${customer}`);
  assert.equal(subscriptions[0].payment_method, added);
});

test('a card that a plan is charged to is removed only after the person was asked, and can be replaced first', async () => {
  const { customer, visitor } = await someone('removes@example.com');
  const { membership } = await c.m.recurring([], { billing_period_length: 1, billing_period_unit: 'weeks' }, {});
  const { id: plan } = await c.m.give(customer, membership, {});
  await visitor.open(at('profile/payments'));
  await visitor.submit('Add a card');
  await visitor.submit('Save');
  assert.match(await visitor.text(), /Club is charged to it\. Replace/);
  await visitor.submit('Remove Sandbox card 4242');
  assert.match(
    await visitor.text(),
    /Sandbox card 4242 is still in use\s+Club is charged to it\. If you remove it, you get an invoice for the next payment\./,
  );
  assert.equal((await savedFor(customer)).length, 1);
  await visitor.follow('Choose another one for Club');
  assert.equal(visitor.path, at(`profile/memberships/${plan}/card`));
  await visitor.open(at('profile/payments'));
  await visitor.submit('Remove Sandbox card 4242');
  await visitor.submit('Remove Sandbox card 4242 anyway');
  assert.match(await visitor.text(), /The payment method is removed\./);
  assert.deepEqual(await savedFor(customer), []);
});

test('setups in which no card was saved are deleted after a month', async () => {
  const customer = await world.newCustomer();
  const { body } = await world.post('/payment_method_setups', {
    as: world.machine,
    body: {
      customer,
      payment_processor: c.sandbox,
      return_to: 'https://shop.example.com/cards',
      scenario: 'extra_step',
    },
  });
  const status = async () => (await world.get(`/payment_method_setups/${body.id}`, { as: world.machine })).status;
  const sweepAfter = (days: number) =>
    world.app.db.acrossTenants('a test sweeps', (tx) => sweepPayments(tx, world.now + days * 86_400_000));
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE payment_method_setup SET next_at = NULL
      WHERE provider_id = ${world.harbour} AND id = ${body.id}`),
  );
  await sweepAfter(29);
  assert.equal(await status(), 200);
  await sweepAfter(31);
  assert.equal(await status(), 404);
});

test('customers save cards for themselves only, and only for plans that they pay for', async () => {
  const [mine, theirs] = [await world.newCustomer(), await world.newCustomer()];
  const { membership } = await c.m.recurring([], {}, {});
  const { id: plan } = await c.m.give(theirs, membership, {});
  const { results } = await c.read(`/payment_subscriptions?customer_membership=${plan}`);
  const asked = (body: object) =>
    world.post('/payment_method_setups', {
      as: world.customer(mine),
      body: { customer: mine, payment_processor: c.sandbox, return_to: 'https://shop.example.com/cards', ...body },
    });
  assert.equal((await asked({ customer: theirs })).status, 403);
  const { status, body } = await asked({ payment_subscription: results[0].id });
  assert.deepEqual([status, Object.keys(body.field_errors)], [400, ['payment_subscription']]);
  const { body: made } = await world.post('/payment_method_setups', {
    as: world.machine,
    body: { customer: theirs, payment_processor: c.sandbox, return_to: 'https://shop.example.com/cards' },
  });
  assert.equal((await world.get(`/payment_method_setups/${made.id}`, { as: world.customer(mine) })).status, 404);
});
