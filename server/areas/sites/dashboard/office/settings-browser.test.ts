/** The settings of a business in a real browser. The saved values are checked through the interface. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { confirm, saved, sends } from '../test/proposals.ts';
import { PART_NAMES } from '../../../../../web/dashboard/src/screens/settings/declared/index.ts';
import { pngOf } from '../../../platform/images/test/pictures.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
let owner: Visit;
before(async () => {
  desk = await DashboardBrowser.start();
  ({ world } = desk);
  owner = await desk.window(await desk.colleague({ firstName: 'Olga' }));
  await desk.open(owner, 'settings');
});
after(() => desk?.close());

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const business = (fields: string) => get(`/providers/${world.harbour}?fields=${fields}`);
const make = async (path: string, body: object) => {
  const answer = await world.post(path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

/** Returns a form of the page by its heading. */
const form = (visitor: Visit, name: string) => visitor.page.getByRole('region', { name, exact: true });
/** Returns the open dialog. */
const open = (visitor: Visit) => visitor.page.getByRole('dialog').last();

/** Saves the input, which needs no preview. */
async function save(visitor: Visit, within: ReturnType<typeof form>, said: string): Promise<void> {
  await within.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(visitor, said);
  visitor.check();
}

const changesOf = async (action: string) =>
  (await get(`/audit_entries?object=provider&action=${encodeURIComponent(action)}`)).results;

test('a search field finds a setting by its name, and leads to its field', async () => {
  await desk.open(owner, 'settings');
  await owner.page.getByRole('link', { name: 'Booking rules' }).waitFor();
  await owner.checkLive('settings');
  await owner.page.getByRole('searchbox', { name: 'Find a setting' }).fill('pay invoice days');
  const found = owner.page.getByRole('list', { name: /Settings found/ });
  await found.getByRole('link', { name: 'Days to pay an invoice' }).waitFor();
  assert.match(owner.page.url(), /q=pay/);
  await owner.checkLive('settings-found');
  await found.getByRole('link', { name: 'Days to pay an invoice' }).click();
  await owner.page.locator('input[name=payment_days]:focus').waitFor();
  await owner.page.keyboard.type('2');
  await shows(() => owner.page.locator('input[name=payment_days]').inputValue(), /2/);
  await desk.open(owner, 'settings?q=nothing+of+the+kind');
  await owner.page.getByText('Nothing found').waitFor();
});

test('a changed setting is saved immediately without the others, and can be undone', async () => {
  await desk.open(owner, 'settings/billing');
  const before = await get('/billing_settings');
  const billing = form(owner, 'Billing and failed payments');
  await billing.getByLabel('Days to pay an invoice').fill('21');
  await billing.getByLabel('Days between tries').fill('2, 4');
  await billing.getByLabel('After the last try').selectOption({ label: 'The membership ends' });
  // Somebody else changes another setting in the meantime, and that change stays.
  await world.patch('/billing_settings', { as: world.machine, body: { grace_days: 3 } });
  const saves = async () => {
    await billing.getByRole('button', { name: 'Save' }).click();
    await owner.page.getByText('“Billing and failed payments” is saved.').waitFor();
  };
  await saves();
  await owner.checkLive('settings-saved');
  await owner.page.getByRole('button', { name: 'Undo' }).click();
  await owner.page.getByText('Undone.').waitFor();
  const undone = await get('/billing_settings');
  assert.deepEqual(undone, { ...before, grace_days: 3 });
  await billing.locator('input[name=payment_days][value="14"]').waitFor();

  await billing.getByLabel('Days to pay an invoice').fill('21');
  await billing.getByLabel('Days between tries').fill('2, 4');
  await billing.getByLabel('After the last try').selectOption({ label: 'The membership ends' });
  await saves();
  const now = await get('/billing_settings');
  assert.deepEqual([now.payment_days, now.retry_days, now.after_last_retry, now.grace_days], [21, [2, 4], 'cancel', 3]);
  // The form shows the current values, so saving again changes nothing.
  await billing.locator('input[name=grace_days][value="3"]').waitFor();
  await billing.getByText('Who changed this').click();
  await billing.getByText('Olga Reyes').first().waitFor();
  await billing.getByText('Days to pay an invoice: 14 → 21').first().waitFor();
  await owner.checkLive('settings-billing');
});

test('errors of a setting are shown next to its field', async () => {
  await desk.open(owner, 'settings/billing');
  const billing = form(owner, 'Billing and failed payments');
  await billing.getByLabel('Days to pay an invoice').fill('soon');
  await billing.getByRole('button', { name: 'Save' }).click();
  await billing.getByLabel('Days to pay an invoice').and(owner.page.locator('[aria-invalid]')).waitFor();
  await owner.checkLive('settings-refused');
  assert.equal((await get('/billing_settings')).payment_days, 21);
});

test('a new name of the business also appears around the page, and its address is saved as a whole', async () => {
  const before = await business('name,description,address');
  await desk.open(owner, 'settings/business');
  const profile = form(owner, 'Profile');
  await profile.getByLabel('Name', { exact: true }).fill('Harbour and Hill');
  await save(owner, profile, '“Profile” is saved.');
  await owner.page.locator('.top-name', { hasText: 'Harbour and Hill' }).waitFor();
  const address = form(owner, 'Address');
  await address.getByLabel('Street and number').fill('4 Quay');
  await address.getByLabel('City').fill('Victoria');
  await address.getByLabel('Postal code').fill('V8V 1A1');
  const country = address.getByLabel('Country');
  assert.ok((await country.getByRole('option').count()) > 240);
  await country.selectOption({ label: 'Canada' });
  await save(owner, address, '“Address” is saved.');
  const after = await business('name,description,address');
  assert.equal(after.name, 'Harbour and Hill');
  assert.equal(after.description, before.description);
  assert.deepEqual([after.address.street, after.address.city, after.address.country], ['4 Quay', 'Victoria', 'CA']);
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { name: before.name } });
});

test('people choose countries, languages, times and occasions by name, and no code is typed', async () => {
  await make('/waivers', {
    name: 'Liability',
    text: 'I take part at my own risk.',
    offering_types_applies_to: 'all',
    memberships_applies_to: 'none',
    valid_for: 'P6M',
  });
  await make('/customer_statuses', { name: 'Regular', set_on: ['customer_note.created'] });
  await desk.open(owner, 'settings/customers');
  await owner.page.getByRole('button', { name: 'Edit “Liability”' }).click();
  await shows(() => open(owner).getByLabel('Sign again after', { exact: true }).inputValue(), '6');
  await open(owner).getByLabel('Unit of “Sign again after”').selectOption({ label: 'years' });
  await open(owner).getByLabel('Sign again after', { exact: true }).fill('2');
  await owner.checkLive('settings-lifetime');
  await sends(owner).click();
  await confirm(owner, 'Save');
  await shows(async () => (await get('/waivers')).results[0].valid_for, 'P2Y');

  await owner.page.getByRole('button', { name: 'Edit “Regular”' }).click();
  await open(owner).getByLabel('One note is added').and(owner.page.locator(':checked')).waitFor();
  await open(owner).getByLabel('Someone was there', { exact: true }).check();
  await owner.checkLive('settings-triggers');
  await save(owner, open(owner), '“Regular” is saved.');
  const { results } = await get('/customer_statuses');
  assert.deepEqual(results.find(({ name }: any) => name === 'Regular').set_on.toSorted(), [
    'attendance.attended',
    'customer_note.created',
  ]);
});

test('two people who change the same settings do not overwrite each other, and their input stays', async () => {
  await desk.open(owner, 'settings/business');
  const profile = form(owner, 'Profile');
  await profile.getByLabel('Telephone number').fill('+1 250 555 0100');
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { description: 'By the sea.' } });
  await profile.getByRole('button', { name: 'Save' }).click();
  await profile.getByText('The resource has changed since').waitFor();
  await profile.getByText('By the sea.').first().waitFor();
  await profile.getByRole('button', { name: 'Compare both versions' }).click();
  await owner.page.locator('textarea[name=description]', { hasText: 'By the sea.' }).waitFor();
  await shows(() => profile.getByLabel('Telephone number').inputValue(), '+1 250 555 0100');
  await save(owner, profile, '“Profile” is saved.');
  const { contact_info, description } = await business('contact_info,description');
  assert.deepEqual([contact_info.phone_number, description], ['+1 250 555 0100', 'By the sea.']);
});

test('a logo is uploaded and shown, together with the colors and fonts', async () => {
  const visitor = await desk.visitor();
  await desk.open(visitor, 'settings/branding');
  const branding = form(visitor, 'Logo, colors and fonts');
  await branding
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await pngOf() });
  await branding.getByRole('button', { name: 'Remove “Logo”' }).waitFor();
  await branding.getByLabel('Brand color', { exact: true }).fill('#0f766e');
  await branding.getByLabel('Font of texts').selectOption({ label: 'Humanist' });
  await save(visitor, branding, '“Logo, colors and fonts” is saved.');
  const { logo, branding: now } = await business('logo,branding');
  assert.equal(logo.original_width, 40);
  assert.deepEqual([now.color, now.font], ['#0f766e', 'humanist']);
  await branding.locator('img').waitFor();
  await visitor.checkLive('settings-branding');
  await branding.getByRole('button', { name: 'Remove “Logo”' }).click();
  await save(visitor, branding, '“Logo, colors and fonts” is saved.');
  await branding.locator('img').waitFor({ state: 'detached' });
  assert.equal((await business('logo')).logo, null);
  await visitor.close();
});

const isRead = (method: string, url: string) => method === 'GET' && /\/api\/v2\/providers\/\d+\?/.test(url);

test('a change that begins while saved settings are read again is kept, and can be saved', async () => {
  const visitor = await desk.visitor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let held = false;
  // Before the page is there: a page that has begun may send its next request without being held.
  await visitor.page.route(/\/api\/v2\/providers\//, async (route) => {
    if (held && isRead(route.request().method(), route.request().url())) await released;
    await route.continue();
  });
  await desk.open(visitor, 'settings/branding');
  const branding = form(visitor, 'Logo, colors and fonts');
  const color = branding.getByLabel('Brand color', { exact: true });
  const font = branding.getByLabel('Font of texts');
  await color.fill('#7c2d12');
  held = true;
  await save(visitor, branding, '“Logo, colors and fonts” is saved.');
  await font.selectOption({ label: 'Geometric' });
  const read = visitor.page.waitForEvent('requestfinished', (one) => isRead(one.method(), one.url()));
  release();
  await read;
  // Waits until the form is drawn with the new data.
  await visitor.page.evaluate(() => new Promise((drawn) => (globalThis as any).requestIdleCallback(drawn)));
  assert.equal(await color.inputValue(), '#7c2d12');
  await save(visitor, branding, '“Logo, colors and fonts” is saved.');
  const { branding: now } = await business('branding');
  assert.deepEqual([now.color, now.font], ['#7c2d12', 'geometric']);
  await visitor.close();
});

test('the booking site gets its own domain once the DNS record was found', async () => {
  await desk.open(owner, 'settings/site');
  const site = form(owner, 'Address and visibility');
  await site.getByLabel('Your own domain').fill('book.example.net');
  await site.getByLabel('List the business publicly').uncheck();
  await save(owner, site, '“Address and visibility” is saved.');
  const domain = form(owner, 'book.example.net');
  await domain.getByText('_rollcall.book.example.net').waitFor();
  await owner.checkLive('settings-site');
  await domain.getByRole('button', { name: 'Verify the domain' }).click();
  await domain.getByRole('alert').waitFor();
  const { booking_site, domain_verification } = await business('booking_site,domain_verification');
  assert.deepEqual(
    [booking_site.domain, booking_site.is_listed, domain_verification.is_verified],
    ['book.example.net', false, false],
  );
});

test('venues are added, changed and archived, and each shows who changed it', async () => {
  const south = await make('/venues', { name: 'South studio', venue_type: 'physical', timezone: 'America/Vancouver' });
  await desk.open(owner, 'settings/venues');
  await owner.page.getByRole('button', { name: 'Add a venue' }).click();
  await open(owner).getByLabel('Name', { exact: true }).fill('North studio');
  await open(owner).getByLabel('Kind of venue').selectOption({ label: 'Online' });
  await open(owner).getByLabel('Street and number').waitFor({ state: 'detached' });
  await open(owner).getByLabel('Address of the video call').fill('https://meet.example.com/north');
  await owner.checkLive('settings-venue');
  await save(owner, open(owner), '“North studio” is saved.');
  const venue = (await get('/venues')).results.find(({ name }: any) => name === 'North studio');
  assert.deepEqual([venue.venue_type, venue.video_url], ['online', 'https://meet.example.com/north']);

  await owner.page.getByRole('button', { name: 'Edit “North studio”' }).click();
  await open(owner).getByLabel('Archived').check();
  await save(owner, open(owner), '“North studio” is saved.');
  await owner.page.getByRole('listitem').filter({ hasText: 'North studio' }).getByText('Archived').waitFor();
  assert.equal((await get(`/venues/${venue.id}`)).archived, true);

  await owner.page.getByRole('button', { name: 'Edit “North studio”' }).click();
  await open(owner).getByText('Who changed this').click();
  await open(owner).getByText('Archived: No → Yes').waitFor();
  await owner.page.keyboard.press('Escape');

  await owner.page.getByRole('button', { name: 'Add a room' }).click();
  await open(owner).getByLabel('Name', { exact: true }).fill('Loft');
  await open(owner).getByRole('button', { name: 'Save' }).click();
  await open(owner).getByLabel('Venue', { exact: true }).and(owner.page.locator('[aria-invalid]')).waitFor();
  await open(owner)
    .getByLabel('Venue', { exact: true })
    .selectOption({ value: String(south.id) });
  await save(owner, open(owner), '“Loft” is saved.');
  assert.ok((await get('/venue_rooms')).results.some(({ name }: any) => name === 'Loft'));
});

test('an offering shows only the settings of its kind', async () => {
  await make('/registration_timelines', { audience_type: 'membership_holders', name: 'Members first' });
  await desk.open(owner, 'settings/offerings');
  await owner.page.getByRole('button', { name: 'Add a class or service' }).click();
  await open(owner).getByLabel('Name', { exact: true }).fill('Massage');
  await shows(() => open(owner).getByLabel('Length in minutes').count(), 0);
  await open(owner).getByLabel('Kind', { exact: true }).selectOption({ label: 'Appointment' });
  await open(owner).getByLabel('Length in minutes').fill('50');
  await open(owner).getByLabel('Members first').check();
  const notice = open(owner).getByLabel('Booking closes before the start', { exact: true });
  await notice.fill('2');
  await open(owner).getByLabel('Unit of “Booking closes before the start”').selectOption({ label: 'days' });
  await save(owner, open(owner), '“Massage” is saved.');
  const { results } = await get('/offering_types?name_contains=Massage&expand=registration_timelines');
  assert.equal(results[0].schedule_type, 'appointment');
  assert.equal(results[0].appointment_settings.duration, 50);
  assert.equal(results[0].registrations_close_interval, 2 * 24 * 60);
  assert.equal(results[0].registration_timelines.length, 1);
  await owner.page.getByRole('button', { name: 'Edit “Massage”' }).click();
  await shows(() => open(owner).getByLabel('Length in minutes').inputValue(), '50');
  await shows(() => notice.inputValue(), '2');
  await owner.checkLive('settings-offering');
});

test('the steps of the waitlist are rows that can be added and removed', async () => {
  await desk.open(owner, 'settings/waitlist');
  const waitlist = form(owner, 'How free spots are given away');
  const before = (await business('waitlist_settings')).waitlist_settings.waitlist_policy.length;
  for (let n = before; n > 0; n--) await waitlist.getByRole('button', { name: `Remove row ${n}` }).click();
  await waitlist.getByRole('button', { name: 'Add a row' }).click();
  await waitlist.getByLabel('Until before the start', { exact: true }).fill('3');
  await waitlist.getByRole('button', { name: 'Add a row' }).click();
  const last = waitlist.getByRole('group', { name: 'Row 2' });
  await last.getByLabel('What happens').selectOption({ label: 'Everybody on the waitlist is notified' });
  await owner.checkLive('settings-waitlist');
  await save(owner, waitlist, 'is saved.');
  assert.deepEqual((await business('waitlist_settings')).waitlist_settings.waitlist_policy, [
    { until_minutes_before: 180, action: 'auto_promote' },
    { until_minutes_before: null, action: 'broadcast' },
  ]);
});

test('a business changes its words and its notices', async () => {
  await desk.open(owner, 'settings/words');
  await owner.page.getByRole('button', { name: 'Edit “instructor”' }).click();
  await open(owner).getByLabel('Singular', { exact: true }).fill('coach');
  await open(owner).getByLabel('Plural', { exact: true }).fill('coaches');
  await save(owner, open(owner), '“instructor” is saved.');
  const word = (await get('/terminologies/instructor')) as { singular: string; plural: string };
  assert.deepEqual([word.singular, word.plural], ['coach', 'coaches']);
  await owner.page.getByRole('listitem').filter({ hasText: 'coach' }).getByText('instructor').waitFor();

  const [type] = (await get('/communication/notification_types')).results;
  await desk.open(owner, 'settings/notices');
  const box = owner.page.getByLabel(`${type.description}: Email`);
  await box.waitFor();
  await owner.checkLive('settings-notices');
  await box.click();
  await saved(owner, 'is saved.');
  const now = await get(`/communication/notification_types/${type.type}`);
  assert.equal(now.email_enabled, !type.email_enabled);
});

test('staff who plan classes find only the settings that they may change', async () => {
  const planner = await desk.window(await desk.colleague({ permissions: ['manage_events'], firstName: 'Petra' }));
  await desk.open(planner, 'settings');
  const shown = await planner.page.locator('main').getByRole('link').allInnerTexts();
  assert.deepEqual(shown, ['Classes and services', 'Booking rules', 'Appointments']);
  await desk.open(planner, 'settings/booking');
  await planner.page.getByRole('heading', { name: 'Booking times for groups of customers' }).waitFor();
  await shows(() => planner.page.getByRole('heading', { name: 'Check-in' }).count(), 0);
  await desk.open(planner, 'settings/security');
  await planner.page.getByText('You can’t change these settings').waitFor();
  await planner.close();
});

test('every part can be opened, and is shown with its own words', async () => {
  for (const part of PART_NAMES) {
    await desk.open(owner, `settings/${part}`);
    await owner.page.locator('main .loading').first().waitFor({ state: 'detached' });
    await shows(() => owner.page.locator('main .notice.wrong').count(), 0, part);
  }
  assert.ok((await changesOf('PATCH /billing_settings')).length > 0);
  await desk.open(owner, 'settings/gift_cards');
  await owner.page.getByLabel('Staff can sell them').waitFor();
  await owner.checkLive('settings-gift-cards');
});
