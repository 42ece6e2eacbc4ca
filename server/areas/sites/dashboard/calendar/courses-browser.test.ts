/** Courses in the dashboard, as staff manage them in a browser. The results are checked through the interface. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { look } from '../test/dashboard-world.ts';
import { confirm, sends } from '../test/proposals.ts';
import { done, enrollFree, newRun, type Run } from '../../../availability/courses/test/world.ts';
import { Keyboard } from '../test/hands.ts';
import { newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { StaffPermission } from '../../../people/staff/index.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
});
after(() => desk?.close());

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const named = (first_name: string): Promise<number> => world.newCustomer({ first_name, last_name: 'Osei' });
const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true });
const saying = ({ page }: Visit, text: string | RegExp) => page.getByText(text).first().waitFor();

/** Opens Chromium for the journeys of a screen, and a window for everything else. */
async function at(
  path: string,
  permissions: readonly StaffPermission[] = ['manage_events', 'attendances', 'customers'],
  { chromium = false } = {},
): Promise<Visit> {
  const who = await desk.colleague({ permissions });
  const visitor = chromium ? await desk.visitor(who) : await desk.window(who);
  await desk.open(visitor, path);
  return visitor;
}

const atRun = (
  { series }: Pick<Run, 'series'>,
  permissions?: readonly StaffPermission[],
  opening?: { chromium?: boolean },
) => at(`courses/dates/${series}`, permissions, opening);

async function goOn(visitor: Visit, name: string, effect?: string | RegExp): Promise<void> {
  await sends(visitor).click();
  await confirm(visitor, name, effect);
}

const enrolments = async ({ series }: Pick<Run, 'series'>) =>
  (await get(`/course_enrollments?course_date_series=${series}&expand=customer`)).results as any[];

test("a course is created, gets dates in its venue's local time with one of them skipped, and is published", async () => {
  await newOffering(world, { name: 'Pottery', schedule_type: 'course' });
  const venue = await newVenue(world, { name: 'Kiln', timezone: 'Europe/Berlin' });
  const visitor = await at('courses', undefined, { chromium: true });
  const { page } = visitor;
  await saying(visitor, 'There are no courses yet.');
  await button(visitor, 'New course').click();
  await page.getByLabel('Name of the course').fill('Pottery for beginners');
  await sends(visitor).click();
  await page.getByRole('heading', { level: 1, name: 'Pottery for beginners' }).waitFor();
  await button(visitor, 'Add dates').click();
  await page.getByLabel('Name of the dates').fill('Winter');
  await page.getByLabel('Price of all sessions, in CAD').fill('a lot');
  await page.getByLabel('Spots').fill('6');
  await page.getByLabel('Venue').selectOption(String(venue));
  const first = addDays(wallAt(world.now, 'Europe/Berlin').date, 10);
  await page.getByLabel('Date, session 1').fill(first);
  await page.getByLabel('Number of sessions').fill('4');
  await button(visitor, 'Leave out session 3').click();
  await page.getByLabel('From, session 3').fill('17:00');
  await look(visitor, 'courses-new-dates');
  await sends(visitor).click();
  await page.locator('.field .error').first().waitFor();
  await page.getByLabel('Price of all sessions, in CAD').fill('120,50');
  await sends(visitor).click();
  await page.getByRole('heading', { level: 1, name: 'Pottery for beginners: Winter' }).waitFor();
  await saying(visitor, 'Europe/Berlin');
  const [series] = (await get('/course_date_series')).results;
  assert.deepEqual([series.price.string, series.max_occupancy], ['120.50', 6]);
  const { results } = await get(`/course_sessions?course_date_series=${series.id}&sort=start`);
  assert.deepEqual(
    results
      .map(({ starts_at }: any) => wallAt(Date.parse(starts_at), 'Europe/Berlin'))
      .map(({ date, time }: any) => `${date} ${time.slice(0, 5)}`),
    [`${first} 18:00`, `${addDays(first, 7)} 18:00`, `${addDays(first, 21)} 17:00`],
  );
  await page.getByRole('link', { name: 'Pottery for beginners', exact: true }).click();
  await button(visitor, 'Publish').click();
  await confirm(visitor, 'Publish');
  await page.locator('.tag.good', { hasText: 'Published' }).waitFor();
  assert.equal((await get(`/courses/${series.course}`)).published, true);
  await look(visitor, 'courses-course');
  await visitor.close();
});

test('somebody is enrolled by keyboard only, and their enrollment is cancelled', async () => {
  const run = await newRun(world, { sessions: 3 });
  await named('Ama');
  const visitor = await atRun(run, undefined, { chromium: true });
  const { page } = visitor;
  const hands = new Keyboard(page);
  await saying(visitor, 'To join now:');
  await hands.press(button(visitor, 'Enrol a customer'));
  await hands.find(page.getByRole('combobox', { name: 'Customer' }), 'Ama Osei');
  await hands.choose(page.getByLabel('Paid by'), 'Free of charge');
  await hands.press(button(visitor, 'Continue'));
  await page.getByText('One person is enrolled').waitFor();
  assert.equal((await enrolments(run)).length, 0, 'nothing happens before it is confirmed');
  await hands.press(button(visitor, 'Enrol'));
  await page.getByRole('link', { name: 'Ama Osei' }).waitFor();
  const [enrolled] = await enrolments(run);
  assert.deepEqual(
    [enrolled.customer.first_name, enrolled.paid_by, enrolled.session_count, enrolled.status],
    ['Ama', 'comped', 3, 'active'],
  );
  await look(visitor, 'courses-dates');
  await hands.press(button(visitor, 'Cancel the enrolment: Ama Osei'));
  await hands.press(button(visitor, 'Continue'));
  await page.getByText('One enrolment is cancelled').waitFor();
  await hands.press(page.getByRole('dialog').last().getByRole('button', { name: 'Cancel the enrolment', exact: true }));
  await saying(visitor, 'Nobody is enrolled yet.');
  assert.equal((await enrolments(run))[0].status, 'cancelled');
  await visitor.close();
});

test('a course is sold at the desk, and a cancelled session is credited', async () => {
  const run = await newRun(world, { sessions: 4, cancelled_session_gives: 'credit' });
  await done(world, 'POST', '/payment_processors', { kind: 'offline', name: 'Card terminal' });
  const customer = await named('Kofi');
  const visitor = await atRun(run, ['manage_events', 'attendances', 'customers', 'pos']);
  const { page } = visitor;
  await button(visitor, 'Enrol a customer').click();
  await page.getByRole('combobox', { name: 'Customer' }).fill('Kofi');
  await page.getByRole('option', { name: /Kofi Osei/ }).click();
  await button(visitor, 'Sell').click();
  await saying(visitor, 'Total: $80.00');
  await look(visitor, 'courses-sell');
  await button(visitor, 'Sell').click();
  await confirm(visitor, 'Sell to Kofi Osei');
  await page.getByRole('link', { name: 'Kofi Osei' }).waitFor();
  const [bought] = await enrolments(run);
  assert.deepEqual([bought.paid_by, bought.price.string, bought.customer.id], ['checkout', '80.00', customer]);
  await page
    .getByRole('button', { name: /^Cancel: / })
    .first()
    .click();
  await page.getByLabel('Message (optional)').fill('The kiln is broken.');
  await goOn(visitor, 'Cancel the session', 'The price of one session becomes account credit');
  await page.locator('.tag.wrong', { hasText: 'Cancelled' }).waitFor();
  assert.equal((await get(`/course_sessions/${run.sessions[0]}`)).status, 'cancelled');
  await visitor.close();
});

test("a session moves in its venue's local time, and added sessions are free for people who are enrolled", async () => {
  const run = await newRun(world, { sessions: 2 });
  const customer = await named('Esi');
  await enrollFree(world, run.series, customer);
  const visitor = await atRun(run);
  const { page } = visitor;
  await page
    .getByRole('button', { name: /^Move: / })
    .last()
    .click();
  const date = addDays(wallAt(world.now, 'America/Toronto').date, 20);
  await page.getByLabel('Date').fill(date);
  await page.getByLabel('From').fill('09:30');
  await page.getByLabel('To', { exact: true }).fill('11:00');
  await goOn(visitor, 'Move', 'One class changes');
  await saying(visitor, '9:30 – 11:00 AM');
  const moved = await get(`/course_sessions/${run.sessions[1]}`);
  const { date: on, time } = wallAt(Date.parse(moved.starts_at), 'America/Toronto');
  assert.deepEqual([on, time.slice(0, 5)], [date, '09:30']);
  await button(visitor, 'Add sessions').click();
  await page.getByLabel('Number of sessions').fill('2');
  await page.getByLabel('New price of all sessions, in CAD').fill('110');
  await look(visitor, 'courses-add');
  await goOn(visitor, 'Add sessions', 'One person who is enrolled gets the new sessions');
  await saying(visitor, '4 of 4 sessions left');
  const [{ course_sessions }] = await enrolments(run);
  assert.equal(course_sessions.length, 4);
  assert.equal((await get(`/course_date_series/${run.series}`)).price.string, '110.00');
  await visitor.close();
});

test('a person who can’t be enrolled because the course is full joins the waitlist, and leaves it again', async () => {
  const run = await newRun(world, { sessions: 2, max_occupancy: 1 });
  await enrollFree(world, run.series, await named('Yaa'));
  const customer = await named('Kwame');
  const visitor = await atRun(run);
  const { page } = visitor;
  await button(visitor, 'Enrol a customer').click();
  await page.getByRole('combobox', { name: 'Customer' }).fill('Kwame');
  await page.getByRole('option', { name: /Kwame Osei/ }).click();
  await button(visitor, 'Continue').click();
  const refusal = page.getByRole('dialog').last().getByRole('alert');
  await refusal.waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Add to the waitlist' }).click();
  await confirm(visitor, 'Add to the waitlist', 'One person joins the waitlist');
  await saying(visitor, 'Number 1');
  await look(visitor, 'courses-waitlist');
  const spots = async () => (await get(`/course_waitlist_spots?course_date_series=${run.series}`)).results;
  assert.deepEqual(
    (await spots()).map((one: any) => [one.customer, one.status]),
    [[customer, 'waiting']],
  );
  await button(visitor, 'Remove from the waitlist: Kwame Osei').click();
  await confirm(visitor, 'Remove from the waitlist', 'One person leaves the waitlist');
  await saying(visitor, 'Nobody is on the waitlist.');
  assert.equal((await spots())[0].status, 'left');
  await visitor.close();
});

test('somebody cancels one session, and attends one of other dates instead', async () => {
  const run = await newRun(world, { sessions: 2, make_up_days: 60 });
  const other = await newRun(world, { sessions: 2, inHours: 30, of: run, name: 'Weekend' });
  const customer = await named('Abena');
  await enrollFree(world, run.series, customer);
  const visitor = await atRun(run);
  const { page } = visitor;
  await button(visitor, 'Sessions: Abena Osei').click();
  await page
    .getByRole('button', { name: /^Cancel this one: / })
    .first()
    .click();
  await confirm(visitor, 'Cancel this one', 'One booking is cancelled');
  await page.getByRole('dialog').getByText('Not booked').waitFor();
  await page.getByRole('button', { name: /^Book a make-up session: / }).click();
  await page
    .getByRole('dialog')
    .getByText(/Weekend/)
    .first()
    .waitFor();
  await look(visitor, 'courses-make-up');
  await page
    .getByRole('button', { name: /^Attend this one: / })
    .first()
    .click();
  await confirm(visitor, 'Book a make-up session', 'One missed session is made up for');
  await page
    .getByRole('dialog')
    .getByText(/^Instead: /)
    .waitFor();
  await look(visitor, 'courses-enrolment');
  const [made] = (await get(`/course_make_ups?customer=${customer}`)).results;
  assert.deepEqual([made.missed_course_session, made.course_session], [run.sessions[0], other.sessions[0]]);
  await visitor.close();
});

test('a series is cancelled with all its enrollments, and new ones are refused from then on', async () => {
  const run = await newRun(world, { sessions: 2 });
  await enrollFree(world, run.series, await named('Efua'));
  const visitor = await atRun(run);
  await button(visitor, 'Cancel the dates').click();
  await goOn(visitor, 'Cancel the dates', 'One enrolment is cancelled');
  await saying(visitor, 'Nobody can join.');
  await shows(() => button(visitor, 'Enrol a customer').count(), 0);
  assert.equal((await get(`/course_date_series/${run.series}`)).status, 'cancelled');
  assert.equal((await enrolments(run))[0].status, 'cancelled');
  await visitor.close();
});

test('two people who change the price of the same dates do not overwrite each other', async () => {
  const run = await newRun(world, { sessions: 2 });
  const visitor = await atRun(run);
  const { page } = visitor;
  await button(visitor, 'Change price and rules').click();
  await page.getByLabel('Price of all sessions, in CAD').fill('99');
  await done(world, 'PATCH', `/course_date_series/${run.series}`, { price: '70.00' });
  await button(visitor, 'Save').click();
  await saying(visitor, 'They: 70.00');
  assert.equal((await get(`/course_date_series/${run.series}`)).price.string, '70.00');
  await visitor.close();
});

test('staff who only mark attendances can enroll people, but not change courses or dates', async () => {
  const run = await newRun(world, { sessions: 2 });
  const visitor = await atRun(run, ['attendances']);
  await button(visitor, 'Enrol a customer').waitFor();
  for (const name of ['Add sessions', 'Cancel the dates', 'Change price and rules'])
    await shows(() => button(visitor, name).count(), 0, name);
  await visitor.page.getByRole('link', { name: 'Pottery', exact: true }).click();
  await visitor.page.getByRole('link', { name: 'Autumn' }).waitFor();
  await shows(() => button(visitor, 'Add dates').count(), 0);
  await visitor.close();
});
