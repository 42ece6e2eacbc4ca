/** Courses as people experience them: on a desktop and on a phone, in light and dark mode, without scripts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../../commerce/checkouts/test/world.ts';
import { createUser } from '../../../people/identity/index.ts';
import { done, enrollFree, newRun } from '../../../availability/courses/test/world.ts';
import { newInstructor } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { PageBrowser } from '../../../../test/pages/page-visitor.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let c: CheckoutWorld;
let browser: PageBrowser;
let slug: string;
before(async () => {
  world = await startWorld({ worker: true });
  c = await CheckoutWorld.of(world);
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  browser = new PageBrowser(world.url);
});
after(async () => {
  await c?.close();
});

test('somebody finds a course, logs in, pays for all of its dates, and takes part', async () => {
  const { instructor } = await newInstructor(world);
  const run = await newRun(world, {
    sessions: 6,
    price: '120.00',
    instructors: [instructor],
    single_date_price: '25.00',
  });
  await done(world, 'PATCH', `/courses/${run.course}`, { name: 'Pottery for people who have never touched clay' });
  await newRun(world, { of: run, sessions: 4, price: '80.00', inHours: -24, name: 'Mornings' });
  const full = await newRun(world, {
    of: run,
    sessions: 2,
    price: '50.00',
    inHours: 60,
    name: 'Weekend',
    max_occupancy: 1,
  });
  await enrollFree(world, full.series, await world.newCustomer());
  const email = 'ada.courses@example.com';
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const customer = await world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}`);
  await visitor.follow('All courses');
  await visitor.checkAccessible('courses');
  await visitor.follow('Pottery for people who have never touched clay');
  assert.match(
    await visitor.text(),
    /Mornings[^]*You can still join, and pay \$60\.00[^]*Weekend[^]*some dates are full/,
  );
  await visitor.page.locator('summary').first().click();
  await visitor.checkAccessible('course');
  await visitor.page.locator('main').getByRole('link', { name: 'Log in or sign up' }).first().click();
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  assert.equal(visitor.path, `/${slug}/courses/${run.course}`);
  await visitor.checkAccessible('course-member');
  const card = visitor.page.locator('section.card', { hasText: 'Weekend' });
  await visitor.leave(card.getByRole('button', { name: 'Join the waitlist' }));
  assert.match(await visitor.text(), /You’re on the waitlist\.[^]*You’re number 1 on the waitlist/);
  await visitor.checkAccessible('course-waiting');
  const autumn = visitor.page.locator('section.card', { hasText: 'Autumn' });
  await visitor.leave(autumn.getByRole('button', { name: 'Continue to pay' }));
  assert.match(await visitor.text(), /Autumn[^]*120\.00/);
  const { body } = await world.get(`/checkouts?customer=${customer}`, { as: world.machine });
  await c.pay(body.results[0].id, { payment_processor: c.sandbox });
  await visitor.open(`/${slug}/courses/${run.course}?lang=de`);
  assert.match(await visitor.text(), /Mornings[^]*Hat begonnen, noch 3 Termine[^]*Autumn[^]*Sie nehmen teil\./);
  await visitor.checkAccessible('course-german');
  await visitor.close();
});
