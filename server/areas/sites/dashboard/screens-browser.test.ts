/** What holds for every screen of the dashboard, whoever adds one: who may open it, and that everybody can use it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { addressOf, screens, type Screen } from './test/screens.ts';
import { boxes, unreadable } from '../../../test/page-layout.ts';
import { DashboardWorld } from './test/dashboard-world.ts';
import { newEvent, newPlace, row, type Place } from '../../../test/schedule-world.ts';
import { PERMISSIONS, type StaffPermission } from '../../people/staff/index.ts';
import { until } from '../../../test/storm.ts';
import type { Page, Request } from 'playwright-core';
import type { Visitor } from '../../../test/browser.ts';
import type { World } from '../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
let place: Place;
/** of each screen, below the business */
const addresses = new Map<string, string>();
before(async () => {
  desk = await DashboardWorld.start();
  ({ world } = desk);
  place = await newPlace(world);
  await newEvent(world, place, { in: 1 });
  for (const screen of screens) addresses.set(screen.name, await addressOf(world, screen));
});
after(() => desk?.close());

/** Knows when a page has read all that it reads. What follows the business goes on for ever. */
class Reading {
  readonly #page: Page;
  readonly #open = new Set<Request>();
  /** what was refused for want of a permission */
  readonly refused: string[] = [];

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      if (!new URL(request.url()).pathname.endsWith('/feed_items/stream')) this.#open.add(request);
    });
    page.on('requestfinished', (request) => this.#open.delete(request));
    page.on('requestfailed', (request) => this.#open.delete(request));
    page.on('response', (response) => {
      if (response.status() === 403) this.refused.push(`${response.request().method()} ${response.url()}`);
    });
  }

  /** Goes on to another screen, as a link does it: the program is there already. */
  async follow(path: string): Promise<void> {
    await this.#page.evaluate((to) => {
      const { document, history } = globalThis as any;
      (globalThis as any).left = { title: document.title, heading: document.querySelector('main h1') };
      history.pushState({}, '', to);
    }, path);
    await this.over();
  }

  /** Resolves when a screen is there, and nothing more is on its way. */
  async over(): Promise<void> {
    do {
      await this.#page.evaluate(calm);
      await until('all is answered', async () => this.#open.size === 0);
      // What was just drawn may have asked for more.
    } while (!(await this.#page.evaluate(calm)) || this.#open.size > 0);
  }
}

/** Runs in the browser: resolves once a screen is there and stays, to whether it was there from the beginning. */
async function calm(): Promise<boolean> {
  const { document, left, requestAnimationFrame } = globalThis as any;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const isThere = (): boolean => {
    const heading = document.querySelector('.shell main h1');
    // Two refusals share their heading, and two screens may share their title.
    const isNew = !left || document.title !== left.title || heading !== left.heading;
    return heading !== null && isNew && document.querySelector('main .loading') === null;
  };
  const MOST_FRAMES = 1500;
  for (let turn = 0; turn < MOST_FRAMES; turn++) {
    while (!isThere() && turn < MOST_FRAMES) {
      turn++;
      await frame();
    }
    await frame();
    await frame();
    if (isThere()) return turn === 0;
  }
  throw new Error(`no screen at ${(globalThis as any).location.pathname}: ${document.body.innerText}`);
}

const ROLES: readonly { readonly role: string; readonly permissions: readonly StaffPermission[] }[] = [
  { role: 'an owner', permissions: ['super_admin'] },
  { role: 'the front desk', permissions: ['customers', 'attendances', 'pos'] },
  { role: 'an instructor', permissions: ['instructor_attendances', 'instructor_manage_events'] },
  { role: 'somebody without a permission', permissions: [] },
  ...PERMISSIONS.filter((one) => one !== 'super_admin').map((one) => ({ role: `${one} alone`, permissions: [one] })),
];

const mayOpen = ({ needs }: Screen, permissions: readonly StaffPermission[]): boolean =>
  needs.length === 0 || permissions.includes('super_admin') || needs.some((one) => permissions.some((p) => p === one));

describe('every screen is in the navigation of those who may use it, asks for nothing that they may not, and sends others on', () => {
  let visitor: Visitor;
  let reading: Reading;
  before(async () => {
    visitor = await desk.visitor();
    reading = new Reading(visitor.page);
  });
  after(() => visitor?.close());

  for (const { role, permissions } of ROLES)
    test(role, async () => {
      const { page, context } = visitor;
      const who = await desk.colleague({ permissions });
      // The same browser, because it knows the program already.
      await context.addCookies([{ name: 'rollcall_session', value: who.cookie, url: world.url }]);
      // Instructors see what they teach.
      const instructor = await row(world, 'instructor', { staff_id: who.staffId, name: 'Kim Reyes' });
      const { id: taught } = await newEvent(world, place, { in: 2, instructors: [instructor] });
      await desk.open(visitor, 'today');
      await reading.over();
      assert.deepEqual(
        await page.locator('.nav a').evaluateAll((links) => links.map((link: any) => link.pathname)),
        inOrder(screens.filter((screen) => screen.icon && mayOpen(screen, permissions))).map(
          ({ path }) => `/dashboard/${world.harbour}/${path}`,
        ),
      );
      const wrong = reading.refused.splice(0);
      for (const screen of screens) {
        const address = screen.path === 'door/$event' ? `door/${taught}` : addresses.get(screen.name)!;
        if (screen.name !== 'today') await reading.follow(`/dashboard/${world.harbour}/${address}`);
        const isRefused = (await page.getByRole('heading', { name: 'You don’t have access to this page' }).count()) > 0;
        if (isRefused === mayOpen(screen, permissions)) wrong.push(`${address} is ${isRefused ? 'refused' : 'shown'}`);
        if (isRefused) await page.getByText(/^Ask a super admin of/).waitFor();
        wrong.push(...reading.refused.splice(0).map((one) => `${address} asks ${one}`));
      }
      assert.deepEqual(wrong, []);
      visitor.check();
    });
});

/** What a day needs comes first, then what stands under headings. */
const inOrder = (all: readonly Screen[]): readonly Screen[] => {
  const groups = [undefined, ...new Set(screens.map(({ group }) => group).filter(Boolean))];
  return all.toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
};

describe('everybody can use every screen: on phones and desks, in light and dark, from right to left, and on the largest screens', () => {
  let owner: Visitor;
  let reading: Reading;
  before(async () => {
    owner = await desk.visitor();
    reading = new Reading(owner.page);
  });
  after(() => owner?.close());

  for (const screen of screens)
    test(screen.name, async () => {
      await desk.open(owner, addresses.get(screen.name)!);
      await reading.over();
      await owner.checkLive(`screen-${screen.name}`);
      const wrong: string[] = [];
      for (const width of [390, 1280, 3840]) {
        await owner.page.setViewportSize({ width, height: width < 500 ? 844 : width * 0.6 });
        await reading.over();
        wrong.push(...(await owner.page.evaluate(unreadable, APART)).map((one) => `${width} px: ${one}`));
        wrong.push(...(await mirrored(owner.page)).map((one) => `${width} px, mirrored: ${one}`));
        await keep(owner.page, `${screen.name}-${width}-rtl`);
        await owner.page.evaluate("document.documentElement.dir = 'ltr'");
      }
      assert.deepEqual(wrong, []);
    });
});

/** Bars, below which the rest is scrolled, and the board of the calendar, which is as long as a day. */
const APART = '.top, .nav, .nav-bar, .board';

/** Turns the page round and says what is not where it would be in a mirror, or cannot be read there. */
async function mirrored(page: Page): Promise<string[]> {
  const there = await page.evaluate(boxes);
  await page.evaluate("document.documentElement.dir = 'rtl'");
  const turned = await page.evaluate(boxes);
  if (turned.length !== there.length) return [`${there.length} boxes became ${turned.length}`];
  const moved = there.flatMap(({ name, ...box }, i) =>
    (['start', 'top', 'width', 'height'] as const)
      .filter((key) => Math.abs(box[key] - turned[i][key]) > 2)
      .map((key) => `${key} ${box[key]} became ${turned[i][key]}: ${name}`),
  );
  return [...moved, ...(await page.evaluate(unreadable, APART))];
}

async function keep(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

test('on phones, the button that shows the rest of the navigation stands in line with the links beside it', async () => {
  const visitor = await desk.visitor();
  await visitor.page.setViewportSize({ width: 390, height: 844 });
  await desk.open(visitor, 'today');
  const entries = visitor.page.locator('.nav-bar > ul > li > *');
  const tops = await entries.evaluateAll((all) =>
    all.map((one: any) => [...one.children].map((child: any) => child.getBoundingClientRect().top)),
  );
  assert.equal(tops.length, 5);
  for (const top of tops) assert.deepEqual(top, tops[0]);
  await visitor.close();
});
