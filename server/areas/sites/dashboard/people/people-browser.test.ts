/** Customers in the dashboard, as staff use them in a browser. The results are checked through the interface. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { confirm } from '../test/proposals.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { newEvent, newPlace } from '../../../../test/schedule-world.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
let owner: Visit;
before(async () => {
  desk = await DashboardBrowser.start({ own: true, worker: true });
  ({ world } = desk);
  owner = await desk.window();
  await desk.open(owner, 'today');
});
after(() => desk?.close());

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const make = async (path: string, body: object) => {
  const answer = await world.post(path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

const button = (visitor: Visit, name: string | RegExp) =>
  visitor.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });

/** Formats a day like the dashboard. */
const day = (date: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${date}T12:00Z`));

const tabs = (visitor: Visit) =>
  visitor.page
    .getByRole('navigation', { name: /Parts of/ })
    .getByRole('link')
    .allInnerTexts();

/** Headings of the parts of a tab. */
const parts = (visitor: Visit) => visitor.page.locator('.person').getByRole('heading', { level: 2 }).allInnerTexts();

const saying = (visitor: Visit, text: string) => visitor.page.getByText(text).first().waitFor();

test('customers are found by name, filtered by links, and counted', async () => {
  const label = await make('/customer_labels', { name: 'Regular' });
  const ines = await world.newCustomer({ first_name: 'Ines', last_name: 'Quandt' });
  await world.newCustomer({ first_name: 'Otto', last_name: 'Quandt' });
  await make(`/customers/${ines}/add_label`, { label: label.id });
  await desk.open(owner, 'people');
  await owner.page.getByLabel('Name or email').fill('quandt');
  await owner.page.waitForURL(/query=quandt/);
  await saying(owner, '2 customers');
  await owner.page
    .getByRole('search')
    .getByRole('combobox', { name: /^Label/ })
    .selectOption({ label: 'Regular' });
  await saying(owner, '1 customer');
  assert.deepEqual(Object.fromEntries(new URL(owner.page.url()).searchParams), {
    query: 'quandt',
    label: String(label.id),
  });
  await desk.open(owner, `people?query=quandt&label=${label.id}`);
  await owner.page.getByRole('link', { name: 'Ines Quandt' }).click();
  const card = owner.page.getByRole('dialog', { name: 'Ines Quandt' });
  await card.getByText('Not booked today, and nothing pays for a class').waitFor();
  assert.deepEqual(Object.fromEntries(new URL(owner.page.url()).searchParams), {
    query: 'quandt',
    label: String(label.id),
    person: String(ines),
  });
  await owner.checkLive('people-card');
  await card.getByRole('link', { name: 'Open the full record' }).click();
  await owner.page.getByRole('heading', { level: 1, name: 'Ines Quandt' }).waitFor();
  assert.ok(owner.path.endsWith(`/people/${ines}`));
});

test('customers are found by their answers to questions', async () => {
  const { id: field, key } = await make('/customer_fields', { label: 'Asthma', type: 'boolean' });
  const customer = await world.newCustomer({ first_name: 'Noor', last_name: 'Answering' });
  await world.newCustomer({ first_name: 'Olaf', last_name: 'Answering' });
  await make('/customer_field_values', { field, customer, value: { answer: true } });
  await desk.open(owner, `people?query=answering&answers=${encodeURIComponent(`${key}:none`)}`);
  await saying(owner, '1 customer');
  await owner.page
    .getByRole('search')
    .getByRole('combobox', { name: /^Answer/ })
    .selectOption({ label: 'Asthma: Yes' });
  await owner.page.getByRole('link', { name: 'Noor Answering' }).waitFor();
});

test('a card shows whether its person may come in, checks them in, and the list stays behind it', async () => {
  const place = await newPlace(world);
  const { id: event } = await newEvent(world, place, { name: 'Rowing at noon', in: 0.1 });
  const id = await world.newCustomer({ first_name: 'Cora', last_name: 'Cardwell' });
  await make(`/events/${event}/register`, { customer: id });
  await make('/customer_notes', { customer: id, text: 'Knee surgery in May', pinned: true });
  await make('/account_entries', { customer: id, kind: 'charge', amount: '4.00', explanation: 'A towel' });
  await desk.open(owner, 'people?query=cardwell');
  await owner.page.getByRole('link', { name: 'Cora Cardwell' }).click();
  const card = owner.page.getByRole('dialog', { name: 'Cora Cardwell' });
  await card.getByText(/^May come in: Rowing at noon at /).waitFor();
  for (const fact of ['Knee surgery in May', '$4.00', 'First visit']) await card.getByText(fact).first().waitFor();
  await card.getByRole('button', { name: 'Check in' }).click();
  await card.getByText(/^Checked in: Rowing at noon/).waitFor();
  const statusOf = async () => (await get(`/attendances?customer=${id}`)).results[0].status;
  assert.equal(await statusOf(), 'attended');
  await card.getByRole('button', { name: 'Undo check-in' }).click();
  await card.getByText(/^May come in: /).waitFor();
  assert.equal(await statusOf(), 'registered');
  await card.getByRole('button', { name: 'Book', exact: true }).click();
  assert.equal(await owner.page.locator('dialog[open]').count(), 1, 'no window over a window');
  await owner.page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Close', exact: true }).click();
  await card.waitFor({ state: 'detached' });
  assert.equal(new URL(owner.page.url()).searchParams.get('query'), 'cardwell');
});

test('a customer is blocked and the block lifted, each saved at once and undone, and the card says it', async () => {
  const id = await world.newCustomer({ first_name: 'Bea', last_name: 'Barred' });
  await make('/customer_issues', { customer: id, name: 'Broke an oar', importance: 'flag_on_profile' });
  const isActive = async () =>
    (await get(`/customer_registration_blocks?customer=${id}`)).results.map(({ is_active }: any) => is_active);
  await desk.open(owner, `people/${id}`);
  await saying(owner, 'Broke an oar');
  await button(owner, 'Block from booking').click();
  const form = owner.page.getByRole('dialog', { name: 'Block from booking' });
  await form.getByLabel('Reason').fill('Left without paying');
  await form.getByRole('button', { name: 'Block from booking' }).click();
  await saying(owner, 'They can no longer book.');
  const card = owner.page.getByRole('article', { name: 'Card of Bea Barred' });
  await card.getByText('Blocked from booking').waitFor();
  await card.getByText('Left without paying').waitFor();
  assert.deepEqual(await isActive(), [true]);
  await button(owner, 'Undo').click();
  await owner.page.getByText('They can book.', { exact: true }).waitFor();
  assert.deepEqual(await isActive(), [false]);
  // The card shows the block that is lifted below, not the one that was undone.
  await card.getByText('Left without paying').waitFor({ state: 'detached' });
  await make('/customer_registration_blocks', { customer: id, reason: 'Again' });
  await card.getByText('Again', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Lift the block' }).click();
  await saying(owner, 'They can book again.');
  assert.deepEqual(await isActive(), [false, false]);
});

test('a long list draws only its visible rows, and its end can be reached', async () => {
  await world.work(world.harbour, async ({ tx }) => {
    await tx.run(
      sql`INSERT INTO customer (provider_id, first_name, last_name)
        SELECT ${world.harbour}, 'Row', 'Long ' || lpad(n::text, 4, '0') FROM generate_series(1, 1000) n`,
    );
  });
  const visitor = await desk.visitor();
  await desk.open(visitor, 'people?query=long');
  await saying(visitor, '1,000 customers');
  assert.ok((await visitor.page.getByRole('row').count()) < 80);
  await visitor.page.evaluate(() => (globalThis as any).scrollTo(0, (globalThis as any).document.body.scrollHeight));
  await visitor.page.getByRole('link', { name: 'Row Long 1000' }).waitFor();
  await visitor.close();
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
  await owner.checkLive('people-label-tried');
  await button(owner, 'Add the label “Spring”').click();
  const results = owner.page.getByRole('list', { name: 'Result for each' });
  await results.waitFor();
  await shows(() => results.getByText('Done').count(), 2);
  for (const id of ids) assert.deepEqual((await get(`/customers/${id}?fields=labels`)).labels, [label.id]);
  await button(owner, 'Close').last().click();
});

test('when customers are deleted together, those with activity at the business stay, with the reason', async () => {
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
  await shows(() => results.nth(0).innerText(), /^Max Gonewell\s+\S/);
  await shows(() => results.nth(1).innerText(), /^Fay Gonewell\s+Done$/);
  assert.equal((await world.get(`/customers/${bound}`, { as: world.machine })).status, 200);
  assert.equal((await world.get('/customers?query=gonewell', { as: world.machine })).body.count, 1);
  await button(owner, 'Export the results (CSV)').click();
  await owner.page.getByRole('link', { name: 'Open the file in Reports' }).click();
  await owner.page.getByRole('list', { name: 'Your files' }).getByText('Results of a bulk action').waitFor();
});

test('what two people change about one customer is merged, and where both changed a field, it is chosen', async () => {
  const id = await world.newCustomer({ first_name: 'Mara', last_name: 'Twice' });
  await desk.open(owner, `people/${id}`);
  await button(owner, 'Edit').first().click();
  await owner.page.getByLabel('First name').fill('Maria');
  await world.patch(`/customers/${id}`, { as: world.machine, body: { last_name: 'Thrice' } });
  await button(owner, 'Save').click();
  await owner.page.getByRole('heading', { level: 1, name: 'Maria Thrice' }).waitFor();
  const namesOf = async () => {
    const { first_name, last_name } = await get(`/customers/${id}`);
    return [first_name, last_name];
  };
  assert.deepEqual(await namesOf(), ['Maria', 'Thrice']);

  await button(owner, 'Edit').first().click();
  await owner.page.getByLabel('First name').fill('Mary');
  await owner.page.getByLabel('Last name').fill('Mine');
  await world.patch(`/customers/${id}`, { as: world.machine, body: { first_name: 'Marie', last_name: 'Theirs' } });
  await button(owner, 'Save').click();
  await saying(owner, 'They: Theirs');
  await owner.checkLive('person-edit-both');
  assert.deepEqual(await namesOf(), ['Marie', 'Theirs'], 'nothing is saved before it is decided');
  await button(owner, 'Last name: Take theirs').click();
  await button(owner, 'First name: Keep mine').click();
  await button(owner, 'Save').click();
  await owner.page.getByRole('heading', { level: 1, name: 'Mary Theirs' }).waitFor();
  assert.deepEqual(await namesOf(), ['Mary', 'Theirs']);
});

test('errors are shown next to their field', async () => {
  const id = await world.newCustomer({ first_name: 'Nils', last_name: 'Field' });
  await desk.open(owner, `people/${id}`);
  await button(owner, 'Edit').click();
  await owner.page.getByLabel('First name').fill('');
  await button(owner, 'Save').click();
  await owner.page.locator('input[name=first_name][aria-invalid=true]').waitFor();
  assert.equal((await get(`/customers/${id}`)).first_name, 'Nils');
});

test('the preview of a hold shows the last day that the membership then has', async () => {
  const customer = await world.newCustomer({ first_name: 'Hal', last_name: 'Rest', date_of_birth: '1990-05-05' });
  const membership = await seed(world, 'membership', world.harbour);
  const owned = await make('/customer_memberships', { membership, customer, billed_price: '0.00' });
  const { name } = await get(`/customer_memberships/${owned.id}`);
  const before = (await get(`/customer_memberships/${owned.id}`)).expiration_date;
  assert.ok(before);
  const end = new Date(world.now + 9 * 86_400_000).toISOString().slice(0, 10);
  await desk.open(owner, `people/${customer}?tab=memberships`);
  await owner.page.getByRole('group', { name }).getByRole('button', { name: 'Put on hold' }).click();
  await owner.page.getByLabel('First day').fill(new Date(world.now + 86_400_000).toISOString().slice(0, 10));
  await owner.page.getByLabel('Last day', { exact: true }).fill(end);
  await owner.page.getByText(/The last day of the membership becomes/).waitFor();
  await owner.checkLive('person-hold');
  const said = await owner.page.getByText(/The last day of the membership becomes/).innerText();
  await button(owner, 'Continue').click();
  await confirm(owner, 'Put on hold');
  await saying(owner, `${name} is on hold.`);
  const { expiration_date } = await get(`/customer_memberships/${owned.id}`);
  assert.notEqual(expiration_date, before);
  assert.equal(said, `The last day of the membership becomes ${day(expiration_date)}.`);
});

test('memberships of several customers are put on hold together, and refusals are listed with their reason', async () => {
  const membership = await seed(world, 'membership', world.harbour);
  const owned: number[] = [];
  for (const first_name of ['Ira', 'Jon']) {
    const customer = await world.newCustomer({ first_name, last_name: 'Pausewell', date_of_birth: '1990-05-05' });
    owned.push((await make('/customer_memberships', { membership, customer, billed_price: '0.00' })).id);
  }
  const date = (days: number) => new Date(world.now + days * 86_400_000).toISOString().slice(0, 10);
  await make('/customer_membership_holds', { customer_membership: owned[1], start_date: date(5), end_date: date(6) });
  await desk.open(owner, 'people?query=pausewell');
  for (const name of ['Select Ira Pausewell', 'Select Jon Pausewell']) await owner.page.getByLabel(name).check();
  await owner.page.getByLabel('What to do').selectOption({ label: 'Put memberships on hold' });
  await button(owner, 'Continue').click();
  await owner.page.getByLabel('First day', { exact: true }).fill(date(2));
  await owner.page.getByLabel('Last day', { exact: true }).fill(date(8));
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await confirm(owner, 'Put memberships on hold');
  const results = owner.page.getByRole('list', { name: 'Result for each' }).getByRole('listitem');
  await results.nth(1).waitFor();
  await shows(() => results.nth(0).innerText(), /^Jon Pausewell: .*on hold/s);
  await shows(() => results.nth(1).innerText(), /^Ira Pausewell: .*Done$/s);
  const holds = (await get(`/customer_membership_holds?customer_membership=${owned[0]}`)).results;
  assert.deepEqual([holds[0].start_date, holds[0].end_date], [date(2), date(8)]);
});

test('a note, a task and credit are added on the page of the person', async () => {
  const id = await world.newCustomer({ first_name: 'Uma', last_name: 'Written' });
  await desk.open(owner, `people/${id}?tab=notes`);
  await button(owner, 'Add note').click();
  await owner.page.getByLabel('Text', { exact: true }).fill('Prefers mornings');
  await button(owner, 'Save').click();
  await saying(owner, 'Prefers mornings');
  await desk.open(owner, `people/${id}?tab=tasks`);
  await button(owner, 'Add task').click();
  await owner.page.getByLabel('What to do').fill('Call back');
  await button(owner, 'Save').click();
  await button(owner, 'Done').click();
  await button(owner, 'Reopen').waitFor();
  await desk.open(owner, `people/${id}?tab=account`);
  await button(owner, 'Give credit').click();
  await owner.page.getByLabel(/^Amount/).fill('12.50');
  await owner.page.getByLabel('Reason').fill('For the wait');
  await button(owner, 'Continue').click();
  await confirm(owner, 'Give credit');
  await saying(owner, 'For the wait');
  assert.equal((await get(`/customer_notes?customer=${id}`)).results[0].text, 'Prefers mornings');
  assert.ok((await get(`/customer_tasks?customer=${id}`)).results[0].done_at);
  assert.equal((await get(`/account_entries?customer=${id}`)).results[0].amount.string, '12.50');
});

test('a new customer is created and booked into a class, and the booking is cancelled again', async () => {
  const place = await newPlace(world);
  const { starts_at } = await newEvent(world, place, { name: 'Rowing for new people' });
  await desk.open(owner, 'people');
  await button(owner, 'New customer').click();
  await owner.page.getByLabel('First name').fill('Nora');
  await owner.page.getByLabel('Last name').fill('Newcomer');
  await button(owner, 'Create customer').click();
  await owner.page.getByRole('heading', { level: 1, name: 'Nora Newcomer' }).waitFor();
  const customer = Number(owner.path.split('/').at(-1));
  await owner.page.getByRole('link', { name: 'Bookings', exact: true }).click();
  await button(owner, 'Book something').click();
  await owner.page.getByLabel('Day', { exact: true }).fill(starts_at.slice(0, 10));
  await button(owner, 'Book Rowing for new people').click();
  await confirm(owner, 'Book');
  await button(owner, 'Cancel Rowing for new people').waitFor();
  const statusOf = async () => (await get(`/attendances?customer=${customer}`)).results[0].status;
  assert.equal(await statusOf(), 'registered');
  await button(owner, 'Cancel Rowing for new people').click();
  await confirm(owner, 'Cancel booking');
  await saying(owner, 'Rowing for new people was cancelled.');
  assert.notEqual(await statusOf(), 'registered');
});

test('a customer who was just created is removed again by undo', async () => {
  await desk.open(owner, 'people');
  await button(owner, 'New customer').click();
  await owner.page.getByLabel('First name').fill('Ulla');
  await owner.page.getByLabel('Last name').fill('Unwanted');
  await button(owner, 'Create customer').click();
  await owner.page.getByRole('heading', { level: 1, name: 'Ulla Unwanted' }).waitFor();
  await button(owner, 'Undo').click();
  await saying(owner, 'Undone.');
  await shows(async () => (await get('/customers?query=unwanted')).count, 0);
});

test('a message to several customers first shows who gets it, and leaves no draft if it is not sent', async () => {
  await world.newCustomer({ first_name: 'Tom', last_name: 'Readwell' });
  await world.newCustomer({ first_name: 'Sam', last_name: 'Readwell', email: null });
  await desk.open(owner, 'people?query=readwell');
  for (const name of ['Select Tom Readwell', 'Select Sam Readwell']) await owner.page.getByLabel(name).check();
  await owner.page.getByLabel('What to do').selectOption({ label: 'Send a message' });
  await button(owner, 'Continue').click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByLabel('Subject').fill('Closed on Friday');
  await dialog.getByLabel('Text', { exact: true }).fill('We are closed on Friday.');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await saying(owner, '1 person gets it.');
  await dialog.last().getByRole('button', { name: 'Back' }).last().click();
  await owner.page.getByText('1 person gets it.').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await confirm(owner, 'Send message');
  await saying(owner, 'The message is being sent.');
  const all = (await get('/communication/broadcast_messages')).results;
  assert.deepEqual(
    all.map((one: any) => [one.subject, one.status === 'draft']),
    [['Closed on Friday', false]],
  );
});

test('the history shows who changed what, and the preview and the result of erasing name what is kept', async () => {
  const id = await world.newCustomer({ first_name: 'Rolf', last_name: 'Before' });
  await world.patch(`/customers/${id}`, { as: world.machine, body: { last_name: 'Forgotten' } });
  await desk.open(owner, `people/${id}?tab=history`);
  await saying(owner, 'last name: Before → Forgotten');
  await desk.open(owner, `people/${id}?tab=data`);
  const [file] = await Promise.all([
    owner.page.waitForEvent('download'),
    button(owner, 'Download personal data').click(),
  ]);
  assert.equal(file.suggestedFilename(), `personal-data-${id}.json`);
  await button(owner, 'Erase this person').click();
  await owner.page.getByRole('dialog').getByRole('heading', { name: 'Erased' }).waitFor();
  await confirm(owner, 'Erase this person');
  await owner.page.getByRole('dialog', { name: 'This person was erased.' }).waitFor();
  assert.equal((await world.get(`/customers?query=forgotten`, { as: world.machine })).body.count, 0);
});

test('a notice to one customer is switched off', async () => {
  const id = await world.newCustomer({ first_name: 'Noa', last_name: 'Quiet' });
  const path = `/customers/${id}/notification_preferences`;
  const one = (await get(path)).results.find(
    ({ email_enabled, toggleability }: any) => email_enabled && toggleability.email,
  );
  await desk.open(owner, `people/${id}?tab=preferences`);
  const box = owner.page.getByLabel(`${one.description}: Email`);
  await box.click();
  await box.and(owner.page.locator(':not(:checked)')).waitFor();
  const after = (await get(path)).results.find(({ type }: any) => type === one.type);
  assert.equal(after.email_enabled, false);
});

test('staff turn off push notifications on a device after a warning', async () => {
  const token = await seed(world, 'push_notification_token', world.harbour);
  const { customer } = await get(`/push_notification_tokens/${token}`);
  await desk.open(owner, `people/${customer}?tab=preferences`);
  await button(owner, 'Turn off: Chrome, Android').click();
  await saying(owner, 'Push notifications are turned off on one device');
  await confirm(owner, 'Turn off');
  await saying(owner, 'Notifications are off on Chrome, Android. Only they can turn them on again.');
  await saying(owner, 'No device has them turned on.');
  assert.equal((await get(`/push_notification_tokens?customer=${customer}`)).count, 0);
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

test('staff see what their permissions allow: an instructor no contact data, the front desk no history', async () => {
  const id = await world.newCustomer({ first_name: 'Pia', last_name: 'Private', email: 'pia@private.example' });
  const instructor = await desk.window(await desk.colleague({ permissions: ['instructor_attendances'] }));
  await desk.open(instructor, `people/${id}`);
  assert.deepEqual(await tabs(instructor), ['Overview', 'Bookings', 'Memberships and payments', 'Family and data']);
  assert.ok(!(await instructor.page.content()).includes('pia@private.example'));
  await desk.open(instructor, 'people?query=private');
  await saying(instructor, '1 customer');
  assert.ok(!(await instructor.page.content()).includes('pia@private.example'));
  const front = await desk.window(await desk.colleague({ permissions: ['customers', 'attendances', 'pos'] }));
  await desk.open(front, `people/${id}`);
  await saying(front, 'pia@private.example');
  assert.ok((await parts(front)).includes('Notes'));
  await desk.open(front, `people/${id}?tab=record`);
  await front.page.getByRole('heading', { level: 2, name: 'Family' }).waitFor();
  assert.deepEqual(await parts(front), ['Family']);
  await desk.open(owner, `people/${id}?tab=record`);
  await owner.page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
  assert.deepEqual(await parts(owner), ['Family', 'Personal data', 'History']);
  await Promise.all([instructor.close(), front.close()]);
});

test('everybody can use the list and every part of a record, on phones and in dark mode', async () => {
  const customer = await world.newCustomer({ first_name: 'Axel', last_name: 'Everyone', date_of_birth: '1990-05-05' });
  const membership = await seed(world, 'membership', world.harbour);
  await make('/customer_memberships', { membership, customer, billed_price: '0.00' });
  await make('/customer_notes', { customer, text: 'Comes by bicycle' });
  await make('/customer_tasks', { customer, title: 'Call back' });
  await make('/account_entries', { customer, kind: 'credit', amount: '5.00', explanation: 'Sorry' });
  const settled = async (): Promise<void> => {
    await owner.page.locator('main .loading').first().waitFor({ state: 'detached' });
  };
  await desk.open(owner, 'people?query=everyone');
  await saying(owner, '1 customer');
  await owner.page.getByLabel('Select Axel Everyone').check();
  await owner.checkLive('people');
  for (const tab of ['overview', 'bookings', 'purchases', 'contact', 'record']) {
    await desk.open(owner, `people/${customer}?tab=${tab}`);
    await settled();
    await owner.checkLive(`person-${tab}`);
  }
});
