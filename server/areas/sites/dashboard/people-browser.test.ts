/** Customers in the dashboard, as staff meet them in a browser. What they did there is checked by the interface. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardWorld } from './test/dashboard-world.ts';
import { sql } from '../../../kernel/db/sql.ts';
import { seed } from '../../../test/seeds.ts';
import type { Visitor } from '../../../test/browser.ts';
import type { World } from '../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
let owner: Visitor;
before(async () => {
  desk = await DashboardWorld.start({ own: true, worker: true });
  ({ world } = desk);
  owner = await desk.visitor();
});
after(() => desk?.close());

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const make = async (path: string, body: object) => {
  const answer = await world.post(path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

const button = (visitor: Visitor, name: string | RegExp) =>
  visitor.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });

/** Confirms what the dry run shows. */
const confirm = async (visitor: Visitor, name: string) => {
  const dialog = visitor.page.getByRole('dialog').last();
  await dialog.getByText('This happens if you go on:').waitFor();
  await dialog.getByRole('button', { name, exact: true }).click();
};

/** As the dashboard writes a day. */
const day = (date: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${date}T12:00Z`));

const tabs = (visitor: Visitor) =>
  visitor.page
    .getByRole('navigation', { name: /Parts of/ })
    .getByRole('link')
    .allInnerTexts();

const saying = (visitor: Visitor, text: string) => visitor.page.getByText(text).first().waitFor();

test('customers are found by their names, narrowed down by links, and counted', async () => {
  const label = await make('/customer_labels', { name: 'Regular' });
  const ines = await world.newCustomer({ first_name: 'Ines', last_name: 'Quandt' });
  await world.newCustomer({ first_name: 'Otto', last_name: 'Quandt' });
  await make(`/customers/${ines}/add_label`, { label: label.id });
  await desk.open(owner, 'people');
  await owner.page.getByLabel('Name or email').fill('quandt');
  await saying(owner, '2 customers');
  await owner.page
    .getByRole('search')
    .getByRole('combobox', { name: /^Label/ })
    .selectOption({ label: 'Regular' });
  await saying(owner, '1 customer');
  assert.match(owner.page.url(), new RegExp(`query=quandt&label=${label.id}`));
  await desk.open(owner, `people?query=quandt&label=${label.id}`);
  await owner.page.getByRole('link', { name: 'Ines Quandt' }).click();
  await owner.page.getByRole('heading', { level: 1, name: 'Ines Quandt' }).waitFor();
  assert.ok(owner.path.endsWith(`/people/${ines}`));
});

test('of a long list only what can be seen is drawn, and its end can be reached', async () => {
  await world.work(world.harbour, async ({ tx }) => {
    await tx.run(
      sql`INSERT INTO customer (provider_id, first_name, last_name) SELECT ${world.harbour}, 'Row', 'Long ' || lpad(n::text, 4, '0') FROM generate_series(1, 1000) n`,
    );
  });
  await desk.open(owner, 'people?query=long');
  await saying(owner, '1,000 customers');
  assert.ok((await owner.page.getByRole('row').count()) < 80);
  await owner.page.evaluate(() => (globalThis as any).scrollTo(0, (globalThis as any).document.body.scrollHeight));
  await owner.page.getByRole('link', { name: 'Row Long 1000' }).waitFor();
});

test('several customers are changed together, and each has a result of their own', async () => {
  const label = await make('/customer_labels', { name: 'Spring' });
  const ids = [
    await world.newCustomer({ first_name: 'Ada', last_name: 'Bulkwell' }),
    await world.newCustomer({ first_name: 'Ben', last_name: 'Bulkwell' }),
  ];
  await desk.open(owner, 'people?query=bulkwell');
  for (const name of ['Select Ada Bulkwell', 'Select Ben Bulkwell']) await owner.page.getByLabel(name).check();
  await saying(owner, '2 selected');
  await owner.page
    .getByRole('group', { name: 'Selected customers' })
    .getByLabel('Label')
    .selectOption({ label: 'Spring' });
  await button(owner, 'Continue').click();
  await saying(owner, 'This can be done for 2 of 2.');
  await button(owner, 'Add the label “Spring”').click();
  const results = owner.page.getByRole('list', { name: 'Result for each' });
  await results.waitFor();
  assert.equal(await results.getByText('Done').count(), 2);
  for (const id of ids) assert.deepEqual((await get(`/customers/${id}?fields=labels`)).labels, [label.id]);
  await button(owner, 'Close').last().click();
});

test('of customers who are deleted together, those with something here stay and say why', async () => {
  await world.newCustomer({ first_name: 'Fay', last_name: 'Gonewell' });
  const bound = await world.newCustomer({ first_name: 'Max', last_name: 'Gonewell' });
  await make('/account_entries', { customer: bound, kind: 'credit', amount: '5.00', explanation: 'A gift' });
  await desk.open(owner, 'people?query=gonewell');
  for (const name of ['Select Fay Gonewell', 'Select Max Gonewell']) await owner.page.getByLabel(name).check();
  await owner.page.getByLabel('What to do').selectOption({ label: 'Delete' });
  await button(owner, 'Continue').click();
  await confirm(owner, 'Delete');
  await saying(owner, '2 of 2 done');
  const results = owner.page.getByRole('list', { name: 'Result for each' }).getByRole('listitem');
  assert.match(await results.nth(0).innerText(), /^Max Gonewell\s+\S/);
  assert.match(await results.nth(1).innerText(), /^Fay Gonewell\s+Done$/);
  assert.equal((await world.get(`/customers/${bound}`, { as: world.machine })).status, 200);
  assert.equal((await world.get('/customers?query=gonewell', { as: world.machine })).body.count, 1);
});

test('two who edit one customer do not overwrite each other, and what was typed stays', async () => {
  const id = await world.newCustomer({ first_name: 'Mara', last_name: 'Twice' });
  await desk.open(owner, `people/${id}`);
  await button(owner, 'Edit').click();
  await owner.page.getByLabel('First name').fill('Maria');
  await world.patch(`/customers/${id}`, { as: world.machine, body: { last_name: 'Thrice' } });
  await button(owner, 'Continue').click();
  await saying(owner, 'The resource has changed since');
  await owner.page.getByRole('dialog').last().getByRole('button', { name: 'Close' }).last().click();
  await owner.page.getByText('Twice → Thrice').waitFor();
  assert.equal((await get(`/customers/${id}`)).first_name, 'Mara');
  await button(owner, 'Read it again and keep what I typed').click();
  assert.equal(await owner.page.getByLabel('First name').inputValue(), 'Maria');
  await owner.page.getByLabel('Last name').fill('Thrice');
  await button(owner, 'Continue').click();
  await confirm(owner, 'Save');
  await owner.page.getByRole('heading', { level: 1, name: 'Maria Thrice' }).waitFor();
  assert.equal((await get(`/customers/${id}`)).last_name, 'Thrice');
});

test('what is wrong with a field is said beside it', async () => {
  const id = await world.newCustomer({ first_name: 'Nils', last_name: 'Field' });
  await desk.open(owner, `people/${id}`);
  await button(owner, 'Edit').click();
  await owner.page.getByLabel('First name').fill('');
  await button(owner, 'Continue').click();
  await owner.page.locator('input[name=first_name][aria-invalid=true]').waitFor();
  assert.equal((await get(`/customers/${id}`)).first_name, 'Nils');
});

test('the last day that the preview of a hold shows is the one that the membership then has', async () => {
  const customer = await world.newCustomer({ first_name: 'Hal', last_name: 'Rest', date_of_birth: '1990-05-05' });
  const membership = await seed(world, 'membership', world.harbour);
  const owned = await make('/customer_memberships', { membership, customer, billed_price: '0.00' });
  const { name } = await get(`/customer_memberships/${owned.id}`);
  const before = (await get(`/customer_memberships/${owned.id}`)).expiration_date;
  assert.ok(before);
  const end = new Date(world.now + 9 * 86_400_000).toISOString().slice(0, 10);
  await desk.open(owner, `people/${customer}?tab=memberships`);
  await button(owner, `Put ${name} on hold`).click();
  await owner.page.getByLabel('First day').fill(new Date(world.now + 86_400_000).toISOString().slice(0, 10));
  await owner.page.getByLabel('Last day').fill(end);
  await owner.page.getByText(/The last day of the membership becomes/).waitFor();
  const said = await owner.page.getByText(/The last day of the membership becomes/).innerText();
  await button(owner, 'Continue').click();
  await confirm(owner, 'Put on hold');
  await saying(owner, `${name} is on hold.`);
  const { expiration_date } = await get(`/customer_memberships/${owned.id}`);
  assert.notEqual(expiration_date, before);
  assert.equal(said, `The last day of the membership becomes ${day(expiration_date)}.`);
});

test('two records of one person are merged after a warning, and the other one no longer exists', async () => {
  const kept = await world.newCustomer({ first_name: 'Lea', last_name: 'Onlyone' });
  const other = await world.newCustomer({ first_name: 'Lea', last_name: 'Spareone' });
  await make('/customer_notes', { customer: other, text: 'Likes the window' });
  await desk.open(owner, `people/${kept}?tab=data`);
  await owner.page.getByLabel('The other record').first().fill('Spareone');
  await owner.page.getByRole('option', { name: /Lea Spareone/ }).click();
  await saying(owner, 'You can’t undo this.');
  await confirm(owner, 'Merge');
  await saying(owner, 'Lea Spareone was merged into Lea Onlyone.');
  assert.equal((await world.get(`/customers/${other}`, { as: world.machine })).status, 404);
  assert.equal((await get(`/customer_notes?customer=${kept}`)).results[0].text, 'Likes the window');
});

test('staff see what their permissions show: an instructor no contact data, the front desk no history', async () => {
  const id = await world.newCustomer({ first_name: 'Pia', last_name: 'Private', email: 'pia@private.example' });
  const instructor = await desk.visitor(await desk.colleague({ permissions: ['instructor_attendances'] }));
  await desk.open(instructor, `people/${id}`);
  assert.deepEqual(await tabs(instructor), ['Overview', 'Bookings', 'Memberships', 'Family']);
  assert.ok(!(await instructor.page.content()).includes('pia@private.example'));
  await desk.open(instructor, 'people?query=private');
  await saying(instructor, '1 customer');
  assert.ok(!(await instructor.page.content()).includes('pia@private.example'));
  const front = await desk.visitor(await desk.colleague({ permissions: ['customers', 'attendances', 'pos'] }));
  await desk.open(front, `people/${id}`);
  await saying(front, 'pia@private.example');
  const seen = await tabs(front);
  assert.ok(seen.includes('Notes') && !seen.includes('History') && !seen.includes('Personal data'));
  await desk.open(owner, `people/${id}`);
  assert.ok((await tabs(owner)).includes('Personal data'));
  await Promise.all([instructor.close(), front.close()]);
});

test('the list and every part of a record can be used by everybody, on phones and in the dark', async () => {
  const customer = await world.newCustomer({ first_name: 'Axel', last_name: 'Everyone', date_of_birth: '1990-05-05' });
  const membership = await seed(world, 'membership', world.harbour);
  await make('/customer_memberships', { membership, customer, billed_price: '0.00' });
  await make('/customer_notes', { customer, text: 'Comes by bicycle' });
  await make('/customer_tasks', { customer, title: 'Call back' });
  await make('/account_entries', { customer, kind: 'credit', amount: '5.00', explanation: 'Sorry' });
  const settled = async (): Promise<void> => {
    await owner.page.waitForFunction(() => (globalThis as any).document.querySelectorAll('main .loading').length === 0);
  };
  await desk.open(owner, 'people?query=everyone');
  await saying(owner, '1 customer');
  await owner.page.getByLabel('Select Axel Everyone').check();
  await owner.checkLive('people');
  for (const tab of [
    'overview',
    'bookings',
    'memberships',
    'account',
    'messages',
    'notes',
    'tasks',
    'family',
    'preferences',
    'history',
    'data',
  ]) {
    await desk.open(owner, `people/${customer}?tab=${tab}`);
    await settled();
    await owner.checkLive(`person-${tab}`);
  }
});
