/**
 * One customer in the dashboard: tasks, messages, their number and their calendar. The results are checked through the
 * interface.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { confirm, topDialog, proceed } from '../test/proposals.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
let owner: Visit;
before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
  owner = await desk.window();
});
after(() => desk?.close());

const get = (path: string): Promise<any> => desk.ask('GET', path);

const dialog = () => topDialog(owner);
const saying = (text: string | RegExp) => owner.page.getByText(text).first().waitFor();
const press = (name: string | RegExp) =>
  owner.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click();

test('a task is assigned to somebody else, changed, and deleted', async () => {
  const customer = await world.newCustomer({ first_name: 'Tess', last_name: 'Tasked' });
  const { staffId } = await desk.colleague({ firstName: 'Robin' });
  const made = await desk.ask('POST', '/customer_tasks', { customer, title: 'Call back', due_date: '2030-05-01' });
  await desk.open(owner, `people/${customer}?tab=tasks`);
  await press('Edit: Call back');
  await dialog().getByLabel('What to do').fill('Write back');
  await dialog().getByLabel('Who does it').selectOption({ label: 'Robin Reyes' });
  await dialog().getByRole('button', { name: 'Save' }).click();
  await owner.page.getByRole('listitem').filter({ hasText: 'Write back' }).getByText('Robin Reyes').waitFor();
  await owner.checkLive('person-tasks');
  const { title, due_date, assignee } = await get(`/customer_tasks/${made.id}`);
  assert.deepEqual([title, due_date, assignee], ['Write back', '2030-05-01', staffId]);
  await press('Delete: Write back');
  await confirm(owner, 'Delete');
  await saying('There are no tasks.');
  assert.equal((await get(`/customer_tasks?customer=${customer}`)).count, 0);
});

test('a message has an address, and shows its content and its delivery', async () => {
  const customer = await world.newCustomer({ first_name: 'Mona', last_name: 'Mailed' });
  const number = { phone_number: '416 555 0123', country: 'CA', enabled: true };
  await desk.ask('PUT', `/customers/${customer}/sms_account`, number);
  const [{ id }] = (await get(`/customers/${customer}/messages`)).results;
  await desk.open(owner, `people/${customer}?tab=messages`);
  await press('Show the text');
  await dialog().getByText('The text isn’t kept because it contained a secret.').waitFor();
  await dialog().getByText('+14165550123').waitFor();
  await owner.checkLive('person-message');
  assert.equal(new URL(owner.page.url()).searchParams.get('message'), String(id));
  await owner.page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
});

/** The code is not stored: the test replaces the one that was sent with a known one. */
const knowCode = (customer: number, number: string, code: string) =>
  world.work(world.harbour, ({ tx, installation }) => {
    const hash = installation.box.fingerprint('sms code', `${world.harbour}:${customer}:${number}:${code}`);
    return tx.run(
      sql`UPDATE sms_account SET code_hash = ${`\\x${hash.toString('hex')}`}::bytea
        WHERE provider_id = ${world.harbour} AND customer_id = ${customer}`,
    );
  });

test('a number for text messages is entered, and verified by the code that was sent to it', async () => {
  const customer = await world.newCustomer({ first_name: 'Nina', last_name: 'Numbered' });
  await desk.open(owner, `people/${customer}?tab=preferences`);
  await press('Add a number');
  await dialog().getByLabel('Mobile number').fill('12');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await dialog().locator('input[name=phone_number][aria-invalid=true]').waitFor();
  await dialog().getByLabel('Mobile number').fill('416 555 0199');
  await proceed(owner, 'Save');
  await saying('Not verified');
  await owner.checkLive('person-preferences');
  await press('Verify the number');
  await dialog().getByLabel('Code').fill('000');
  await dialog().getByRole('button', { name: 'Verify the number' }).click();
  await dialog().locator('input[name=code][aria-invalid=true]').waitFor();
  await owner.checkLive('person-verify');
  await knowCode(customer, '+14165550199', '123456');
  await dialog().getByLabel('Code').fill('123456');
  await dialog().getByRole('button', { name: 'Verify the number' }).click();
  await saying('The number is verified.');
  const account = await get(`/customers/${customer}/sms_account`);
  assert.deepEqual([account.full_number, account.verified], ['+14165550199', true]);
});

test("a customer's calendar has an address to subscribe to, which can be replaced", async () => {
  const customer = await world.newCustomer({ first_name: 'Cleo', last_name: 'Calendar' });
  const links = () => get(`/customers/${customer}/icalendar_links`);
  const before = await links();
  await desk.open(owner, `people/${customer}?tab=preferences`);
  const subscribe = owner.page.getByRole('link', { name: 'Subscribe', exact: true });
  await shows(() => subscribe.getAttribute('href'), before.webcal_url);
  await owner.page.getByText('Secret address', { exact: true }).first().click();
  await press('Replace the address');
  await confirm(owner, 'Replace the address');
  await saying('The calendar has a new address.');
  const now = await links();
  assert.notEqual(now.link, before.link);
  await owner.page.locator(`a[href="${now.webcal_url}"]`).waitFor();
});
