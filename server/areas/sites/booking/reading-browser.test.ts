/**
 * The pages of a site for people who need larger letters, read from right to left, choose their own colors, or reduce
 * motion. Half of the pages in turns from change to change, all of them in `npm run test:all`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { boxes, lostColors, moving, unreadable } from '../../../test/pages/page-layout.ts';
import { inTurns } from '../../../test/rare.ts';
import { newMember, prepareTour, type Tour } from './test/tour.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { TestBrowser, type Visitor } from '../../../test/pages/browser.ts';

/** The browser sets the size of letters: all of our sizes are multiples of it. */
const ZOOMS = [
  { name: 'zoomed to 200 % on a desk', width: 640, letters: 16 },
  { name: 'zoomed to 400 % on a desk', width: 320, letters: 16 },
  { name: 'with letters twice as large on a phone', width: 390, letters: 32 },
] as const;
const WIDTHS = [390, 1280] as const;

let world: World;
let browser: TestBrowser;
let tour: Tour;
/** Faults, by the mode in which pages were checked. */
const found = new Map<string, string[]>();

before(async () => {
  world = await startWorld({ worker: true });
  tour = await prepareTour(world);
  browser = await TestBrowser.start(world.url);
  const stranger = await browser.visitor();
  const { visitor: member } = await newMember(world, browser);
  await member.open(tour.open.event);
  await member.submit('Book: $15.00');
  const { pathname, search } = new URL(member.page.url());
  await lookAt(stranger, Object.entries(tour.open));
  await lookAt(
    member,
    Object.entries({ ...tour.own, checkout: pathname + search }).map(([name, path]) => [`own-${name}`, path]),
  );
  await stranger.close();
  await member.close();
});
after(async () => {
  await browser?.close();
  await tour?.c.close();
});

/** Requests each page once and checks it in every mode: that is much faster than a test for each mode. */
async function lookAt(visitor: Visitor, pages: readonly (readonly [string, string])[]): Promise<void> {
  const session = await visitor.context.newCDPSession(visitor.page);
  for (const [name, path] of inTurns(pages, 2)) {
    await visitor.open(path);
    const tell = (way: string, wrong: readonly string[]): void => {
      const all = found.get(way) ?? [];
      found.set(way, all);
      all.push(...wrong.map((one) => `${name}: ${one}`));
    };
    await zoom(visitor, session, name, tell);
    await mirror(visitor, name, tell);
    await insist(visitor, name, tell);
  }
}

type Tell = (way: string, wrong: readonly string[]) => void;

/** Saves every checked page to the folder that TEST_SCREENSHOTS names, if any. */
async function keep({ page }: Visitor, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

async function zoom(visitor: Visitor, session: CDPSession, of: string, tell: Tell): Promise<void> {
  const { page } = visitor;
  const write = (letters: number) => session.send('Page.setFontSizes', { fontSizes: { standard: letters } });
  for (const { name, width, letters } of ZOOMS) {
    await page.setViewportSize({ width, height: 800 });
    await write(letters);
    const size = await page.evaluate<string>('getComputedStyle(document.documentElement).fontSize');
    assert.equal(size, `${letters}px`);
    tell(name, await page.evaluate(unreadable, APART));
    await keep(visitor, `zoom-${width}-${letters}-${of}`);
  }
  await write(16);
}

async function mirror(visitor: Visitor, of: string, tell: Tell): Promise<void> {
  const { page } = visitor;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const there = await page.evaluate(boxes);
    await page.evaluate("document.documentElement.dir = 'rtl'");
    const mirrored = await page.evaluate(boxes);
    assert.equal(mirrored.length, there.length);
    const moved = there.flatMap(({ name, ...box }, i) =>
      (['start', 'top', 'width', 'height'] as const)
        .filter((key) => Math.abs(box[key] - mirrored[i][key]) > 2)
        .map((key) => `${key} ${box[key]} became ${mirrored[i][key]}: ${name}`),
    );
    tell(`mirrored, ${width} px`, [...moved, ...(await page.evaluate(unreadable, APART))]);
    await keep(visitor, `rtl-${width}-${of}`);
    await page.evaluate("document.documentElement.dir = ''");
  }
}

/** The bar with the main button of an event lies above the page on a phone, and elsewhere only the button is seen. */
const APART = '.actions:has(> .deal)';

async function insist(visitor: Visitor, of: string, tell: Tell): Promise<void> {
  const { page } = visitor;
  // The spinner of a running payment is on no page that can be requested.
  await page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<div class=\"spin\"></div>')");
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  tell('in motion', await page.evaluate(moving));
  await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' });
  tell('at rest', await page.evaluate(moving));
  tell('in colours of the reader', await page.evaluate(lostColors));
  await keep(visitor, `forced-${of}`);
  await page.emulateMedia({ reducedMotion: null, forcedColors: null });
}

for (const { name } of ZOOMS)
  test(`${name}, nothing is cut, overlaps, or makes people scroll sideways`, () =>
    assert.deepEqual(found.get(name), []));

for (const width of WIDTHS)
  test(`from right to left, every page is the mirror of itself, ${width} px wide`, () =>
    assert.deepEqual(found.get(`mirrored, ${width} px`), []));

test('for people who prefer reduced motion, nothing moves', () => {
  assert.deepEqual(found.get('at rest'), []);
  assert.deepEqual(
    [...new Set(found.get('in motion')!.map((one) => one.replace(/^[^:]*: /, '')))],
    ['<div class="spin">'],
    'nothing else moves for anybody',
  );
});

test("in the reader's own colors, buttons, fields, cards and the selected day are distinguishable", () =>
  assert.deepEqual(found.get('in colours of the reader'), []));
