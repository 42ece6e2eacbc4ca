/** The calendar in a real browser. Every effect is checked through the interface. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { newCustomers, newInstructor, newOffering, newVenue, row } from '../../../../test/schedule-world.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { saved } from '../test/proposals.ts';
import type { Page } from 'playwright-core';
import type { Visitor } from '../../../../test/pages/browser.ts';
import type { World } from '../../../../test/world.ts';
import { START } from '../../../../test/clock.ts';

let desk: DashboardBrowser;
let world: World;
let venue: number;
let rooms: [number, number];
let offering: number;

before(async () => {
  desk = await DashboardBrowser.start();
  ({ world } = desk);
  venue = await newVenue(world, { name: 'Boathouse' });
  rooms = [
    await row(world, 'venue_room', { venue_id: venue, name: 'North room' }),
    await row(world, 'venue_room', { venue_id: venue, name: 'South room' }),
  ];
  offering = await newOffering(world, { name: 'Sculling' });
});
after(() => desk?.close());

/** The message after a move. */
const MOVED = 'is now on';

/** Far ahead, so that it never begins during the test; each test has a week of its own. */
let weeks = 20;
const DAY = 86_400_000;
const TODAY = new Date(START);
/** Monday of this week. */
const MONDAY = TODAY.getTime() - ((TODAY.getUTCDay() + 6) % 7) * DAY;
const dateIn = (week: number, day: number): string =>
  new Date(MONDAY + (week * 7 + day) * DAY).toISOString().slice(0, 10);

interface Made {
  readonly id: number;
  readonly date: string;
}

/** Creates an event from 10:00 to 11:00 at the boathouse, on a Wednesday. */
async function made(name: string, over: Record<string, unknown> = {}, date = dateIn(weeks++, 2)): Promise<Made> {
  const body = {
    name,
    venue,
    offering_type: offering,
    max_occupancy: 8,
    starts_at: `${date}T10:00`,
    ends_at: `${date}T11:00`,
    ...over,
  };
  const answer = await world.post('/events', { as: world.machine, body });
  assert.equal(answer.status, 201, answer.text);
  return { id: answer.body.id, date };
}

/** `2026-11-25T10:00` */
const wall = (iso: string): string =>
  new Date(iso).toLocaleString('sv-SE', { timeZone: 'America/Toronto' }).slice(0, 16).replace(' ', 'T');

/** Returns the start and end in the local time of Toronto. */
async function timesOf(id: number): Promise<[string, string]> {
  const { body } = await world.get(`/events/${id}`, { as: world.machine });
  return [wall(body.starts_at), wall(body.ends_at)];
}

const query = (date: string, more = ''): string => `calendar?view=week&date=${date}&venue=${venue}${more}`;
const chip = (page: Page, name: string) => page.locator('.board .chip', { hasText: name });

/** Confirms a change, and returns the text of its dry run, which is complete when the button appears. */
async function confirm(visitor: Visitor, button: string): Promise<string> {
  const { page } = visitor;
  const change = page.locator('dialog', { hasText: 'If you continue:' });
  const last = change.getByRole('button', { name: button, exact: true });
  await last.waitFor();
  const said = await change.innerText();
  await last.click();
  // A refusal would leave the dialog open.
  await page.locator('dialog', { hasText: 'If you continue:' }).waitFor({ state: 'detached' });
  visitor.check();
  return said;
}

test('a class is created by keyboard, after errors were shown next to their fields', async () => {
  const date = dateIn(weeks++, 2);
  const taken = await made('First crew', { venue_room: rooms[0] }, date);
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, query(date));
  await chip(page, 'First crew').waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('Class', { exact: true }).last().selectOption({ label: 'Sculling' });
  await shows(() => page.getByLabel('Name', { exact: true }).inputValue(), 'Sculling');
  await page.getByLabel('Name', { exact: true }).fill('Second crew');
  await page.getByLabel('Room', { exact: true }).selectOption({ label: 'North room' });
  await page.getByLabel('Start', { exact: true }).fill('10:30');
  await page.getByLabel('End', { exact: true }).fill('11:30');
  await page.getByLabel('Places', { exact: true }).fill('6');
  await page.getByRole('button', { name: 'Add class' }).click();
  await page.getByText('Another event uses this room at that time.').waitFor();
  await shows(() => page.getByLabel('Room', { exact: true }).getAttribute('aria-invalid'), 'true');
  await visitor.checkLive('calendar-form');

  // The input survives closing the form and reloading the page.
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.reload();
  await chip(page, 'First crew').waitFor();
  await page.keyboard.press('n');
  await shows(() => page.getByLabel('Name', { exact: true }).inputValue(), 'Second crew');
  await page.getByLabel('Room', { exact: true }).selectOption({ label: 'South room' });
  await page.getByRole('button', { name: 'Add class' }).click();
  await chip(page, 'Second crew').waitFor();

  const { body } = await world.get(
    `/events?venues=${venue}&local_starts_at_gte=${date}T00:00&local_starts_at_lte=${date}T23:59&sort=start`,
    { as: world.machine },
  );
  assert.deepEqual(
    body.results.map((event: any) => [event.name, event.venue_room, event.max_occupancy]),
    [
      ['First crew', rooms[0], 8],
      ['Second crew', rooms[1], 6],
    ],
  );
  assert.deepEqual(await timesOf(taken.id), [`${date}T10:00`, `${date}T11:00`]);
  assert.deepEqual(await timesOf(body.results[1].id), [`${date}T10:30`, `${date}T11:30`]);
  await visitor.close();
});

test('an event that nobody booked is moved by keyboard without a preview, and moved back by undo', async () => {
  const { id, date } = await made('Morning row');
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, query(date));
  await chip(page, 'Morning row').focus();
  for (const key of ['Alt+ArrowDown', 'Alt+ArrowDown', 'Alt+ArrowRight', 'Alt+Shift+ArrowDown'])
    await page.keyboard.press(key);
  await page.getByText(/Press Enter to save/).waitFor({ state: 'attached' });
  assert.deepEqual(await timesOf(id), [`${date}T10:00`, `${date}T11:00`]);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const next = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  assert.deepEqual(await timesOf(id), [`${next}T10:30`, `${next}T11:45`]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('It’s back where it was.').waitFor();
  assert.deepEqual(await timesOf(id), [`${date}T10:00`, `${date}T11:00`]);

  // Escape leaves everything unchanged.
  await chip(page, 'Morning row').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.locator('.moved').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.moved').waitFor({ state: 'detached' });
  await visitor.checkLive('calendar-week');
  await visitor.close();
});

test('a move that begins before the last one is read again is kept, and saved', async () => {
  const { id, date } = await made('Hasty row');
  const visitor = await desk.visitor();
  const { page } = visitor;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let held = false;
  // Before the page is there: a page that has begun may send its next request without being held.
  await page.route('**/api/v2/events?*', async (route) => {
    if (held) await released;
    await route.continue();
  });
  await desk.open(visitor, query(date));
  await chip(page, 'Hasty row').focus();
  await page.keyboard.press('Alt+ArrowDown');
  held = true;
  await page.keyboard.press('Enter');
  await saved(visitor, MOVED);
  await chip(page, 'Hasty row').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText(/10:30.*Press Enter to save/).waitFor({ state: 'attached' });
  const read = page.waitForEvent('requestfinished', (request) => /\/api\/v2\/events\?/.test(request.url()));
  release();
  await read;
  // Waits until the board is drawn with the new data.
  await page.evaluate(() => new Promise((drawn) => (globalThis as any).requestIdleCallback(drawn)));
  await page.keyboard.press('Enter');
  await saved(visitor, MOVED);
  assert.deepEqual(await timesOf(id), [`${date}T10:30`, `${date}T11:30`]);
  await visitor.close();
});

test('an event keeps the focus when it moves to another day, whoever moved it', async () => {
  const { id, date } = await made('Wandering row');
  const next = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  const visitor = await desk.visitor();
  const { page } = visitor;
  const focused = (day: string) =>
    page.locator(`[data-column="${day}"]`).locator('.chip:focus', { hasText: 'Wandering row' }).waitFor();
  await desk.open(visitor, query(date));
  await chip(page, 'Wandering row').focus();
  await focused(date);
  const body = { starts_at: `${next}T10:00`, ends_at: `${next}T11:00` };
  assert.equal((await world.patch(`/events/${id}`, { as: world.machine, body })).status, 200);
  await desk.publish();
  await focused(next);

  await page.keyboard.press('Alt+ArrowLeft');
  await focused(date);
  await page.keyboard.press('Escape');
  await page.locator('.moved').waitFor({ state: 'detached' });
  await focused(next);
  await visitor.close();
});

test('an event is dragged to another day and made longer, and a refusal names the room that is taken', async () => {
  const date = dateIn(weeks++, 2);
  const { id } = await made('Evening row', { venue_room: rooms[0] }, date);
  const next = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  await made('Regatta', { venue_room: rooms[0], starts_at: `${next}T12:00`, ends_at: `${next}T13:00` }, next);
  const visitor = await desk.visitor();
  const { page } = visitor;
  await page.setViewportSize({ width: 1400, height: 1000 });
  await desk.open(visitor, query(date));
  await chip(page, 'Evening row').waitFor();

  /** The height of an hour and the width of a day. */
  const sizes = await page.locator(`[data-column="${date}"]`).boundingBox();
  const hour = sizes!.height / 24;
  const drag = async (x: number, y: number, by: [number, number]): Promise<void> => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by[0] / 2, y + by[1] / 2);
    await page.mouse.move(x + by[0], y + by[1], { steps: 4 });
    await page.mouse.up();
  };
  const box = async () => (await chip(page, 'Evening row').boundingBox())!;

  let at = await box();
  await drag(at.x + 20, at.y + 12, [sizes!.width, hour * 2]);
  await page.getByText(/uses this room at that time/).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.moved').waitFor({ state: 'detached' });
  assert.deepEqual(await timesOf(id), [`${date}T10:00`, `${date}T11:00`]);

  at = await box();
  await drag(at.x + 20, at.y + 12, [sizes!.width, hour]);
  await saved(visitor, MOVED);
  assert.deepEqual(await timesOf(id), [`${next}T11:00`, `${next}T12:00`]);
  await page.locator('.moved').waitFor({ state: 'detached' });

  at = await box();
  await drag(at.x + 20, at.y + at.height - 3, [0, -hour / 4]);
  await saved(visitor, MOVED);
  assert.deepEqual(await timesOf(id), [`${next}T11:00`, `${next}T11:45`]);
  await page.locator('.moved').waitFor({ state: 'detached' });

  // Drawing on free space opens the form with that time.
  const free = (await page.locator(`[data-column="${date}"]`).boundingBox())!;
  await drag(free.x + 30, free.y + hour * 9.01, [0, hour * 1.5]);
  await shows(() => page.getByLabel('Start', { exact: true }).inputValue(), '09:00');
  await shows(() => page.getByLabel('End', { exact: true }).inputValue(), '10:30');
  await visitor.close();
});

test('an event moves to another room in the columns of rooms', async () => {
  const { id, date } = await made('Indoor row', { venue_room: rooms[0] });
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, `calendar?view=resources&by=room&date=${date}&venue=${venue}`);
  await chip(page, 'Indoor row').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Enter');
  await saved(visitor, MOVED);
  const { body } = await world.get(`/events/${id}`, { as: world.machine });
  assert.equal(body.venue_room, rooms[1]);
  assert.deepEqual(await timesOf(id), [`${date}T10:00`, `${date}T11:00`]);
  await page.locator('.moved').waitFor({ state: 'detached' });
  await visitor.checkLive('calendar-rooms');
  await page.getByLabel('View', { exact: true }).selectOption('day');
  await chip(page, 'Indoor row').waitFor();
  await visitor.checkLive('calendar-day');
  await visitor.close();
});

test('a substitute is found, and teaches instead', async () => {
  const [kim, alex] = [await newInstructor(world), await newInstructor(world)];
  const { id, date } = await made('Coached row', { instructors: [kim.instructor] });
  const { body: before } = await world.get(`/instructors/${alex.instructor}`, { as: world.machine });
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, query(date, `&event=${id}`));
  await page.getByRole('button', { name: 'Find a substitute' }).click();
  await page.getByRole('button', { name: `Choose ${before.name}` }).click();
  await confirm(visitor, 'Change');
  const { body } = await world.get(`/instructors?event=${id}`, { as: world.machine });
  assert.deepEqual(
    body.results.map((one: any) => one.id),
    [alex.instructor],
  );
  await visitor.close();
});

test('an event with bookings is cancelled after a preview of who loses what, and is restored with its bookings', async () => {
  const { id, date } = await made('Windy row');
  const customers = await newCustomers(world, 2);
  for (const customer of customers) {
    const booked = await world.post(`/events/${id}/register`, { as: world.machine, body: { customer, comped: true } });
    assert.equal(booked.status, 200, booked.text);
  }
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, query(date, `&event=${id}`));
  await page.getByText('2 of 8 booked').last().waitFor();
  await visitor.checkLive('calendar-panel');
  await page.getByRole('button', { name: 'Cancel event' }).click();
  assert.equal(await page.getByLabel(/^Notify everyone/).isChecked(), true);
  await page.getByLabel('Message').fill('Too windy.');
  await page.getByRole('button', { name: 'Continue' }).click();
  const said = await confirm(visitor, 'Cancel event');
  assert.match(said, /2 bookings are cancelled/);
  const cancelled = await world.get(`/events/${id}`, { as: world.machine });
  assert.deepEqual([cancelled.body.status, cancelled.body.attending_count], ['cancelled', 0]);

  await page.getByRole('button', { name: 'Reopen', exact: true }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await confirm(visitor, 'Reopen');
  const back = await world.get(`/events/${id}`, { as: world.machine });
  assert.deepEqual([back.body.status, back.body.attending_count], ['active', 2]);
  await visitor.close();
});

test('on a desktop an event opens next to the calendar, which stays usable, and in a narrow window above it', async () => {
  const week = weeks++;
  const date = dateIn(week, 2);
  const saturday = dateIn(week, 5);
  await made('Lower row', {}, date);
  await made('Far row', {}, saturday);
  const { id } = await made('Upper row', { starts_at: `${date}T12:00`, ends_at: `${date}T13:00` }, date);
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, query(date));
  const panel = (name: string) => page.getByRole('dialog', { name, exact: true });
  const focused = () =>
    page.locator(':focus').evaluateAll((found) => found.map((one) => one.closest('dialog') !== null));
  await chip(page, 'Lower row').focus();
  await page.keyboard.press('Enter');
  await panel('Lower row').waitFor();
  await shows(focused, [true]);
  await page.keyboard.press('Escape');
  await panel('Lower row').waitFor({ state: 'detached' });
  await chip(page, 'Lower row').and(page.locator(':focus')).waitFor();

  // Another event is selected, moved and saved while the panel is open, and the panel covers none of it.
  await page.keyboard.press('Enter');
  await panel('Lower row').waitFor();
  await chip(page, 'Upper row').click();
  await panel('Upper row').waitFor();
  await shows(() => page.getByRole('dialog').count(), 1);
  await shows(focused, [true]);
  await chip(page, 'Upper row').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.locator('.moved').waitFor();
  // The first Escape undoes the move, the second one closes the panel.
  await page.keyboard.press('Escape');
  await page.locator('.moved').waitFor({ state: 'detached' });
  await panel('Upper row').waitFor();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Enter');
  await saved(visitor, MOVED);
  assert.deepEqual(await timesOf(id), [`${date}T11:45`, `${date}T12:45`]);
  await panel('Upper row')
    .getByText(/11:45 AM – 12:45 PM/)
    .waitFor();
  await visitor.checkLive('calendar-beside');
  await chip(page, 'Upper row').focus();
  await page.keyboard.press('Escape');
  await panel('Upper row').waitFor({ state: 'detached' });
  await chip(page, 'Upper row').and(page.locator(':focus')).waitFor();

  // The panel takes space, but doesn't cover the event that it shows.
  await chip(page, 'Far row').click();
  await panel('Far row').waitFor();
  const isSeen = () =>
    chip(page, 'Far row').evaluate((one: any) => {
      const [board, event] = [one.closest('.board'), one].map((of) => of.getBoundingClientRect());
      return board.left <= event.left && event.right <= board.right;
    });
  await shows(isSeen, true);
  await page.keyboard.press('Escape');
  await panel('Far row').waitFor({ state: 'detached' });
  await chip(page, 'Upper row').focus();

  // The panel stays open when the window becomes too narrow for both.
  await page.keyboard.press('Enter');
  await panel('Upper row').waitFor();
  await shows(() => page.locator('dialog:modal').count(), 0);
  await page.setViewportSize({ width: 390, height: 800 });
  await shows(() => page.locator('dialog:modal').count(), 1);
  await shows(focused, [true]);
  await visitor.checkLive('calendar-above');
  await page.keyboard.press('Escape');
  await panel('Upper row').waitFor({ state: 'detached' });
  await visitor.close();
});

test('later events of a series move too if the user chooses so', async () => {
  const date = dateIn(weeks, 2);
  weeks += 4;
  const until = dateIn(weeks - 2, 2).replaceAll('-', '');
  const { id } = await made('Weekly row', { recurrence: { rrule: `FREQ=WEEKLY;UNTIL=${until}` } }, date);
  const { body: first } = await world.get(`/events/${id}`, { as: world.machine });
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, query(date));
  await chip(page, 'Weekly row').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByLabel('This event and all later ones').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await saved(visitor, MOVED);
  const { body } = await world.get(`/events?series=${first.series}&sort=start`, { as: world.machine });
  assert.equal(body.count, 3);
  for (const [i, event] of body.results.entries())
    assert.equal((await timesOf(event.id))[0].slice(11), '10:15', String(i));
  await visitor.close();
});

test('a week is copied with a result for each event, and nothing is copied twice', async () => {
  const date = dateIn(weeks++, 2);
  const target = dateIn(weeks++, 2);
  await made('Copied row', { venue_room: rooms[0] }, date);
  await made('Clashing row', { venue_room: rooms[1], starts_at: `${date}T15:00`, ends_at: `${date}T16:00` }, date);
  await made(
    'In the way',
    {
      offering_type: await newOffering(world),
      venue_room: rooms[1],
      starts_at: `${target}T15:30`,
      ends_at: `${target}T16:30`,
    },
    target,
  );
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, query(date));
  await chip(page, 'Copied row').waitFor();
  const sum = () => page.locator('dialog [role=status]', { hasText: 'already there' }).innerText();
  await page.getByRole('button', { name: 'Copy week' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Copy one event' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await sum(), '1 copied, 0 already there, 1 that can’t be copied');
  await visitor.checkLive('calendar-copy');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Copy week' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('Already there', { exact: true }).waitFor();
  assert.equal(await sum(), '0 to copy, 1 already there, 1 that can’t be copied');
  await shows(() => page.getByRole('button', { name: /^Copy \d+ event/ }).isDisabled(), true);
  const { body } = await world.get(
    `/events?venues=${venue}&local_starts_at_gte=${target}T00:00&local_starts_at_lte=${target}T23:59&sort=start`,
    { as: world.machine },
  );
  assert.deepEqual(
    body.results.map((event: any) => event.name),
    ['Copied row', 'In the way'],
  );
  await visitor.close();
});

test('changes by others appear live, and staff with read access change nothing', async () => {
  const { id, date } = await made('Shared row');
  const visitor = await desk.visitor(await desk.colleague({ permissions: ['attendances', 'developer'] }));
  const { page } = visitor;
  // The feed is held back until something has changed after the first read.
  const follow = Promise.withResolvers<void>();
  await page.route(/\/feed_items\?/, async (route) => {
    await follow.promise;
    await route.continue();
  });
  await desk.open(visitor, query(date));
  await chip(page, 'Shared row').waitFor();
  await shows(() => page.getByRole('button', { name: 'New class' }).count(), 0);
  await chip(page, 'Shared row').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await shows(() => page.locator('.moved').count(), 0);
  const [before, after] = await newCustomers(world, 2);
  const book = async (customer: number) => {
    const booked = await world.post(`/events/${id}/register`, { as: world.machine, body: { customer, comped: true } });
    assert.equal(booked.status, 200, booked.text);
    await desk.publish();
  };
  await book(before);
  follow.resolve();
  await chip(page, '1 of 8 booked').waitFor();
  await book(after);
  await chip(page, '2 of 8 booked').waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await desk.open(visitor, `calendar?date=${date}&venue=${venue}`);
  await page.getByRole('button', { name: 'Shared row' }).waitFor();
  // A wider window would show the week.
  await desk.open(visitor, `calendar?view=list&date=${date}&venue=${venue}`);
  await page.getByRole('button', { name: 'Shared row' }).waitFor();
  await visitor.checkLive('calendar-list');
  await visitor.close();
});
