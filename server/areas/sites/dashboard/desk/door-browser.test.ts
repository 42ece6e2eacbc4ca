/** The door of a class, as people use it on tablets and phones: online and offline. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { noonTomorrow, type Colleague } from '../test/dashboard-world.ts';
import { confirm } from '../test/proposals.ts';
import { book, feedEnd, feedSince, newEvent, newPlace, row } from '../../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import type { Part, Visit } from '../test/window/visit.ts';
import type { Visitor } from '../../../../test/pages/browser.ts';
import type { World } from '../../../../test/world.ts';

const HOUR = 3_600_000;
let desk: DashboardBrowser;
let world: World;
before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
});
after(() => desk?.close());

/** Creates a class that begins soon, with bookings of people with these names. */
async function newClass(names: readonly string[], over: Record<string, unknown> = {}) {
  const place = await newPlace(world);
  const event = await newEvent(world, place, { in: 0.25, name: 'Power Yoga', max_occupancy: 12, ...over });
  const people = new Map<string, { customer: number; attendance: number }>();
  for (const name of names) {
    const customer = await newNamed(name);
    const { attendance } = (await book(world, event.id, customer)).body;
    people.set(name, { customer, attendance });
  }
  return { event: event.id as number, place, people };
}

const newNamed = (name: string): Promise<number> => {
  const [first_name, last_name = 'Ito'] = name.split(' ');
  return world.newCustomer({ first_name, last_name });
};

const statusOf = async (attendance: number): Promise<string> =>
  (await world.get(`/attendances/${attendance}`, { as: world.machine })).body.status;

/** Returns the button of a row. */
const present = ({ page }: Visit, name: string): Part =>
  page.getByRole('button', { name: `Present: ${name}`, exact: true });
const absent = ({ page }: Visit, name: string): Part =>
  page.getByRole('button', { name: `Absent: ${name}`, exact: true });
const isPressed = (button: Part): Promise<void> => button.and(button.page().locator('[aria-pressed="true"]')).waitFor();
const isNotPressed = (button: Part): Promise<void> =>
  button.and(button.page().locator('[aria-pressed="false"]')).waitFor();

/** Waits until no mark is pending. */
const allTold = ({ page }: Visitor): Promise<unknown> =>
  page.waitForFunction(
    () => !Object.keys((globalThis as any).localStorage).some((name: string) => name.startsWith('rollcall.door.')),
  );

async function atDoor(event: number, who?: Colleague): Promise<Visitor> {
  const visitor = await desk.visitor(who);
  await desk.open(visitor, `door/${event}`);
  return visitor;
}

/** Opens the door without Chromium, for what needs neither layout nor the life of a tab. */
async function inWindow(event: number): Promise<Visit> {
  const visitor = await desk.window();
  await desk.open(visitor, `door/${event}`);
  return visitor;
}

test('the roster shows an answer that staff have to know, and a form that is missing', async () => {
  const { event, place, people } = await newClass(['Ana Ito']);
  const made = async (path: string, body: object) => (await world.post(path, { as: world.machine, body })).body.id;
  const field = await made('/customer_fields', { label: 'Asthma', type: 'boolean', show_at_check_in: true });
  await made('/customer_forms', {
    name: 'Health',
    fields: [field],
    offering_types_applies_to: 'only',
    offering_types: [place.offering],
  });
  const field_values = [{ field, value: { answer: true } }];
  const { customer } = people.get('Ana Ito')!;
  assert.equal(
    (await world.patch(`/customers/${customer}`, { as: world.machine, body: { field_values } })).status,
    200,
  );
  const owner = await desk.window();
  await desk.open(owner, `door/${event}`);
  await owner.page.getByText('Asthma: Yes').first().waitFor();
  await owner.page.getByText('Not completed: Health').first().waitFor();
  await owner.close();
});

test('one tap marks somebody as present or absent, and another tap or undo reverts it', async () => {
  const { event, people } = await newClass(['Ana Ito', 'Ben Okafor']);
  const visitor = await atDoor(event);
  const [ana, ben] = ['Ana Ito', 'Ben Okafor'].map((name) => people.get(name)!.attendance);
  await present(visitor, 'Ana Ito').click();
  await isPressed(present(visitor, 'Ana Ito'));
  await absent(visitor, 'Ben Okafor').click();
  await isPressed(absent(visitor, 'Ben Okafor'));
  await allTold(visitor);
  assert.deepEqual([await statusOf(ana), await statusOf(ben)], ['attended', 'no_show']);
  await visitor.page.getByText('1 of 2 here').waitFor();

  await visitor.page.getByRole('button', { name: 'Undo' }).click();
  await isNotPressed(absent(visitor, 'Ben Okafor'));
  await present(visitor, 'Ana Ito').click();
  await isNotPressed(present(visitor, 'Ana Ito'));
  await allTold(visitor);
  assert.deepEqual([await statusOf(ana), await statusOf(ben)], ['registered', 'registered']);
  await visitor.close();
});

test('everything works by keyboard: the arrow keys move between rows, space marks, a slash searches', async () => {
  const { event, people } = await newClass(['Ana Ito', 'Ben Okafor', 'Cleo Park']);
  const visitor = await atDoor(event);
  const { keyboard } = visitor.page;
  await present(visitor, 'Ana Ito').waitFor();
  await keyboard.press('/');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Space');
  await isPressed(present(visitor, 'Ben Okafor'));
  await keyboard.press('ArrowDown');
  await keyboard.press('Space');
  await isPressed(present(visitor, 'Cleo Park'));
  await keyboard.press('u');
  await isNotPressed(present(visitor, 'Cleo Park'));
  await keyboard.press('/');
  await keyboard.type('cle');
  await present(visitor, 'Ana Ito').waitFor({ state: 'detached' });
  await present(visitor, 'Cleo Park').waitFor();
  await allTold(visitor);
  assert.equal(await statusOf(people.get('Ben Okafor')!.attendance), 'attended');
  assert.equal(await statusOf(people.get('Cleo Park')!.attendance), 'registered');
  await visitor.close();
});

test('offline marks are kept, survive the tab, and take effect once when the connection is back', async () => {
  const { event, people } = await newClass(['Ana Ito', 'Ben Okafor', 'Cleo Park', 'Dina Abel']);
  const who = await desk.colleague();
  const visitor = await atDoor(event, who);
  await present(visitor, 'Ana Ito').waitFor();
  const since = await feedEnd(world);
  await visitor.context.setOffline(true);
  await present(visitor, 'Ana Ito').click();
  await present(visitor, 'Ben Okafor').click();
  await absent(visitor, 'Cleo Park').click();
  await isPressed(absent(visitor, 'Cleo Park'));
  await visitor.page.getByText('3 marks are kept on this device').waitFor();
  await visitor.page.getByText('2 of 4 here').waitFor();
  assert.deepEqual(await feedSince(world, since), []);

  await visitor.context.setOffline(false);
  await allTold(visitor);
  await visitor.page.getByText('marks are kept on this device').waitFor({ state: 'detached' });
  assert.deepEqual(
    (await feedSince(world, since)).map(({ kind }) => kind),
    ['attendance.attended', 'attendance.attended', 'attendance.no_show'],
  );
  for (const [name, status] of [
    ['Ana Ito', 'attended'],
    ['Ben Okafor', 'attended'],
    ['Cleo Park', 'no_show'],
    ['Dina Abel', 'registered'],
  ])
    assert.equal(await statusOf(people.get(name)!.attendance), status, name);
  visitor.check();
  await visitor.close();
});

test('marks without a response survive a reload of the tab, and take effect once', async () => {
  const { event, people } = await newClass(['Ana Ito', 'Ben Okafor']);
  const visitor = await desk.visitor();
  const { page } = visitor;
  // The response is lost on the way: this side doesn't know that the mark has arrived.
  await page.route('**/api/v2/attendances/*', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await desk.open(visitor, `door/${event}`);
  await present(visitor, 'Ana Ito').waitFor();
  const since = await feedEnd(world);
  await present(visitor, 'Ana Ito').click();
  await absent(visitor, 'Ben Okafor').click();
  await page.getByText('2 marks aren’t sent yet.').waitFor();
  await page.reload();
  await isPressed(present(visitor, 'Ana Ito'));
  await isPressed(absent(visitor, 'Ben Okafor'));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await allTold(visitor);
  assert.deepEqual(
    (await feedSince(world, since)).map(({ kind }) => kind),
    ['attendance.attended', 'attendance.no_show'],
  );
  assert.equal(await statusOf(people.get('Ben Okafor')!.attendance), 'no_show');
  await visitor.close();
});

test('two tablets see each other’s marks in a moment, and so does one that cannot follow the feed', async () => {
  const { event, people } = await newClass(['Ana Ito', 'Ben Okafor']);
  const [one, two, three] = [
    await atDoor(event),
    await atDoor(event),
    await atDoor(event, await desk.colleague({ permissions: ['attendances'] })),
  ];
  for (const visitor of [one, two, three]) await present(visitor, 'Ana Ito').waitFor();
  await present(one, 'Ana Ito').click();
  await allTold(one);
  await desk.publish();
  await isPressed(present(two, 'Ana Ito'));
  await isPressed(present(three, 'Ana Ito'));
  await absent(three, 'Ben Okafor').click();
  await allTold(three);
  await desk.publish();
  await isPressed(absent(one, 'Ben Okafor'));
  assert.equal(await statusOf(people.get('Ben Okafor')!.attendance), 'no_show');
  for (const visitor of [one, two, three]) await visitor.close();
});

test('a mark that the interface refuses after the connection is back is listed with the reason', async () => {
  const { event, people } = await newClass(['Ana Ito']);
  const visitor = await atDoor(event);
  await present(visitor, 'Ana Ito').waitFor();
  await visitor.context.setOffline(true);
  await present(visitor, 'Ana Ito').click();
  const { customer, attendance } = people.get('Ana Ito')!;
  const cancelled = await world.post(`/events/${event}/unregister`, { as: world.machine, body: { customer } });
  assert.equal(cancelled.status, 200, cancelled.text);
  await visitor.context.setOffline(false);
  const refused = visitor.page.getByRole('alert').filter({ hasText: '1 mark was refused' });
  await refused.getByText('The customer is not booked on this event.').waitFor();
  await refused.getByRole('button', { name: 'Dismiss' }).click();
  await refused.waitFor({ state: 'detached' });
  assert.equal(await statusOf(attendance), 'not_registered');
  await visitor.close();
});

/** Creates a class that requires a membership. */
async function paidClass(): Promise<number> {
  const members = await MembershipWorld.of(world);
  await members.pack(10);
  const event = await newEvent(world, members.place, { in: 0.25, name: 'Power Yoga', max_occupancy: 1 });
  return event.id as number;
}

async function choose({ page }: Visit, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Book someone' }).click();
  await page.getByRole('combobox', { name: 'Name of the customer' }).fill(name);
  await page.getByRole('option', { name }).click();
}

test('a person who can’t be booked sees the reason and the solution: a free spot, or a membership and the waitlist', async () => {
  const event = await paidClass();
  const terminal = { kind: 'offline', name: 'Card terminal' };
  assert.equal((await world.post('/payment_processors', { as: world.machine, body: terminal })).status, 201);
  const [ana, ben] = [await newNamed('Anastasia Petrova'), await newNamed('Benjamin Walsh')];
  const visitor = await inWindow(event);
  await choose(visitor, 'Anastasia');
  await visitor.page.getByText('Anastasia Petrova can’t be booked:').waitFor();
  await visitor.page.getByRole('button', { name: 'Book without charge' }).click();
  await confirm(visitor, 'Book Anastasia Petrova without charge');
  await present(visitor, 'Anastasia Petrova').waitFor();
  await choose(visitor, 'Benjamin');
  await visitor.page.getByText('Benjamin Walsh can’t be booked:').waitFor();
  await visitor.page.getByRole('button', { name: 'Sell', exact: true }).click();
  await visitor.page.getByText('Total: ').first().waitFor();
  await visitor.page.getByRole('button', { name: 'Sell', exact: true }).click();
  await confirm(visitor, 'Sell to Benjamin Walsh');
  await visitor.page.getByRole('button', { name: 'Add to the waitlist' }).click();
  await confirm(visitor, 'Add Benjamin Walsh to the waitlist');
  await visitor.page.getByRole('heading', { name: '1 on the waitlist' }).waitFor();
  const sales = (await world.get(`/counter/sales?customer=${ben}`, { as: world.machine })).body;
  assert.deepEqual([sales.count, sales.results[0].total_amount.decimal], [1, 120]);
  const { body } = await world.get(`/attendances?event=${event}&fields=status,customer`, { as: world.machine });
  assert.deepEqual(
    new Map(body.results.map(({ customer, status }: any) => [customer, status])),
    new Map([
      [ana, 'registered'],
      [ben, 'not_registered'],
    ]),
  );
  visitor.check();
  await visitor.close();
});

test('a new customer is added and booked in one step, and an error in their address is shown next to it', async () => {
  const { event } = await newClass([]);
  const visitor = await inWindow(event);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Book someone' }).click();
  await page.getByRole('button', { name: 'New customer' }).click();
  await page.getByLabel('First name').fill('Walter');
  await page.getByLabel('Last name').fill('Inman');
  await page.getByRole('textbox', { name: 'Email address (optional)' }).fill('walter');
  await page.getByRole('button', { name: 'Add and book' }).click();
  await page.locator('.field .error').waitFor();
  await page.getByRole('textbox', { name: 'Email address (optional)' }).fill('walter@example.com');
  await page.getByRole('button', { name: 'Add and book' }).click();
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await confirm(visitor, 'Book Walter Inman');
  await present(visitor, 'Walter Inman').waitFor();
  const path = `/attendances?event=${event}&fields=status,customer.email`;
  assert.deepEqual((await world.get(path, { as: world.machine })).body.results, [
    { status: 'registered', customer: { email: 'walter@example.com' } },
  ]);
  await visitor.close();
});

test('a hand scanner checks in people who are booked, and offers to book others', async () => {
  const { event, people } = await newClass(['Ana Ito']);
  const other = await newNamed('Oscar Lind');
  const visitor = await atDoor(event);
  const { page } = visitor;
  await present(visitor, 'Ana Ito').waitFor();
  const field = page.getByLabel('Customer number or email address');
  await field.fill(String(people.get('Ana Ito')!.customer));
  await field.press('Enter');
  await isPressed(present(visitor, 'Ana Ito'));
  await allTold(visitor);
  assert.equal(await statusOf(people.get('Ana Ito')!.attendance), 'attended');
  await field.fill(String(other));
  await field.press('Enter');
  await page.getByRole('dialog', { name: 'Book Oscar Lind' }).waitFor();
  await visitor.close();
});

test('instructors see the classes that they teach, and no others', async () => {
  const who = await desk.colleague({ permissions: ['instructor_attendances'] });
  const instructor = await row(world, 'instructor', { staff_id: who.staffId, name: 'Kim Reyes' });
  const noon = noonTomorrow(world);
  const at = { in: (noon - world.now) / HOUR };
  const mine = await newClass(['Ana Ito'], { ...at, name: 'Slow Flow', instructors: [instructor] });
  const other = await newClass(['Ben Okafor'], { ...at, name: 'Boxing' });
  const visitor = await desk.visitor(who);
  await visitor.page.clock.setFixedTime(noon);
  await desk.open(visitor, 'door');
  const { page } = visitor;
  await page.getByRole('link', { name: 'Slow Flow' }).waitFor();
  await shows(() => page.getByRole('link', { name: 'Boxing' }).count(), 0);
  await page.getByRole('link', { name: 'Slow Flow' }).click();
  await present(visitor, 'Ana Ito').click();
  await isPressed(present(visitor, 'Ana Ito'));
  await allTold(visitor);
  assert.equal(await statusOf(mine.people.get('Ana Ito')!.attendance), 'attended');
  await desk.open(visitor, `door/${other.event}`);
  await page.getByText('or you don’t teach it').waitFor();
  await visitor.close();
});

test('everybody can use it: in light and dark mode, on tablets and phones, by touch', async () => {
  const noon = noonTomorrow(world);
  const over = { in: (noon - world.now) / HOUR, max_occupancy: 3 };
  const { event, people } = await newClass(['Ana Ito', 'Ben Okafor', 'Cleo Park'], over);
  const waiting = await newNamed('Wanda Moore');
  await world.post(`/events/${event}/join_waitlist`, { as: world.machine, body: { customer: waiting } });
  const visitor = await desk.visitor();
  const { page } = visitor;
  await page.clock.setFixedTime(noon);
  await desk.open(visitor, `door/${event}`);
  await present(visitor, 'Ana Ito').click();
  await absent(visitor, 'Ben Okafor').click();
  await page.getByRole('button', { name: 'Let in: Wanda Moore' }).waitFor();
  await allTold(visitor);
  for (const [width, height] of [
    [1024, 768],
    [390, 844],
  ]) {
    await page.setViewportSize({ width, height });
    for (const button of await page.locator('main button').all()) {
      const box = (await button.boundingBox())!;
      assert.ok(box.width >= 44 && box.height >= 44, `${await button.innerText()} at ${width}: ${JSON.stringify(box)}`);
    }
    const folder = process.env.TEST_SCREENSHOTS;
    if (folder) await page.screenshot({ path: `${folder}/roster-${width}.png` });
  }
  await visitor.checkLive('roster');
  await page.getByRole('link', { name: 'All classes of today' }).click();
  await page.getByRole('link', { name: 'Power Yoga' }).first().waitFor();
  await visitor.checkLive('door');
  await page.getByLabel('Who comes today').fill('cleo');
  await page.getByRole('link', { name: 'Cleo Park' }).first().click();
  await present(visitor, 'Cleo Park').waitFor();
  assert.equal(await statusOf(people.get('Cleo Park')!.attendance), 'registered');
  await visitor.close();
});
