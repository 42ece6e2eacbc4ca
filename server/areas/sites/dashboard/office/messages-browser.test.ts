/** Messages of a business to its customers, written in the dashboard. The results are checked through the interface. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomes, BROADCASTS, draft, newReader, toCustomers } from '../../../../test/worlds/broadcast-world.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { book, newEvent, newPlace } from '../../../../test/schedule-world.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';
import { pressBoth } from '../test/hands.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { until } from '../../../../test/storm.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
let owner: Visit;
before(async () => {
  desk = await DashboardWorld.start({ own: true, worker: true, env: { EMAIL_QUOTA: '200' } });
  ({ world } = desk);
  owner = await desk.window();
  await desk.open(owner, 'today');
});
after(() => desk?.close());

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const saying = (text: string | RegExp) => owner.page.getByText(text).first().waitFor();
const button = (name: string) => owner.page.getByRole('button', { name, exact: true });

/** Confirms the preview by keyboard. */
const confirm = async (name: string) => {
  const dialog = owner.page.getByRole('dialog').last();
  await dialog.getByText('If you continue:').waitFor();
  await dialog.getByRole('button', { name, exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
};

/** Returns the list with this name as text. */
const listed = async (name: string): Promise<string> => {
  const list = owner.page.getByRole('list', { name, exact: true });
  await list.waitFor();
  return (await list.innerText()).replaceAll(/\s+/g, ' ');
};
const lists = (name: string, expected: RegExp) => shows(() => listed(name), expected);

test('a broadcast is written by keyboard, shows who gets it and why others do not, and goes to exactly those people', async () => {
  const { page } = owner;
  const label = (await world.post('/customer_labels', { as: world.machine, body: { name: 'Rowers' } })).body.id;
  const people = {
    ada: await newReader(world, { first_name: 'Ada', last_name: 'Agrees' }),
    bob: await world.newCustomer({ first_name: 'Bob', last_name: 'Silent' }),
    cy: await newReader(world, { first_name: 'Cy', last_name: 'Blocked' }),
    dan: await newReader(world, { first_name: 'Dan', last_name: 'Unreachable', email: null }),
  };
  for (const id of Object.values(people))
    await world.post(`/customers/${id}/add_label`, { as: world.machine, body: { label } });
  await newReader(world, { first_name: 'Eve', last_name: 'Elsewhere' });
  const { email } = await get(`/customers/${people.cy}`);
  await world.post('/communication/suppressions', { as: world.machine, body: { address: email } });
  const left = (await get(`${BROADCASTS}/email_quota`)).remaining;

  await desk.open(owner, 'today');
  await pressBoth(page, 'g', 'e');
  await page.getByRole('link', { name: 'New broadcast' }).press('Enter');
  await page.getByLabel('Subject', { exact: true }).pressSequentially('News for ');
  await page.getByLabel('Insert a field into “Subject”').selectOption({ label: 'First name' });
  await page.getByLabel('Message', { exact: true }).pressSequentially('The pier opens on Saturday.');
  await shows(() => page.getByLabel('Subject', { exact: true }).inputValue(), 'News for {{customer.first_name}}');
  const preview = page.getByRole('article', { name: 'Preview' });
  await preview.getByText('News for Ada').waitFor();
  await page.getByLabel('Some customers').press('Space');
  await page.getByLabel('Label', { exact: true }).selectOption({ label: 'Rowers' });
  await saying('1 person gets it.');
  await saying(`${left} emails are left until`);
  await lists('Why they don’t get it', /1 person: They haven’t agreed to news/);
  await lists('Why they don’t get it', /1 person: The address is suppressed/);
  await lists('Why they don’t get it', /1 person: There’s no address/);
  await button('Show who doesn’t, and why').press('Enter');
  await page.getByRole('link', { name: 'Bob Silent' }).waitFor();
  await lists('Show who doesn’t, and why', /Bob Silent .*They haven’t agreed/);
  await lists('Show who doesn’t, and why', /Dan Unreachable .*There’s no address/);
  assert.doesNotMatch(await listed('Show who doesn’t, and why'), /Ada|Eve/);
  await owner.checkLive('broadcast-new');

  await button('Save draft').press('Enter');
  await page.waitForURL(/\/messages\/\d+$/);
  const id = Number(owner.path.split('/').at(-1));
  assert.equal((await get(`${BROADCASTS}/${id}`)).status, 'draft');

  await button('Send me a test').press('Enter');
  await confirm('Send test');
  await button('Send …').press('Enter');
  const dialog = page.getByRole('dialog').last();
  await dialog.getByText('1 person gets it.').waitFor();
  await dialog.getByText('One broadcast is sent').waitFor();
  await owner.checkLive('broadcast-send');
  await confirm('Send');
  const done = await becomes(world, id, 'sent');
  assert.equal(done.recipient_counts.recipients, 1);
  const sent = (await get(`${BROADCASTS}/${id}/messages`)).results;
  assert.deepEqual(
    sent.map(({ customer, subject }: any) => [customer, subject]),
    [[people.ada, 'News for Ada']],
  );
  // The test message and the one recipient.
  assert.equal((await get(`${BROADCASTS}/email_quota`)).remaining, left - 2);
  await page.getByRole('status').getByText('Sent', { exact: true }).waitFor();
  await lists('Sent to', /Ada Agrees/);
  await lists('Not sent to', /Bob Silent.*Cy Blocked.*Dan Unreachable/);
  await owner.checkLive('broadcast-sent');
  owner.check();
});

test('a message to people who booked a class is scheduled, and can be cancelled', async () => {
  const { page } = owner;
  const place = await newPlace(world);
  const { id: event, starts_at } = await newEvent(world, place, { name: 'Rowing at dawn', in: 100 });
  const ida = await world.newCustomer({ first_name: 'Ida', last_name: 'Booked' });
  await book(world, event, ida);
  await desk.open(owner, 'messages/new');
  await page.getByLabel('What it’s about').selectOption({ label: 'Important information' });
  await page.getByLabel('Subject', { exact: true }).fill('Bring a jacket');
  await page.getByLabel('Message', { exact: true }).fill('It is cold.');
  await page.getByLabel('Everyone who booked a class').check();
  await saying('Choose a class first.');
  await shows(() => button('Save draft').isDisabled(), true);
  await page.getByLabel('Day', { exact: true }).fill(starts_at.slice(0, 10));
  const choice = page.getByRole('combobox', { name: 'Class', exact: true });
  await saying('1 person gets it.');
  assert.equal(await choice.inputValue(), String(event), 'the only class of the day is chosen');
  await page.getByLabel(/At a time where each customer is/).check();
  const day = new Date(world.now + 20 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Day and time').fill(`${day}T09:00`);
  await button('Save draft').click();
  await button('Schedule …').click();
  await confirm('Schedule');
  await saying('goes out');
  const id = Number(owner.path.split('/').at(-1));
  const scheduled = await get(`${BROADCASTS}/${id}`);
  assert.deepEqual(
    [scheduled.status, scheduled.defer_sending, scheduled.target_recipients.query.event],
    ['scheduled', { local_time: `${day}T09:00:00` }, [event]],
  );
  const reached = scheduled.target_recipients.query.status;
  assert.deepEqual(reached, ['registered', 'attended', 'no_show'], 'everyone who booked, whether they came or not');
  await button('Cancel broadcast').click();
  await confirm('Cancel broadcast');
  await saying('Cancelled');
  assert.equal((await get(`${BROADCASTS}/${id}`)).status, 'cancelled');
  await button('Use as a new draft').click();
  await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`));
  const again = await get(`${BROADCASTS}/${owner.path.split('/').at(-1)}`);
  assert.deepEqual([again.status, again.subject, again.defer_sending], ['draft', 'Bring a jacket', null]);
});

test('errors of a broadcast are shown next to their field, and a change by somebody else is not overwritten', async () => {
  const { page } = owner;
  const { id } = await draft(world, { target_recipients: toCustomers({ ids: [1] }) });
  await desk.open(owner, `messages/${id}`);
  await saying('This draft has one more filter that an application has set.');
  await page.getByLabel('Message', { exact: true }).fill('Dear {{customer.nick}}');
  await button('Save draft').click();
  await page.locator('textarea[name=message][aria-invalid=true]').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Dear all');
  await world.patch(`${BROADCASTS}/${id}`, { as: world.machine, body: { subject: 'By another' } });
  await button('Save draft').click();
  await saying('The resource has changed since');
  await page.getByRole('dialog').last().getByRole('button', { name: 'Close' }).last().click();
  assert.equal((await get(`${BROADCASTS}/${id}`)).subject, 'By another');
  await desk.open(owner, `messages/${id}`);
  await button('Delete').click();
  await confirm('Delete');
  await page.waitForURL(/\/messages$/);
  assert.equal((await world.get(`${BROADCASTS}/${id}`, { as: world.machine })).status, 404);
});

test('a notification is read in each language, sent as a test, customized, and restored', async () => {
  const { page } = owner;
  const path = '/communication/notification_types/event_reminder';
  await desk.open(owner, 'messages?tab=notices');
  await page.getByRole('button', { name: 'An event that was booked is coming up' }).click();
  const mail = page.getByRole('article', { name: 'Email' });
  const english = (await world.post(`${path}/preview`, { as: world.machine, body: { language: 'en' } })).body.subject;
  await mail.getByText(english).waitFor();
  for (const [language, code] of [
    ['Deutsch', 'de'],
    ['Polski', 'pl'],
  ]) {
    await page.getByLabel('Language of the reader').selectOption({ label: language });
    const { subject } = (await world.post(`${path}/preview`, { as: world.machine, body: { language: code } })).body;
    assert.notEqual(subject, english);
    await mail.getByText(subject).waitFor();
  }
  await owner.checkLive('notice');
  await page.getByLabel('Subject', { exact: true }).fill('See you, {{customer.first_nam}}');
  await button('Save').click();
  await page.locator('input[name=subject][aria-invalid=true]').waitFor();
  await page.getByLabel('Subject', { exact: true }).fill('See you, {{customer.first_name}}');
  await mail.getByText('See you, Ada').waitFor();
  await button('Send me a test').click();
  await confirm('Send test');
  await until('the test is in the ledger', async () => {
    const rows = await world.app.db.acrossTenants('a test looks at the ledger', (tx) =>
      tx.rows<{ subject: string }>(sql`SELECT subject FROM message WHERE kind = 'notice_test'`),
    );
    return rows.some(({ subject }) => subject === '[Test] See you, Ada');
  });
  await button('Save').click();
  await saying('The notification is changed.');
  assert.equal((await get(path)).subject, 'See you, {{customer.first_name}}');
  await button('Restore our texts').click();
  await until('ours is back', async () => !(await get(path)).customised);
});

const GONE = '/communication/suppressions?address=gone@example.com';

test('an address is suppressed and released again', async () => {
  const { page } = owner;
  await desk.open(owner, 'messages?tab=suppressions');
  await button('Suppress an address').click();
  await page.getByRole('dialog').getByLabel('Address', { exact: true }).fill('not an address');
  await button('Suppress an address').last().click();
  await page.locator('input[name=address][aria-invalid=true]').waitFor();
  await page.getByRole('dialog').getByLabel('Address', { exact: true }).fill('gone@example.com');
  await page.getByRole('dialog').getByLabel('Note').fill('Asked by phone');
  await button('Suppress an address').last().click();
  await saying('Asked by phone');
  assert.equal((await get(GONE)).results[0].reason, 'manual');
  await owner.checkLive('suppressions');
  await button('Remove gone@example.com').click();
  await confirm('Remove');
  await saying('Messages go to gone@example.com again.');
  assert.equal((await get(GONE)).count, 0);
});

test('the lists are usable by everybody, and only available to super admins', async () => {
  for (const tab of ['broadcasts', 'notices']) {
    await desk.open(owner, `messages?tab=${tab}`);
    await owner.page.getByRole('list', { name: tab === 'notices' ? 'Notifications' : 'Broadcasts' }).waitFor();
    await owner.checkLive(`messages-${tab}`);
  }
  const front = await desk.window(await desk.colleague({ permissions: ['customers', 'email_notifications'] }));
  await desk.open(front, 'messages');
  assert.equal(await front.heading(), 'You don’t have access to this page');
  await front.close();
  owner.check();
});
