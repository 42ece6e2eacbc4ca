/**
 * Calendars in the dashboard: feeds to subscribe to, and connected ones with busy times. The results are checked
 * through the interface.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connected, outsideEvent } from '../../../availability/calendars/test/calendar-world.ts';
import { confirm } from '../test/proposals.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import type { Colleague } from '../test/dashboard-world.ts';
import { newVenue, row } from '../../../../test/schedule-world.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

const HOUR = 3_600_000;

let desk: DashboardBrowser;
let world: World;
let owner: Visit;
before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
  owner = await desk.visitor();
  await owner.page.goto(`/dashboard/${world.harbour}/today`);
  await owner.page.locator('.shell').waitFor();
});
after(() => desk?.close());

const get = (path: string): Promise<any> => desk.ask('GET', path);

interface Teaching extends Colleague {
  readonly instructor: number;
}

async function teacher(firstName: string): Promise<Teaching> {
  const who = await desk.colleague({ permissions: ['instructor_manage_events'], firstName });
  const instructor = await row(world, 'instructor', { staff_id: who.staffId, name: `${firstName} Reyes` });
  return { ...who, instructor };
}

test('the calendars of the business, of a room and of an instructor are found in one place, and get new addresses', async () => {
  const room = await row(world, 'venue_room', { venue_id: await newVenue(world), name: 'Studio One' });
  const { instructor } = await teacher('Ines');
  const { page } = owner;
  await desk.open(owner, 'hours?tab=calendars');
  const subscribe = page.getByRole('link', { name: 'Subscribe', exact: true });
  for (const [label, path] of [
    ['Harbour', '/icalendar_links'],
    ['Ines Reyes', `/instructors/${instructor}/icalendar_links`],
    ['Studio One', `/venue_rooms/${room}/icalendar_links`],
  ]) {
    await page.getByRole('combobox', { name: 'Of', exact: true }).selectOption({ label });
    const before = await get(path);
    await page.locator(`a[href="${before.webcal_url}"]`).waitFor();
    await page.getByText('Secret address', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Replace the address' }).click();
    await confirm(owner, 'Replace the address');
    const after = await get(path);
    assert.notEqual(after.link, before.link, label);
    await page.locator(`a[href="${after.webcal_url}"]`).waitFor();
    await shows(() => subscribe.count(), 1);
  }
  await owner.checkLive('calendars');
});

test('an instructor connects a calendar, has its events counted, and disconnects it again', async () => {
  const who = await teacher('Ida');
  const visitor = await desk.window(who);
  const { page } = visitor;
  await desk.open(visitor, 'mine');
  const card = page.getByRole('region', { name: 'Connected calendars' });
  await card.getByText('No calendar is connected.').waitFor();
  await card.getByRole('button', { name: 'Connect a calendar' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('iCalendar address').fill('nothing');
  await form.getByRole('button', { name: 'Connect a calendar' }).click();
  await form.locator('input[name=url][aria-invalid=true]').waitFor();
  await form.getByLabel('iCalendar address').fill('https://calendar.example.com/ida.ics');
  await form.getByLabel('Name').fill('Private');
  await form.getByRole('button', { name: 'Connect a calendar' }).click();
  const line = card.getByRole('listitem').filter({ hasText: 'Private' });
  await line.getByText('Not read yet').waitFor();
  await line.getByLabel('Its events count as busy').click();
  const checked = (label: string) => line.getByLabel(label).and(page.locator(':checked')).waitFor();
  await checked('Its events count as busy');
  await line.getByLabel('Count free events as busy too').click();
  await checked('Count free events as busy too');
  await visitor.checkLive('calendars-mine');
  const settings = async () => (await get('/external_calendars/staff_calendar_settings?page_size=100')).results;
  const [account] = (await get('/external_calendars/accounts?page_size=100')).results.filter(
    (one: any) => one.staff === who.staffId,
  );
  const mine = async () => (await settings()).filter((one: any) => one.calendar_source_account.id === account.id);
  assert.partialDeepStrictEqual(await mine(), [{ is_source_for_busy_periods: true, constrain_only_busy: false }]);
  await line.getByLabel('Its events count as busy').click();
  await line.getByLabel('Its events count as busy').and(page.locator(':not(:checked)')).waitFor();
  await line.getByRole('button', { name: 'Clear this choice: Private' }).click();
  await confirm(visitor, 'Clear this choice');
  await line.getByRole('button', { name: 'Clear this choice: Private' }).waitFor({ state: 'detached' });
  assert.deepEqual(await mine(), []);
  await line.getByRole('button', { name: 'Disconnect: Private' }).click();
  await confirm(visitor, 'Disconnect');
  await card.getByText('No calendar is connected.').waitFor();
  assert.equal((await world.get(`/external_calendars/accounts/${account.id}`, { as: world.machine })).status, 404);
  await visitor.close();
});

test('staff who plan see when others are busy, but not with what', async () => {
  const { calendar } = await connected(world, {
    calendar: { name: 'Home', read_at: new Date(world.now).toISOString(), is_active: true },
  });
  const start = world.now + 24 * HOUR;
  await outsideEvent(world, calendar, [start, start + HOUR], { title: 'Dentist' });
  await desk.open(owner, 'hours?tab=calendars');
  const card = owner.page.getByRole('region', { name: 'Connected calendars' });
  await card.getByRole('listitem').filter({ hasText: 'Private' }).getByText('Read', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Show its events' }).click();
  const shown = owner.page.getByRole('dialog');
  await shown.getByText('Home').waitFor();
  await shown.getByText('Busy', { exact: true }).waitFor();
  await shows(() => shown.getByText('Dentist').count(), 0);
  await owner.checkLive('calendars-events');
});
