/** The door of a class, as people use it on tablets and phones: with a connection, and without one. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardWorld, type Colleague } from './test/dashboard-world.ts';
import { book, feedEnd, feedSince, newEvent, newPlace } from '../../../test/schedule-world.ts';
import type { Locator } from 'playwright-core';
import type { Visitor } from '../../../test/browser.ts';
import type { World } from '../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
before(async () => {
  desk = await DashboardWorld.start({ own: true });
  ({ world } = desk);
});
after(() => desk?.close());

/** A class soon, with people booked who are called so. */
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

/** What is pressed of a row. */
const present = ({ page }: Visitor, name: string): Locator =>
  page.getByRole('button', { name: `Present: ${name}`, exact: true });
const absent = ({ page }: Visitor, name: string): Locator =>
  page.getByRole('button', { name: `Absent: ${name}`, exact: true });
const isPressed = (button: Locator): Promise<void> =>
  button.and(button.page().locator('[aria-pressed="true"]')).waitFor();
const isNotPressed = (button: Locator): Promise<void> =>
  button.and(button.page().locator('[aria-pressed="false"]')).waitFor();

/** Nothing waits to be sent. */
const allTold = ({ page }: Visitor): Promise<unknown> =>
  page.waitForFunction(
    () => !Object.keys((globalThis as any).localStorage).some((name: string) => name.startsWith('rollcall.door.')),
  );

async function atDoor(event: number, who?: Colleague): Promise<Visitor> {
  const visitor = await desk.visitor(who);
  await desk.open(visitor, `door/${event}`);
  return visitor;
}

test('one tap marks somebody as present or absent, another takes it back, and so does undo', async () => {
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

test('everything is done by keyboard: the arrow keys go from row to row, space marks, a slash searches', async () => {
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

test('without a connection marks are kept, survive the tab, and take effect once when it is back', async () => {
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
