/** Hours, blocked times and days off, and instructors' own view of their work. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { book, newCustomers, newEvent, newInstructor, newPlace, type Place } from '../../../../test/schedule-world.ts';
import { DashboardWorld, type StaffWanted } from '../test/dashboard-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

const DAY = 86_400_000;
let desk: DashboardWorld;
let world: World;
let place: Place;
before(async () => {
  desk = await DashboardWorld.start();
  ({ world } = desk);
  place = await newPlace(world);
});
after(() => desk?.close());

const dateIn = (days: number): string => new Date(world.now + days * DAY).toISOString().slice(0, 10);

const hoursOf = async (instructor: number) =>
  (await world.get(`/availability_schedules?instructor=${instructor}`, { as: world.machine })).body.results;

/** Creates a staff member who teaches. */
async function teacher(wanted: StaffWanted) {
  const who = await desk.colleague(wanted);
  const made = await world.post('/instructors', {
    as: world.machine,
    body: { staff: who.staffId, name: `Robin ${who.staffId}`, description: '' },
  });
  assert.equal(made.status, 201, made.text);
  return { who, instructor: made.body.id as number, name: made.body.name as string };
}

test('hours of an instructor are added, their week is set by keyboard, and one day gets other hours', async () => {
  const { instructor } = await newInstructor(world);
  const { name } = (await world.get(`/instructors/${instructor}`, { as: world.machine })).body;
  const visitor = await desk.window();
  await desk.open(visitor, 'hours');
  const { page } = visitor;
  await visitor.checkLive('hours');
  await page.getByRole('button', { name: 'Add hours' }).click();
  await page.getByLabel('Instructor', { exact: true }).selectOption(String(instructor));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();

  await page.getByRole('button', { name: 'Edit the week' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add times: Tuesday' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Tuesday, from').fill('10:00');
  await page.getByLabel('Tuesday, to').fill('14:30');
  await page.getByText('What is already booked stays booked.').waitFor();
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await page.locator('#week + dl').getByText('10:00 AM – 2:30 PM').waitFor();
  const [schedule] = await hoursOf(instructor);
  assert.deepEqual(schedule.default_tuesday, [{ start: '10:00', end: '14:30' }]);
  await visitor.checkLive('schedule');

  const date = dateIn(5);
  await page.getByRole('button', { name: 'Set special hours' }).click();
  await page.getByLabel('Day', { exact: true }).fill(date);
  // It touches nobody who is booked: it is saved at once, and can be undone.
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Special hours' }).getByText('Not available').waitFor();
  const overrides = await world.get(`/availability_schedules/${schedule.id}/overrides`, { as: world.machine });
  assert.deepEqual(overrides.body.overrides, [{ date, availability: [] }]);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('region', { name: 'Special hours' }).getByText('Not available').waitFor({ state: 'detached' });
  await visitor.close();
});

test('times are blocked and unblocked, and errors of a period are shown next to it', async () => {
  const { instructor } = await newInstructor(world);
  const visitor = await desk.window();
  await desk.open(visitor, `hours?tab=blocked&of=instructor-${instructor}`);
  const { page } = visitor;
  const [first, last] = [dateIn(3), dateIn(4)];
  await page.getByRole('button', { name: 'Block times' }).click();
  await page.getByLabel('Day', { exact: true }).fill(last);
  await page.getByLabel('Last day').fill(first);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The last day must not be before the first.', { exact: true }).waitFor();
  await page.getByLabel('Day', { exact: true }).fill(first);
  await page.getByLabel('Last day').fill(last);
  await page.getByRole('button', { name: 'Save' }).click();
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'The whole day' });
  await rows.nth(1).waitFor();
  // Undo frees the days again.
  await page.getByRole('button', { name: 'Undo' }).click();
  await rows.first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Block times' }).click();
  await page.getByLabel('Day', { exact: true }).fill(first);
  await page.getByLabel('Last day').fill(last);
  await page.getByRole('button', { name: 'Save' }).click();
  await rows.nth(1).waitFor();
  await visitor.checkLive('blocked');
  await rows.first().getByRole('button').click();
  await rows.nth(1).waitFor({ state: 'detached' });
  const { body } = await world.get(`/instructors/${instructor}/blocked_times`, { as: world.machine });
  assert.deepEqual(
    body.data.map((day: any) => day.date),
    [last],
  );
  await visitor.close();
});

test('a day is closed after a preview of the cancellations, and is reopened', async () => {
  const event = await newEvent(world, place, { in: 24 * 20, name: 'Holiday rowing', max_occupancy: 5 });
  assert.equal((await book(world, event.id, (await newCustomers(world, 1))[0])).status, 200);
  const { starts_at } = (await world.get(`/events/${event.id}`, { as: world.machine })).body;
  const date = starts_at.slice(0, 10);
  const closed = async () =>
    (await world.get(`/business_closures?closure_date_gte=${date}&closure_date_lte=${date}`, { as: world.machine }))
      .body.count;
  const visitor = await desk.window();
  await desk.open(visitor, 'hours?tab=closures');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Close days' }).click();
  await page.getByLabel('Day', { exact: true }).fill(date);
  await page.getByLabel('Reason').fill('Public holiday');
  await page.getByRole('button', { name: 'Continue' }).click();
  const dialog = page.getByRole('dialog').last();
  await dialog.getByText('One class is cancelled').waitFor();
  await dialog.getByText('One day is closed').waitFor();
  await visitor.checkLive('closing');
  assert.equal(await closed(), 0);
  await dialog.getByRole('button', { name: 'Close days' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Public holiday' });
  await row.waitFor();
  assert.equal(await closed(), 1);
  await row.getByRole('button', { name: /Open again/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Open again' }).click();
  await row.waitFor({ state: 'detached' });
  assert.equal(await closed(), 0);
  await visitor.close();
});

test('one of several days that were closed together is reopened alone', async () => {
  const dates = [dateIn(40), dateIn(41)];
  const closed = async (): Promise<string[]> =>
    (
      await world.get(`/business_closures?closure_date_gte=${dates[0]}&closure_date_lte=${dates[1]}`, {
        as: world.machine,
      })
    ).body.results.map((one: any) => one.closure_date);
  const made = await world.post('/business_closures/bulk_close', {
    as: world.machine,
    body: { from: dates[0], to: dates[1], reason: 'New floor' },
  });
  assert.ok(made.status < 300, made.text);
  assert.deepEqual((await closed()).toSorted(), dates);
  const visitor = await desk.window();
  await desk.open(visitor, 'hours?tab=closures');
  const { page } = visitor;
  const rows = page.getByRole('listitem').filter({ hasText: 'New floor' });
  await rows.nth(1).waitFor();
  await rows
    .nth(0)
    .getByRole('button', { name: /and no other day$/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('If you continue:').waitFor();
  assert.equal((await closed()).length, 2, 'nothing happens before it is confirmed');
  await dialog.getByRole('button', { name: 'Open this day' }).click();
  await rows.nth(1).waitFor({ state: 'detached' });
  assert.deepEqual(await closed(), [dates[1]]);
  await visitor.close();
});

test('all future days with other hours return to the weekly hours in one step, and past days keep theirs', async () => {
  const { instructor } = await newInstructor(world);
  const schedule = await world.post('/availability_schedules', { as: world.machine, body: { instructor } });
  assert.equal(schedule.status, 201, schedule.text);
  const { id } = schedule.body;
  const path = `/availability_schedules/${id}/overrides`;
  const dates = [dateIn(-3), dateIn(5), dateIn(6)];
  const set = await world.patch(path, {
    as: world.machine,
    body: { overrides: dates.map((date) => ({ date, availability: [] })) },
  });
  assert.ok(set.status < 300, set.text);
  const visitor = await desk.window();
  await desk.open(visitor, `hours/${id}`);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Use the weekly hours on all days' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('If you continue:').waitFor();
  await dialog.getByRole('button', { name: 'Weekly hours', exact: true }).click();
  await page.getByText('Every day follows the usual week.').waitFor();
  const { overrides } = (await world.get(path, { as: world.machine })).body;
  assert.deepEqual(
    overrides.map((one: any) => one.date),
    [dates[0]],
  );
  await visitor.close();
});

test('instructors see the classes that they teach, change their own hours and not those of others', async () => {
  const { who, instructor, name } = await teacher({ permissions: ['instructor_attendances'] });
  const other = await newInstructor(world);
  await newEvent(world, place, { in: 30, name: 'My sculling', instructors: [instructor] });
  await newEvent(world, place, { in: 31, name: 'Their coxing', instructors: [other.instructor] });
  for (const [whose, day] of [
    [instructor, 'default_monday'],
    [other.instructor, 'default_friday'],
  ] as const) {
    const made = await world.post('/availability_schedules', {
      as: world.machine,
      body: { instructor: whose, [day]: [{ start: '08:00', end: '09:00' }] },
    });
    assert.equal(made.status, 201, made.text);
  }
  const visitor = await desk.window(who);
  const { page } = visitor;
  await desk.open(visitor, 'mine');
  await page.getByRole('region', { name: 'Your next classes' }).getByText('My sculling').waitFor();
  await shows(() => page.getByText('Their coxing').count(), 0);
  await visitor.checkLive('mine');
  await page.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'Edit the week' }).click();
  await page.getByRole('button', { name: 'Monday: remove 08:00 to 09:00' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('#week + dl').getByText('8:00').waitFor({ state: 'detached' });
  assert.deepEqual((await hoursOf(instructor))[0].default_monday, []);

  const [theirs] = await hoursOf(other.instructor);
  await desk.open(visitor, `hours/${theirs.id}`);
  await shows(() => page.getByRole('button', { name: 'Edit the week' }).count(), 0);
  await visitor.close();
});

test('an instructor sees how their pay is calculated, and somebody who does not teach sees what to do', async () => {
  const { who, instructor } = await teacher({ permissions: ['instructor_manage_events'] });
  const event = await newEvent(world, place, { in: 2, name: 'Paid sculling', instructors: [instructor] });
  await world.work(world.harbour, (work) =>
    work.tx
      .run(sql`INSERT INTO instructor_pay_item (provider_id, event_id, instructor_id, pay_minor, counted, explanation,
        calculated_at, created_at, updated_at)
      VALUES (${world.harbour}, ${event.id}, ${instructor}, NULL, NULL,
        '{"because":"No rate covers this session.","steps":[]}', now(), now(), now())`),
  );
  const visitor = await desk.window(who);
  await desk.open(visitor, 'mine');
  const pay = visitor.page.getByRole('region', { name: 'Your pay' });
  await pay.getByText('No rate covers it').waitFor();
  await pay.getByRole('button', { name: /Why/ }).click();
  await visitor.page.getByText('No rate covers this session.').waitFor();
  await visitor.close();

  const manager = await desk.window();
  await desk.open(manager, 'mine');
  await manager.page.getByRole('link', { name: 'Open the calendar' }).waitFor();
  await manager.close();
});
