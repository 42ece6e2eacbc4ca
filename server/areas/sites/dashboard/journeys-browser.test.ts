/**
 * A day of an owner, of the front desk and of an instructor: on a tablet, on a desktop, and by keyboard only. Each of
 * them works in one of these ways, all in different ones, in turns from change to change; in all of them in `npm run
 * test:all`.
 */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { book, newEvent, newOffering, newPlace, row, type Place } from '../../../test/schedule-world.ts';
import { DashboardBrowser } from './test/dashboard-browser.ts';
import { inTurn } from '../../../test/rare.ts';
import { noonTomorrow, type Colleague } from './test/dashboard-world.ts';
import { Keyboard, Pointer, type Hands } from './test/hands.ts';
import type { Page } from 'playwright-core';
import type { Visitor } from '../../../test/pages/browser.ts';
import type { World } from '../../../test/world.ts';

const HOUR = 3_600_000;
let desk: DashboardBrowser;
let world: World;
let place: Place;
let noon: number;
before(async () => {
  desk = await DashboardBrowser.start();
  ({ world } = desk);
  place = await newPlace(world);
  noon = noonTomorrow(world);
});
after(() => desk?.close());

const WAYS: readonly {
  readonly way: string;
  readonly width: number;
  readonly height: number;
  readonly hands: (page: Page) => Hands;
}[] = [
  { way: 'on a tablet', width: 820, height: 1180, hands: () => new Pointer() },
  { way: 'on a desk', width: 1440, height: 900, hands: () => new Pointer() },
  { way: 'by keyboard alone', width: 1440, height: 900, hands: (page) => new Keyboard(page) },
];

const get = (path: string): Promise<any> => desk.ask('GET', path);

/** The work of one person, starting at today's overview. */
class Work {
  readonly hands: Hands;
  readonly page: Page;
  readonly #visitor: Visitor;

  private constructor(visitor: Visitor, hands: Hands) {
    this.#visitor = visitor;
    this.page = visitor.page;
    this.hands = hands;
  }

  static async begin({ width, height, hands }: (typeof WAYS)[number], who?: Colleague): Promise<Work> {
    const visitor = await desk.visitor(who);
    await visitor.page.clock.setFixedTime(noon);
    await visitor.page.setViewportSize({ width, height });
    await desk.open(visitor, 'today');
    return new Work(visitor, hands(visitor.page));
  }

  go(screen: string): Promise<void> {
    const { page } = this;
    return this.hands.press(
      page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: screen, exact: true }),
    );
  }

  press(button: string): Promise<void> {
    return this.hands.press(this.page.getByRole('button', { name: button, exact: true }).last());
  }

  type(label: string, text: string): Promise<void> {
    return this.hands.type(this.page.getByLabel(label, { exact: true }).last(), text);
  }

  /** Reads the preview, and confirms it. */
  async confirm(button: string): Promise<void> {
    const shown = this.page.getByRole('dialog').filter({ hasText: 'If you continue:' });
    await this.hands.press(shown.getByRole('button', { name: button, exact: true }));
    await shown.waitFor({ state: 'detached' });
  }

  end(): Promise<void> {
    return this.#visitor.close();
  }
}

describe('an owner schedules a class, adds a customer, and books them into it', () => {
  for (const [i, way] of WAYS.entries())
    inTurn(i, 3)(way.way, async () => {
      const offering = `Regatta ${i}`;
      await newOffering(world, { name: offering });
      const work = await Work.begin(way);
      const { page, hands } = work;
      await work.go('Calendar');
      await work.press('Next');
      await page.waitForURL(/date=/);
      const date = new URL(page.url()).searchParams.get('date')!;
      await work.press('New class');
      await hands.choose(page.getByRole('dialog').getByLabel('Class', { exact: true }), offering);
      await work.press('Add class');
      await page
        .getByRole('button', { name: new RegExp(offering) })
        .first()
        .waitFor();

      await work.go('Customers');
      await work.press('New customer');
      await work.type('First name', 'Nora');
      await work.type('Last name', `Newcomer ${i}`);
      await work.press('Create customer');
      await page.getByRole('heading', { level: 1, name: `Nora Newcomer ${i}` }).waitFor();
      await hands.press(page.getByRole('link', { name: 'Bookings', exact: true }));
      await work.press('Book something');
      await hands.date(page.getByLabel('Day', { exact: true }), date);
      await work.press(`Book ${offering}`);
      await work.confirm('Book');
      await page.getByRole('button', { name: `Cancel ${offering}`, exact: true }).waitFor();

      const customer = Number(new URL(page.url()).pathname.split('/').at(-1));
      const { results } = await get(`/attendances?customer=${customer}&fields=status,event.name,event.starts_at`);
      assert.equal(results.length, 1);
      assert.deepEqual([results[0].status, results[0].event.name], ['registered', offering]);
      assert.equal(results[0].event.starts_at.slice(0, 10), date);
      await work.end();
    });
});

/** Creates a class around noon, with people who are booked. */
async function newClass(name: string, people: readonly string[], over: Record<string, unknown> = {}) {
  const event = await newEvent(world, place, { in: (noon - world.now) / HOUR, name, max_occupancy: 8, ...over });
  const booked: number[] = [];
  for (const last_name of people) {
    const customer = await world.newCustomer({ first_name: 'Ana', last_name });
    booked.push((await book(world, event.id, customer)).body.attendance);
  }
  return { event: event.id as number, booked };
}

/** Returns the marks of these bookings, once they have changed. */
async function statuses(page: Page, booked: readonly number[]): Promise<string[]> {
  // Marks are sent one after the other; the browser keeps those that have not arrived.
  await page.waitForFunction(
    () => !Object.keys((globalThis as any).localStorage).some((name: string) => name.startsWith('rollcall.door.')),
  );
  return Promise.all(booked.map(async (id) => (await get(`/attendances/${id}`)).status));
}

describe('the front desk books somebody who comes without a booking, and marks who is there', () => {
  for (const [i, way] of WAYS.entries())
    inTurn(i + 1, 3)(way.way, async () => {
      const { event, booked } = await newClass(`Walk-in ${i}`, [`Absent ${i}`]);
      await world.newCustomer({ first_name: 'Walter', last_name: `Inman ${i}` });
      const who = await desk.colleague({ permissions: ['customers', 'attendances', 'pos'] });
      const work = await Work.begin(way, who);
      const { page, hands } = work;
      await work.go('Door');
      await hands.press(page.getByRole('link', { name: new RegExp(`Walk-in ${i}`) }));
      await work.press('Book someone');
      await hands.find(page.getByRole('combobox', { name: 'Name of the customer' }), `Walter Inman ${i}`);
      await work.press('Book');
      await work.confirm(`Book Walter Inman ${i}`);
      await work.press(`Present: Walter Inman ${i}`);
      await work.press(`Absent: Ana Absent ${i}`);
      await page.getByText('1 of 2 here').waitFor();

      assert.deepEqual(await statuses(page, booked), ['no_show']);
      const { results } = await get(`/attendances?event=${event}&status=attended&fields=customer.last_name`);
      assert.deepEqual(results, [{ customer: { last_name: `Inman ${i}` } }]);
      await work.end();
    });
});

describe('an instructor opens the class that they teach from the day at a glance, and marks who comes', () => {
  for (const [i, way] of WAYS.entries())
    inTurn(i + 2, 3)(way.way, async () => {
      const who = await desk.colleague({ permissions: ['instructor_attendances'] });
      const instructor = await row(world, 'instructor', { staff_id: who.staffId, name: 'Kim Reyes' });
      const people = [`First ${i}`, `Second ${i}`, `Third ${i}`];
      const { booked } = await newClass(`Slow flow ${i}`, people, { instructors: [instructor] });
      const work = await Work.begin(way, who);
      const { page, hands } = work;
      await hands.press(page.getByRole('link', { name: `Roster of Slow flow ${i}` }));
      await work.press(`Present: Ana First ${i}`);
      await work.press(`Absent: Ana Second ${i}`);
      await work.press(`Present: Ana Third ${i}`);
      await page.getByText('2 of 3 here').waitFor();
      // One mark was a mistake.
      await work.press(`Present: Ana Third ${i}`);
      await page.getByText('1 of 3 here').waitFor();

      assert.deepEqual(await statuses(page, booked), ['attended', 'no_show', 'registered']);
      await work.end();
    });
});
