/** The booking site as people experience it: on a desktop and on a phone, in light and dark mode, without scripts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { createUser } from '../../people/identity/index.ts';
import { iso, newEvent, newInstructor, newOffering, newVenue } from '../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';

const PASSWORD = 'otter kettle midnight ferry';
const HOUR = 3_600_000;

let world: World;
let c: CheckoutWorld;
let browser: PageBrowser;
let slug: string;
before(async () => {
  world = await startWorld({ worker: true });
  c = await CheckoutWorld.of(world);
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  browser = new PageBrowser(world.url);
  const [{ instructor }, venue] = [await newInstructor(world), await newVenue(world, { name: 'Quay Hall' })];
  const yoga = { venue, offering: await newOffering(world, { name: 'Tidal Yoga' }) };
  const rowing = { venue, offering: await newOffering(world, { name: 'Rowing' }) };
  for (let day = 1; day <= 6; day++) {
    const start = world.now + day * 24 * HOUR;
    const of = (name: string, hours: number, over = {}) => ({
      name,
      starts_at: iso(start + hours * HOUR),
      ends_at: iso(start + (hours + 1) * HOUR),
      ...over,
    });
    await newEvent(world, yoga, of('Tidal Yoga', 0, { instructors: [instructor] }));
    await newEvent(world, rowing, of('Rowing with a very long name that has to break somewhere', 2));
  }
  await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: {
      name: 'Harbour',
      description: 'Yoga and rowing by the water.\n\nBeginners are welcome.',
      contact_info: { email: 'hello@harbour.example', phone_number: '+1 416 555 0100' },
    },
  });
});
after(async () => {
  await c?.close();
});

test('somebody new finds a class from the home page of a business, and can book it', async () => {
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}`);
  assert.match(await visitor.text(), /Yoga and rowing by the water\.[^]*Coming up[^]*Tidal Yoga/);
  await visitor.checkAccessible('site-home');
  await visitor.follow('See the whole timetable');
  await visitor.checkAccessible('site-timetable');
  await visitor.follow('The week after');
  assert.match(visitor.url.href, /week=\d{4}-\d\d-\d\d/);
  await visitor.follow('The week before');
  assert.doesNotMatch(visitor.url.href, /week=/);
  await visitor.page.locator('summary').click();
  await visitor.page.getByLabel('What').selectOption({ label: 'Tidal Yoga' });
  await visitor.checkAccessible('site-filters');
  await visitor.leave(visitor.page.getByRole('button', { name: 'Show' }));
  assert.match(visitor.url.href, /what=\d+/);
  assert.doesNotMatch(await visitor.page.locator('.events').first().innerText(), /Rowing/);
  await visitor.leave(visitor.page.locator('.event a').first());
  assert.match(await visitor.text(), /Want to come\?/);
  await visitor.close();
});

test('the site is read in another language, and stays in it', async () => {
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}/timetable`);
  await visitor.follow('Deutsch');
  assert.match(await visitor.text(), /Stundenplan[^]*Plätze frei/);
  await visitor.checkAccessible('site-german');
  await visitor.follow('Mitgliedschaften und Preise');
  assert.match(await visitor.text(), /Mitgliedschaften und Preise/);
  await visitor.close();
});

test('a membership is compared, bought after logging in, and paid', async () => {
  const m = await MembershipWorld.of(world);
  await m.pack(5, { name: 'Five visits', one_time_fee: '70.00', description: 'For five classes of your choice.' });
  await m.recurring([], {}, { name: 'Harbour Club' });
  const email = 'ada.site@example.com';
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  await world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}/memberships`);
  await visitor.checkAccessible('site-memberships');
  await visitor.follow('Harbour Club');
  await visitor.checkAccessible('site-recurring');
  await visitor.follow('All memberships and prices');
  await visitor.follow('Five visits');
  await visitor.checkAccessible('site-membership');
  await visitor.follow('Log in');
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  assert.match(await visitor.text(), /Five visits/);
  assert.match(visitor.path, new RegExp(`^/${slug}/memberships/\\d+$`));
  await visitor.checkAccessible('site-membership-member');
  await visitor.submit('Buy');
  assert.match(visitor.path, /\/checkout/);
  assert.match(await visitor.text(), /Five visits[^]*70\.00/);
  await visitor.close();
});
