/**
 * Appointments, rentals and standing bookings in the dashboard, in a real browser. The results are checked through the
 * interface.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bookSlot, newPractice, newRoom, slotsOf, type Practice } from '../../../../test/worlds/slot-world.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { look } from '../test/dashboard-world.ts';
import { confirm } from '../test/proposals.ts';
import { Keyboard } from '../test/hands.ts';
import { newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { newSchedule } from '../../../../test/worlds/hours-world.ts';
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

const STAFF: readonly StaffPermission[] = ['manage_events', 'attendances', 'customers', 'pos'];

interface Opening {
  readonly permissions?: readonly StaffPermission[];
  /** for the journeys of a screen; everything else opens a window */
  readonly chromium?: boolean;
}

async function at(search: string, { permissions = STAFF, chromium = false }: Opening = {}): Promise<Visit> {
  const who = await desk.colleague({ permissions });
  const visitor = chromium ? await desk.visitor(who) : await desk.window(who);
  await desk.open(visitor, `appointments${search}`);
  return visitor;
}

const freeOn = ({ offering, date }: Practice, opening?: Opening): Promise<Visit> =>
  at(`?offering=${offering}&from=${date}`, opening);

/** Returns a free time of the first day that is shown. */
const slot = ({ page }: Visit, time: string) =>
  page
    .getByRole('region')
    .first()
    .getByRole('button', { name: new RegExp(`^${time}`) });

async function choose({ page }: Visit, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Customer' }).last().fill(name);
  await page.getByRole('option', { name: new RegExp(`${name} Osei`) }).click();
}

/** Waits until no dialog is open. */
const closed = ({ page }: Visit): Promise<void> => page.locator('dialog[open]').first().waitFor({ state: 'detached' });

const bookedBy = async (customer: number) =>
  (await get(`/attendances?customer=${customer}&status=registered&sort=event_starts_at&expand=event`)).results as any[];

/** Returns the wall times of a customer's bookings. */
const timesOf = async (customer: number): Promise<string[]> =>
  (await bookedBy(customer)).map(({ event }) => event.starts_at.slice(0, 16));

test('a free time is booked for somebody, and is no longer free', async () => {
  const practice = await newPractice(world);
  const customer = await named('Ama');
  const visitor = await freeOn(practice, { chromium: true });
  const { page } = visitor;
  await slot(visitor, '10:00 AM').waitFor();
  await look(visitor, 'appointments-free');
  await slot(visitor, '10:00 AM').click();
  await choose(visitor, 'Ama');
  await page.getByText('Give it away: nothing is paid').click();
  await page.getByText('Why can or can’t it be booked?').click();
  await page.getByRole('dialog').locator('.tag.good').first().waitFor();
  await look(visitor, 'appointments-slot');
  await button(visitor, 'Book for Ama Osei').click();
  await confirm(visitor, 'Book', 'One place is booked');
  await closed(visitor);
  await slot(visitor, '10:00 AM').waitFor({ state: 'detached' });
  assert.deepEqual(await timesOf(customer), [`${practice.date}T10:00`]);
  await page.getByRole('link', { name: 'Booked', exact: true }).click();
  await page.getByRole('link', { name: 'Ama Osei', exact: true }).waitFor();
  await look(visitor, 'appointments-booked');
  await button(visitor, 'Cancel: Massage, Ama Osei').click();
  await confirm(visitor, 'Cancel the booking', 'One booking is cancelled');
  await page.getByRole('link', { name: 'Ama Osei', exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual(await bookedBy(customer), []);
  await visitor.close();
});

test('a time that nothing pays for is added to the account, which is said before, or sold at the desk', async () => {
  const practice = await newPractice(world, { dropin_price_minor: 9000 });
  const made = await world.post('/payment_processors', {
    as: world.machine,
    body: { kind: 'offline', name: 'Card terminal' },
  });
  assert.equal(made.status, 201, made.text);
  const customer = await named('Kofi');
  const visitor = await freeOn(practice);
  const { page } = visitor;
  await slot(visitor, '11:00 AM').click();
  await choose(visitor, 'Kofi');
  await button(visitor, 'Book for Kofi Osei').click();
  await page.getByText('The price of the booking is added to the account').waitFor();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Back', exact: true }).last().click();
  await button(visitor, 'Sell').click();
  await page.getByText('Total: $90.00').waitFor();
  await look(visitor, 'appointments-sell');
  await button(visitor, 'Sell').click();
  await confirm(visitor, 'Sell to Kofi Osei');
  await closed(visitor);
  assert.deepEqual(await timesOf(customer), [`${practice.date}T11:00`]);
  await visitor.close();
});

test('an appointment moves to another time by keyboard only', async () => {
  const practice = await newPractice(world);
  const customer = await named('Esi');
  const [first] = await slotsOf(world, practice);
  const booked = await bookSlot(world, first.id, customer);
  assert.equal(booked.status, 200, booked.text);
  const visitor = await at(`?tab=booked&customer=${customer}`, { chromium: true });
  const { page } = visitor;
  const hands = new Keyboard(page);
  await hands.press(page.getByRole('link', { name: 'Move: Massage, Esi Osei' }));
  await page.getByText(/^Choose another time for Massage/).waitFor();
  await page.getByLabel('From').fill(practice.date);
  await slot(visitor, '2:00 PM').waitFor();
  await look(visitor, 'appointments-moving');
  await hands.press(slot(visitor, '2:00 PM'));
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Move it to this time' }));
  await page.getByText('If you continue:').waitFor();
  assert.deepEqual(await timesOf(customer), [first.local_starts_at.slice(0, 16)], 'nothing happens before');
  await hands.press(page.getByRole('dialog').last().getByRole('button', { name: 'Move', exact: true }));
  await page.getByRole('link', { name: 'Esi Osei', exact: true }).waitFor();
  assert.deepEqual(await timesOf(customer), [`${practice.date}T14:00`]);
  assert.equal((await bookedBy(customer))[0].event.id, booked.body.event, 'it is the same event');
  await visitor.close();
});

test('the reason why an instructor has no other times is shown for each part of a day', async () => {
  const practice = await newPractice(world);
  const [instructor] = practice.instructors;
  const [first] = await slotsOf(world, practice);
  await bookSlot(world, first.id, await named('Yaa'));
  const visitor = await at(`?offering=${practice.offering}&from=${practice.date}&instructor=${instructor}`);
  const { page } = visitor;
  await slot(visitor, '10:00 AM').waitFor();
  await page.getByText('Why are there no other times?').click();
  await page.getByRole('link', { name: 'Show it in the calendar' }).first().waitFor();
  const day = await get(
    `/instructors/${instructor}/availability?offering_type=${practice.offering}&from=${practice.date}&to=${practice.date}&explain=true`,
  );
  for (const { message } of day.days[0].unavailable) await page.getByText(message).first().waitFor();
  await look(visitor, 'appointments-why');
  await visitor.close();
});

test('a standing booking is created from its preview, with one date at another time and one skipped', async () => {
  const practice = await newPractice(world);
  const { date } = practice;
  const customer = await named('Kwame');
  const [, second, third] = [0, 7, 14].map((days) => addDays(date, days));
  // Somebody else has the time of the second date.
  const taken = (await slotsOf(world, { ...practice, date: second })).find(({ local_starts_at: at }) =>
    at.startsWith(`${second}T10:00`),
  )!;
  assert.equal((await bookSlot(world, taken.id, await named('Efua'))).status, 200);
  const visitor = await at('?tab=standing');
  const { page } = visitor;
  await page.getByText('Nobody has a standing booking').waitFor();
  await button(visitor, 'New standing booking').click();
  await choose(visitor, 'Kwame');
  await page.getByLabel('What').selectOption(String(practice.offering));
  await page.getByLabel('Venue').selectOption(String(practice.venue));
  const weekday = new Date(`${date}T12:00:00Z`).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  await page.getByLabel('Day of the week').selectOption({ label: weekday });
  await page.getByLabel('First day').fill(date);
  await page.getByLabel('Last day').fill(third);
  await page.getByLabel('How many dates').fill('');
  await page.getByText('Give it away: nothing is paid').click();
  await page.getByLabel('Time', { exact: true }).fill('10:00');
  const preview = page.getByRole('region', { name: 'What would be booked' });
  await preview.getByText('Not possible').waitFor();
  await look(visitor, 'appointments-standing-new');
  const instead = preview.getByRole('combobox');
  await instead.selectOption({ index: 1 });
  await preview.getByText('Not possible').waitFor({ state: 'detached' });
  await preview
    .getByRole('button', { name: /^Skip / })
    .last()
    .click();
  await preview.getByRole('listitem').filter({ hasText: 'Skipped' }).waitFor();
  await button(visitor, 'Continue').click();
  await confirm(visitor, 'Book every week', '2 places are booked');
  await page.getByRole('link', { name: 'Kwame Osei', exact: true }).waitFor();
  await look(visitor, 'appointments-standing');
  const times = await timesOf(customer);
  assert.equal(times.length, 2);
  assert.equal(times[0], `${date}T10:00`);
  assert.notEqual(times[1], `${second}T10:00`);
  const [{ id, skipped_dates, moved_dates }] = (await get(`/recurring_reservations?customer=${customer}`)).results;
  assert.deepEqual([skipped_dates, moved_dates.map((one: any) => one.date)], [[third], [second]]);

  await button(visitor, 'Dates: Kwame Osei').click();
  await page.getByText('Every upcoming date is booked.').waitFor();
  await look(visitor, 'appointments-standing-dates');
  await page.keyboard.press('Escape');
  await button(visitor, 'Change: Kwame Osei').click();
  await page.getByLabel('Last day').fill(addDays(date, 1));
  await button(visitor, 'Continue').click();
  await confirm(visitor, 'Save', 'One booking is cancelled');
  await closed(visitor);
  assert.deepEqual(await timesOf(customer), [`${date}T10:00`]);
  await button(visitor, 'End: Kwame Osei').click();
  await button(visitor, 'Continue').click();
  await confirm(visitor, 'End', 'One standing booking ends');
  await page.getByText('Nobody has a standing booking').waitFor();
  assert.equal((await get(`/recurring_reservations/${id}`)).status, 'ended');
  assert.deepEqual(await bookedBy(customer), []);
  await visitor.close();
});

test('a time that somebody else takes disappears live', async () => {
  const practice = await newPractice(world);
  const visitor = await freeOn(practice, { permissions: [...STAFF, 'developer'] });
  await slot(visitor, '9:00 AM').waitFor();
  const [first] = await slotsOf(world, practice);
  assert.equal((await bookSlot(world, first.id, await named('Afua'))).status, 200);
  await desk.publish();
  await slot(visitor, '9:00 AM').waitFor({ state: 'detached' });
  await visitor.close();
});

test('a time that is gone when it is booked is refused, and the free times are loaded again', async () => {
  const practice = await newPractice(world);
  const visitor = await freeOn(practice);
  const { page } = visitor;
  const late = await named('Kojo');
  await slot(visitor, '9:00 AM').click();
  await choose(visitor, 'Kojo');
  const [first] = await slotsOf(world, practice);
  assert.equal((await bookSlot(world, first.id, await named('Akua'))).status, 200);
  await button(visitor, 'Book for Kojo Osei').click();
  await page.getByRole('dialog').last().getByRole('alert').waitFor();
  await button(visitor, 'Look for free times again').click();
  await closed(visitor);
  await slot(visitor, '9:00 AM').waitFor({ state: 'detached' });
  assert.deepEqual(await bookedBy(late), []);
  await visitor.close();
});

test('a room is booked every week, in the chosen room', async () => {
  const venue = await newVenue(world, { name: 'Wharf' });
  const offering = await newOffering(world, {
    name: 'Rehearsal room',
    schedule_type: 'room_rental',
    slot_duration: 60,
    slot_increments: 60,
  });
  const [, wanted] = [
    await newRoom(world, venue, { name: 'Small room' }),
    await newRoom(world, venue, { name: 'Large room' }),
  ];
  const date = addDays(new Date(world.now).toISOString().slice(0, 10), 3);
  await newSchedule(world, { venue, daily: '09:00-17:00', offeringTypes: { [offering]: [] } });
  const customer = await named('Ekow');
  const visitor = await at('?tab=standing');
  const { page } = visitor;
  await button(visitor, 'New standing booking').click();
  await choose(visitor, 'Ekow');
  await page.getByLabel('What').selectOption(String(offering));
  await page.getByLabel('Venue').selectOption(String(venue));
  await page.getByLabel('Room').selectOption(String(wanted));
  const weekday = new Date(`${date}T12:00:00Z`).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  await page.getByLabel('Day of the week').selectOption({ label: weekday });
  await page.getByLabel('First day').fill(date);
  await page.getByLabel('How many dates').fill('2');
  await page.getByLabel('Time', { exact: true }).fill('11:00');
  await page.getByRole('region', { name: 'What would be booked' }).getByText('Booked').nth(1).waitFor();
  await button(visitor, 'Continue').click();
  await confirm(visitor, 'Book every week', '2 places are booked');
  await page.getByRole('link', { name: 'Ekow Osei', exact: true }).waitFor();
  const bookings = await bookedBy(customer);
  assert.deepEqual(
    bookings.map(({ event }) => [event.starts_at.slice(0, 16), event.venue_room]),
    [
      [`${date}T11:00`, wanted],
      [`${addDays(date, 7)}T11:00`, wanted],
    ],
  );
  await visitor.close();
});

test('dates that could not be booked are retried once there is room', async () => {
  const practice = await newPractice(world);
  const { date, offering, venue } = practice;
  const customer = await named('Abena');
  const second = addDays(date, 7);
  const taken = (await slotsOf(world, { ...practice, date: second })).find(({ local_starts_at: at }) =>
    at.startsWith(`${second}T10:00`),
  )!;
  const other = await named('Adjoa');
  const { body } = await bookSlot(world, taken.id, other);
  const made = await world.post('/recurring_reservations', {
    as: world.machine,
    body: {
      customer,
      offering_type: offering,
      venue,
      local_time: '10:00',
      start_date: date,
      times: 2,
      end_date: second,
      comped: true,
    },
  });
  assert.equal(made.status, 201, made.text);
  await world.post(`/events/${body.event}/unregister`, { as: world.machine, body: { customer: other } });
  const visitor = await at(`?tab=standing&customer=${customer}`);
  const { page } = visitor;
  await button(visitor, 'Dates: Abena Osei').click();
  await button(visitor, 'Try these again').click();
  await confirm(visitor, 'Try these again', 'One place is booked');
  await page.getByText('Every upcoming date is booked.').waitFor();
  assert.deepEqual(await timesOf(customer), [`${date}T10:00`, `${second}T10:00`]);
  await visitor.close();
});
