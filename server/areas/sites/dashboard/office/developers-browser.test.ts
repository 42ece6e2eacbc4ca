/** Webhooks, tokens and applications, set up in the dashboard, with a real receiver and real requests. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';
import { pressBoth } from '../test/hands.ts';
import { isSignedWith, Receiver } from '../../../../test/outside/webhook-receiver.ts';
import { until } from '../../../../test/storm.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
let receiver: Receiver;
let owner: Visit;
before(async () => {
  receiver = await new Receiver().listen();
  desk = await DashboardWorld.start({ own: true, worker: true, env: { OUTBOUND_ALLOW: '127.0.0.1/32' } });
  ({ world } = desk);
  owner = await desk.window();
  await desk.open(owner, 'today');
});
after(async () => {
  receiver.close();
  await desk?.close();
});

const get = async (path: string, as = world.machine) => (await world.get(path, { as })).body;
const saying = (text: string | RegExp) => owner.page.getByText(text).first().waitFor();

/** Presses any button by keyboard. */
const press = (name: string) => owner.page.getByRole('button', { name, exact: true }).last().press('Enter');

const confirm = async (name: string) => {
  const dialog = owner.page.getByRole('dialog').last();
  await dialog.getByText('If you continue:').waitFor();
  await dialog.getByRole('button', { name, exact: true }).press('Enter');
  await dialog.getByText('If you continue:').waitFor({ state: 'detached' });
};

/** Returns the secret, which is shown only once. */
async function takeSecret(): Promise<string> {
  const secret = await owner.page.getByRole('region', { name: 'Secret' }).innerText();
  await press('I’ve kept it');
  await owner.page.getByRole('region', { name: 'Secret' }).waitFor({ state: 'detached' });
  assert.ok(!(await owner.page.content()).includes(secret));
  return secret;
}

const newVenue = (name: string) =>
  world.post('/venues', {
    as: world.machine,
    body: { name, venue_type: 'physical', timezone: 'America/Toronto' },
  });

test('a webhook is created by keyboard, shows its secret once, and its deliveries are listed, resent and replayed', async () => {
  const { page } = owner;
  const path = '/first';
  await desk.open(owner, 'today');
  await pressBoth(page, 'g', 'v');
  await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
  await press('New webhook');
  await page.getByLabel('Address', { exact: true }).fill(receiver.url(path));
  await press('Create webhook');
  await page.locator('input[name=feed_item_types][aria-invalid=true]').waitFor();
  await page.getByLabel('Find what to send').fill('venue.created');
  await page.getByRole('checkbox', { name: /^venue\.created/ }).press('Space');
  await saying('1 type chosen');
  await owner.checkLive('webhook-new');
  await press('Create webhook');
  const secret = await takeSecret();
  assert.match(secret, /^whsec_/);
  const [{ id }] = (await get('/webhook_destinations')).results;

  await press(receiver.url(path));
  await press('Send a test');
  await until('the test came', async () => receiver.at(path).length === 1);
  assert.ok(isSignedWith(secret, receiver.at(path)[0]));

  receiver.answer = () => ({ status: 500, body: 'out of order' });
  await newVenue('Quay');
  await until('it came', async () => receiver.at(path).length >= 2);
  await until('its failure is known', async () => {
    const { results } = await get(`/webhook_deliveries?destination=${id}&feed_item_type=venue.created`);
    return results.at(0)?.attempt_count > 0;
  });
  receiver.answer = () => ({ status: 204 });
  await desk.open(owner, `developers?webhook=${id}`);
  await saying(/feed item \d+ .* 1 attempt/);
  await page.getByText('Details').first().press('Enter');
  await saying('HTTP 500');
  await saying('out of order');
  await owner.checkLive('webhook');
  const [{ feed_item: item }] = (await get(`/webhook_deliveries?destination=${id}&feed_item_type=venue.created`))
    .results;
  await press(`Resend venue.created ${item}`);
  const stateOf = async () =>
    (await get(`/webhook_deliveries?destination=${id}&feed_item=${item}`)).results[0].status as string;
  await until('it was delivered', async () => (await stateOf()) === 'delivered');

  const before = receiver.at(path).length;
  await press('Replay');
  await saying(/^Feed items \d+ to \d+$/);
  await press('Continue');
  await confirm('Replay');
  await until('it came once more', async () => receiver.at(path).length > before);
  assert.equal(receiver.at(path).at(-1)!.items[0].id, item);

  await press('Rotate secret');
  await press('Continue');
  await confirm('Rotate secret');
  const rotated = await takeSecret();
  assert.notEqual(rotated, secret);
  const count = receiver.at(path).length;
  await newVenue('Pier');
  await until('the next one came', async () => receiver.at(path).length > count);
  assert.ok(isSignedWith(rotated, receiver.at(path).at(-1)!) && isSignedWith(secret, receiver.at(path).at(-1)!));

  await press('Pause');
  await confirm('Pause');
  await saying('Nothing is sent until it is resumed.');
  assert.equal((await get(`/webhook_destinations/${id}`)).status, 'paused');
  await press('Resume');
  await confirm('Resume');
  await page.getByText('Nothing is sent until it is resumed.').waitFor({ state: 'detached' });
  assert.equal((await get(`/webhook_destinations/${id}`)).status, 'active');

  receiver.answer = () => ({ status: 410 });
  await newVenue('Dock');
  await until('it is disabled', async () => (await get(`/webhook_destinations/${id}`)).status === 'disabled');
  await desk.open(owner, `developers?webhook=${id}`);
  await saying('The receiver said that it’s gone.');
  await press('Delete');
  await confirm('Delete');
  await saying('There are no webhooks yet.');
  assert.equal((await world.get(`/webhook_destinations/${id}`, { as: world.machine })).status, 404);
  owner.check();
});

test('a token is created with an expiry date, shown once, used, and revoked', async () => {
  const { page } = owner;
  await desk.open(owner, 'developers?tab=tokens');
  await press('New token');
  await page.getByLabel('Who uses it').fill('Accounting');
  await page.getByLabel('Last day').fill('2001-01-01');
  await press('Create token');
  await page.locator('input[name=expires_at][aria-invalid=true]').waitFor();
  const last = new Date(world.now + 30 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Last day').fill(last);
  await owner.checkLive('token-new');
  await press('Create token');
  const token = await takeSecret();
  const made = await get('/auth/application', token);
  assert.equal(made.name, 'Accounting');
  const known = await get(`/machine_tokens/${made.id}`);
  assert.equal(known.expires_at.slice(0, 19), `${last}T23:59:59`);
  await until('its use is noted', async () => (await get(`/machine_tokens/${made.id}`)).last_used_at !== null);
  await desk.open(owner, 'developers?tab=tokens');
  await saying('last used');
  await press('Edit Accounting');
  await page.getByLabel('Who uses it').fill('Bookkeeping');
  await press('Save');
  await owner.checkLive('tokens');
  await press('Revoke Bookkeeping');
  await confirm('Revoke');
  await until('it ended', async () => (await world.get('/auth/application', { as: token })).status === 401);
  await page.getByLabel('Status').selectOption({ label: 'Expired or revoked' });
  await saying(/revoked [A-Z]/);
  owner.check();
});

const planner = async () => (await get('/applications')).results.find(({ name }: any) => name.startsWith('Planner'));

test('an application is created, its secret is shown once, and it is changed and deleted', async () => {
  const { page } = owner;
  await desk.open(owner, 'developers?tab=applications');
  // An empty list moves the button below its text: a key that is pressed meanwhile reaches no button.
  await saying('There are no applications yet.');
  await press('New application');
  await page.getByLabel('Name', { exact: true }).fill('Planner');
  await page.getByLabel('Domain', { exact: true }).fill('planner.example.com');
  await page.getByLabel('Callback addresses').fill('http://planner.example.com/back');
  await press('Create application');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Callback addresses').fill('https://planner.example.com/back');
  await owner.checkLive('application-new');
  await press('Create application');
  assert.match(await takeSecret(), /^rcs_/);
  assert.deepEqual((await planner()).allowed_callback_urls, ['https://planner.example.com/back']);
  await press('Edit application Planner');
  await page.getByLabel('Name', { exact: true }).fill('Planner 2');
  await page.getByLabel('Read and change').press('Space');
  await press('Save');
  await saying('Planner 2');
  assert.deepEqual((await planner()).scopes, ['read', 'read_write']);
  await press('Rotate secret Planner 2');
  await press('Continue');
  await confirm('Rotate secret');
  assert.match(await takeSecret(), /^rcs_/);
  await press('Ask for direct authentication Planner 2');
  await page.getByLabel('Why is logging in with consent not enough?').fill('A kiosk has no browser. '.repeat(3));
  await press('Continue');
  await confirm('Ask the operator');
  await saying('Direct authentication requested');
  assert.equal((await planner()).direct_auth.status, 'requested');
  await owner.checkLive('applications');
  await press('Delete Planner 2');
  await confirm('Delete');
  await saying('There are no applications yet.');
  assert.equal(await planner(), undefined);
  owner.check();
});

test('every command that can be copied works unchanged', async () => {
  const { page } = owner;
  await desk.open(owner, 'developers?tab=examples');
  const copied = page.locator('.copy code');
  await shows(() => copied.count(), 4);
  const commands = await copied.allInnerTexts();
  await owner.checkLive('examples');
  for (const command of commands) {
    const [, method = 'GET', url] = /^curl (?:-X (\w+) )?'([^']+)'/.exec(command)!;
    const body = /-d '([^]+)'$/.exec(command)?.[1];
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${world.machine}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    });
    assert.ok(answer.ok, `${command}\n${await answer.text()}`);
  }
  await page.getByLabel('A program (SDK)').press('Space');
  await page.getByText("from 'rollcall-sdk'").first().waitFor();
  owner.check();
});

test('developers see webhooks and examples, and super admins see everything', async () => {
  const developer = await desk.window(await desk.colleague({ permissions: ['developer'] }));
  await desk.open(developer, 'developers');
  const tabs = developer.page.getByRole('navigation', { name: 'Developers' }).getByRole('link');
  await shows(() => tabs.allInnerTexts(), ['Webhooks', 'Examples']);
  const front = await desk.window(await desk.colleague({ permissions: ['customers'] }));
  await desk.open(front, 'developers');
  assert.equal(await front.heading(), 'You don’t have access to this page');
  await Promise.all([developer.close(), front.close()]);
});
