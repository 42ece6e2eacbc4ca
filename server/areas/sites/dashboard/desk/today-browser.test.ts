/** Today's overview and the frame around every screen, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import {
  book,
  newCustomers,
  newEvent,
  newInstructor,
  newPlace,
  row,
  type Place,
} from '../../../../test/schedule-world.ts';
import { bill } from '../../../../test/worlds/billed.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { noonTomorrow } from '../test/dashboard-world.ts';
import { pressBoth } from '../test/hands.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { endSession, findSession, startSession } from '../../../people/identity/index.ts';
import type { World } from '../../../../test/world.ts';

const HOUR = 3_600_000;
let desk: DashboardBrowser;
let world: World;
let place: Place;
let noon: number;
before(async () => {
  desk = await DashboardBrowser.start({ own: true, worker: true });
  ({ world } = desk);
  place = await newPlace(world);
  noon = noonTomorrow(world);
});
after(() => desk?.close());

const at = (hours: number): number => (noon - world.now) / HOUR + hours;

test('running and upcoming classes, waitlists and missing people are on one page, which updates live', async () => {
  const { instructor } = await newInstructor(world);
  const over = { max_occupancy: 2, instructors: [instructor] };
  await newEvent(world, place, { in: at(-0.5), name: 'Rowing', ...over });
  const next = await newEvent(world, place, { in: at(1), name: 'Sculling', ...over });
  await newEvent(world, place, { in: at(3), name: 'Coxing', max_occupancy: 4, instructors: [] });
  const [first, second] = await newCustomers(world, 2);
  assert.equal((await book(world, next.id, first)).status, 200);

  const visitor = await desk.visitor();
  await visitor.page.clock.setFixedTime(noon);
  await desk.open(visitor, 'today');
  const main = visitor.page.locator('main');
  await main.getByRole('heading', { name: 'Next' }).waitFor();
  await shows(
    () => main.innerText(),
    /Now[^]*Rowing[^]*0 of 2 booked[^]*Next[^]*Sculling[^]*1 of 2 booked[^]*Later[^]*Coxing/,
  );
  await shows(() => main.innerText(), /Coxing at .* has no instructor/);
  await visitor.checkLive('today');

  // Somebody else books: the page updates without a reload.
  assert.equal((await book(world, next.id, second)).status, 200);
  await main.getByText('2 of 2 booked').waitFor();

  // The button of a class stays in its row when people wait.
  const [third] = await newCustomers(world, 1);
  const joined = await world.post(`/events/${next.id}/join_waitlist`, { as: world.machine, body: { customer: third } });
  assert.ok(joined.status < 300, joined.text);
  const row = main.getByRole('listitem').filter({ hasText: 'Sculling' }).first();
  await row.getByText('waiting').waitFor();
  await visitor.page.setViewportSize({ width: 1280, height: 800 });
  const [times, button] = [await row.locator('.times').boundingBox(), await row.getByRole('link').boundingBox()];
  assert.ok(button!.y < times!.y + times!.height, 'the button is beside the time');
  await visitor.close();
});

test('a task is completed at once, and restored by undo', async () => {
  const customer = await world.newCustomer({ first_name: 'Ada', last_name: 'Byron' });
  const made = await world.post('/customer_tasks', {
    as: world.machine,
    body: { customer, title: 'Call Ada back', due_date: new Date(noon).toISOString().slice(0, 10) },
  });
  assert.equal(made.status, 201, made.text);
  const isDone = async () =>
    (await world.get(`/customer_tasks/${made.body.id}`, { as: world.machine })).body.done_at !== null;
  const visitor = await desk.window();
  await visitor.page.clock.setFixedTime(noon);
  await desk.open(visitor, 'today');
  const task = visitor.page.getByRole('listitem').filter({ hasText: 'Call Ada back' });
  await task.getByRole('button', { name: 'Done' }).click();
  await task.waitFor({ state: 'detached' });
  assert.equal(await isDone(), true);
  await visitor.page.getByRole('button', { name: 'Undo' }).click();
  await task.waitFor();
  assert.equal(await isDone(), false);
  await visitor.close();
});

test('the month’s figures lead to the rows behind them, and the work list to the people who need something', async () => {
  const m = new MembershipWorld(world, place, await row(world, 'membership_category', { name: 'Passes' }));
  const { membership } = await m.recurring();
  const customer = await world.newCustomer({ first_name: 'Mia', last_name: 'Member' });
  const invoice = await bill(world, (await m.give(customer, membership)).id);
  const { id: event } = await newEvent(world, place, { in: 72, name: 'Regatta' });
  await world.work(world.harbour, async ({ tx }) => {
    await tx.run(
      sql`UPDATE invoice SET status = 'failed' WHERE provider_id = current_provider_id() AND id = ${invoice}`,
    );
    for (const waiting of [await world.newCustomer(), await world.newCustomer()]) {
      await tx.run(sql`INSERT INTO attendance (provider_id, event_id, customer_id, status)
        VALUES (current_provider_id(), ${event}, ${waiting}, 'not_registered')`);
      await tx.run(sql`INSERT INTO waitlist_spot (provider_id, event_id, customer_id)
        VALUES (current_provider_id(), ${event}, ${waiting})`);
    }
  });
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'today');
  const main = page.locator('main');
  await shows(() => main.innerText(), /1 failed payment[^]*Mia Member/);
  await shows(() => main.innerText(), /free place[^]*Regatta[^]*2 waiting/);
  await shows(() => main.innerText(), /1 member may be about to leave/);
  await page.getByRole('link', { name: /^Active members in July 2026: 1\./ }).waitFor();
  await shows(() => main.innerText(), /Members who left[^]*0[^]*Jun 2026[^]*Jul 2025/);
  const sold = await desk.ask('GET', '/reports/revenue.grouped/data?columns=month,sold&what=sold');
  assert.equal(sold.rows[0].month, '2026-07');
  const amount = `$${sold.rows[0].sold.decimal.toFixed(2)}`;
  await page.getByRole('link', { name: `Revenue in July 2026: ${amount}. Show the rows` }).waitFor();
  await visitor.checkLive('figures');
  await page.getByRole('link', { name: /^New members in July 2026: 1\./ }).click();
  await page.waitForURL(/reports\/retention\?view=rows/);
  await page.getByRole('cell', { name: 'Mia Member' }).waitFor();
  await visitor.close();
});

test('a super admin sees the progress of the set-up on Today, until they hide it', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'today');
  await page.getByRole('heading', { name: /^Set-up: \d of 9 steps done$/ }).waitFor();
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.getByRole('heading', { name: /^Set-up/ }).waitFor({ state: 'detached' });
  await desk.open(visitor, 'today');
  await page.getByRole('heading', { name: /so far$/ }).waitFor();
  assert.equal(await page.getByRole('heading', { name: /^Set-up/ }).count(), 0);
  await visitor.close();
});

test('people, settings and actions are found by keyboard only', async () => {
  const customer = await world.newCustomer({ first_name: 'Grace', last_name: 'Hopper' });
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, 'today');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await visitor.checkLive('shortcuts');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.type('Grace H');
  await page.getByRole('option', { name: /Grace Hopper/ }).waitFor();
  await visitor.checkLive('palette');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/today?person=${customer}`);
  await page.getByRole('dialog', { name: 'Grace Hopper' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const [typed, option, address] of [
    ['MwSt', /^Taxes and fees/, '**/settings/invoices?at=fees'],
    ['close on Friday', /^Close on Fri, /, '**/hours?tab=closures&do=new&date=*'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type(typed);
    await page.getByRole('option', { name: option }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
  }
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await pressBoth(page, 'g', 't');
  await page.waitForURL('**/today');
  visitor.check();
  await visitor.close();
});

test('the frame stays while one screen follows another', async () => {
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, 'today');
  await page.evaluate(() => {
    const { document, MutationObserver } = globalThis as any;
    const shell = document.querySelector('.shell');
    const look = () => (shell.hidden_once ||= !shell.isConnected || !shell.checkVisibility());
    new MutationObserver(look).observe(document.body, { attributes: true, childList: true, subtree: true });
  });
  for (const name of ['Calendar', 'Customers', 'Today']) {
    await page.locator('.nav').getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }
  assert.equal(await page.evaluate(() => !!(globalThis as any).document.querySelector('.shell').hidden_once), false);
  await visitor.close();
});

test('a lost session loses no input: the person logs in again and continues', async () => {
  const who = await desk.colleague();
  const visitor = await desk.visitor(who);
  const { page } = visitor;
  await desk.open(visitor, 'today');
  const { db } = world.app;
  await db.acrossTenants('a test logs somebody out', async (tx) => {
    const session = await findSession(tx, who.cookie, world.now);
    await endSession(tx, who.userId, session!.id, { address: '::1', agent: '', providerId: world.harbour }, world.now);
  });
  await page.keyboard.press('Control+k');
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.type('Somebody');
  await page.getByText('You’ve been logged out').waitFor();
  assert.match(
    (await page.getByRole('link', { name: 'Log in', exact: true }).getAttribute('href'))!,
    /^\/log-in\?return_to=%2Fdashboard/,
  );
  const { token: cookie } = await db.acrossTenants('a test logs somebody in', (tx) =>
    startSession(tx, { userId: who.userId, secondFactor: false, agent: 'test', now: world.now }),
  );
  await visitor.context.addCookies([{ name: 'rollcall_session', value: cookie, url: world.url }]);
  await page.getByText('You’ve been logged out').waitFor({ state: 'detached' });
  await shows(() => page.getByRole('combobox').inputValue(), 'Somebody');
  await visitor.close();
});

test('everybody sees what they may use: no money, no screens of others, and a link to continue if a screen has nothing for them', async () => {
  const instructor = await desk.window(await desk.colleague({ permissions: ['instructor_attendances'] }));
  await desk.open(instructor, 'today');
  assert.doesNotMatch(await instructor.text(), /invoice|task|so far|set-up/i);
  await instructor.page.goto(`/dashboard/${world.harbour}/calendar`);
  await instructor.page.getByText('You don’t have access to this page').waitFor();
  await instructor.checkLive('forbidden');
  await instructor.page.goto(`/dashboard/${world.meadow}/today`);
  await instructor.page.getByText('Page not found').waitFor();
  await instructor.close();
  const stranger = await desk.stranger();
  await stranger.page.goto('/dashboard');
  await stranger.page.waitForURL('**/log-in?return_to=**');
  await stranger.close();
});
