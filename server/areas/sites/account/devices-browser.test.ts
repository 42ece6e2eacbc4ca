/**
 * Notifications on a device, in a real browser: turned on and off in the account, shown by the site's service worker.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../test/pages/shows.ts';
import { book, newEvent, newPlace } from '../../../test/schedule-world.ts';
import { createUser } from '../../people/identity/index.ts';
import { Device } from '../../communication/push/test/device.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { PushService } from '../../communication/push/test/push-service.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageVisitor } from '../../../test/pages/page-visitor.ts';
import { TestBrowser, type Visitor } from '../../../test/pages/browser.ts';
import { until } from '../../../test/storm.ts';

const PASSWORD = 'otter kettle midnight ferry';

let service: PushService;
let world: World;
let browser: TestBrowser;
before(async () => {
  service = await new PushService().listen();
  world = await startWorld({ own: true, worker: true, env: { OUTBOUND_ALLOW: '127.0.0.1/32' } });
  browser = await TestBrowser.start(world.url);
  const waitlist_policy = [{ until_minutes_before: null, action: 'reserve', claim_minutes: 30 }];
  await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { waitlist_settings: { waitlist_policy } },
  });
});
after(async () => {
  await browser?.close();
  await world?.close();
  service?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

const allow = (push_notifications: boolean) =>
  world.patch('/communication/settings', { as: world.machine, body: { push_notifications } });

async function someone(email: string): Promise<number> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  return world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
}

/** Returns the devices of a customer, as they see them through the interface. */
const devicesOf = async (customer: number): Promise<any[]> =>
  (await world.get('/push_notification_tokens', { as: world.customer(customer) })).body.results;

/**
 * Replaces the subscription at the browser vendor's push service, which a test can't reach, with one at a service of
 * ours. Everything else is the browser's own.
 */
async function withPushService({ context }: Visitor, device: Device, path: string): Promise<void> {
  const made = { endpoint: service.url(path), keys: device.named };
  await context.addInitScript(`{
    const subscription = { endpoint: ${JSON.stringify(made.endpoint)}, toJSON: () => (${JSON.stringify(made)}), unsubscribe: async () => true };
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (!userVisibleOnly || applicationServerKey.length !== 87) throw new Error('not as browsers want it');
      localStorage.setItem('subscribed', 'yes');
      return subscription;
    };
    PushManager.prototype.getSubscription = async () => (localStorage.getItem('subscribed') ? subscription : null);
  }`);
  await context.grantPermissions(['notifications'], { origin: world.url });
}

async function logIn(visitor: Pick<Visitor, 'open' | 'submit'>, email: string): Promise<void> {
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
}

test('somebody turns on notifications on their phone, gets an offer there, and turns them off', async () => {
  const ada = await someone('ada.devices@example.com');
  const [device, path] = [new Device(), '/phone-of-ada'];
  const visitor = await browser.visitor(world.url, { scripts: true });
  const { page } = visitor;
  await withPushService(visitor, device, path);
  await logIn(visitor, 'ada.devices@example.com');
  await visitor.open(at('profile/messages'));
  assert.doesNotMatch(await visitor.text(), /Notifications on your devices/, 'the business does not send any yet');
  assert.equal((await allow(true)).status, 200);
  await visitor.open(at('profile/messages'));
  const card = page.getByRole('region', { name: 'Notifications on your devices' });
  await card.getByRole('button', { name: 'Turn on for this device' }).waitFor();
  assert.doesNotMatch(await card.innerText(), /can't show notifications/);
  await visitor.checkLive('devices-off');
  await card.getByRole('button', { name: 'Turn on for this device' }).click();
  await page.getByText('Notifications are on for this device.').waitFor();
  await card.getByText('This device', { exact: true }).waitFor();
  await shows(() => card.getByRole('button', { name: 'Turn on for this device' }).isVisible(), false);
  await visitor.checkLive('devices-on');
  const [token, ...more] = await devicesOf(ada);
  assert.deepEqual([token.enabled, more.length, token.service], [true, 0, new URL(service.url('/')).host]);

  const other = await world.newCustomer();
  const { id: event } = await newEvent(world, await newPlace(world), {
    max_occupancy: 1,
    in: 100,
    name: 'Young sailors',
  });
  await book(world, event, other);
  await world.post(`/events/${event}/join_waitlist`, { as: world.machine, body: { customer: ada } });
  await world.post(`/events/${event}/unregister`, { as: world.machine, body: { customer: other } });
  const sent = await until('the offer is sent', async () => service.at(path)[0] ?? null);
  assert.match(JSON.parse(device.read(sent.body)).body, /^A spot is free: Young sailors/);

  await card.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Notifications are off for that device.').waitFor();
  assert.deepEqual(await devicesOf(ada), []);
  await card.getByRole('button', { name: 'Turn on for this device' }).waitFor();
  await visitor.close();
});

test('the service worker shows what arrives, and opens the page that it is about', async () => {
  const visitor = await browser.visitor(world.url, { scripts: true });
  const { page, context } = visitor;
  const { body } = await world.get(`/providers/${world.harbour}?fields=booking_site`);
  await visitor.open(`/${body.booking_site.slug}/timetable`);
  const started = context.waitForEvent('serviceworker');
  await page.evaluate(`navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)`);
  const worker = await started;
  // A headless browser shows no notification: the call that would show it is checked instead.
  await worker.evaluate(`{
    globalThis.done = [];
    registration.showNotification = async (title, options) => void done.push({ title, ...options });
    clients.openWindow = async (url) => void done.push({ opened: url });
  }`);
  const url = `${world.url}/account/${world.harbour}/events/7`;
  const told = { title: 'Harbour', body: 'A spot is free', url, tag: 'one' };
  await worker.evaluate(`dispatchEvent(new PushEvent('push', { data: ${JSON.stringify(JSON.stringify(told))} }))`);
  await worker.evaluate(`dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
    notification: { data: done[0].data, close: () => done.push('closed') },
  }))`);
  assert.deepEqual(await worker.evaluate('done'), [
    { title: 'Harbour', body: 'A spot is free', tag: 'one', data: { url } },
    'closed',
    { opened: url },
  ]);
  await visitor.close();
});

test('without a script the page says what is missing, in every language, and devices can still be turned off', async () => {
  const eve = await someone('eve.devices@example.com');
  await allow(true);
  const endpoint = service.url('/tablet-of-eve');
  const body = { endpoint, ...new Device().named, name: 'Tablet' };
  assert.equal((await world.post('/push_notification_tokens', { as: world.customer(eve), body })).status, 201);
  const visitor = new PageVisitor(world.url);
  await logIn(visitor, 'eve.devices@example.com');
  await visitor.open(at('profile/messages'));
  const card = visitor.page.getByRole('region', { name: 'Notifications on your devices' });
  assert.match(await card.innerText(), /can't show notifications here[^]*home screen/);
  assert.equal(await card.getByRole('button', { name: 'Turn on for this device' }).count(), 0);
  const english = /\b(on your devices|this device|This browser|Turn|home screen)\b/;
  for (const language of Object.keys(LANGUAGES).filter((one) => one !== 'en')) {
    const pages = new PageClient(world.url);
    pages.headers = { 'accept-language': language };
    await pages.get(at('log-in'));
    await pages.post(at('log-in'), { email: 'eve.devices@example.com', password: PASSWORD });
    const { text } = await pages.get(at('profile/messages?done=push-on'));
    assert.doesNotMatch(text.slice(text.indexOf('<main')).replaceAll(/<[^>]*>/g, ' '), english, language);
  }
  await allow(false);
  await visitor.open(at('profile/messages'));
  assert.equal(await card.locator('button', { hasText: 'Turn on for this device' }).count(), 0);
  await card.getByRole('button', { name: 'Turn off' }).click();
  assert.match(await visitor.text(), /Notifications are off for that device\./);
  assert.deepEqual(await devicesOf(eve), []);
  await visitor.open(at('profile/messages'));
  assert.doesNotMatch(await visitor.text(), /Notifications on your devices/);
  await visitor.close();
});
