/** Guarantees for every screen of the dashboard, whoever adds one: everybody can use it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { addressOf, screens } from './test/screens.ts';
import { boxes, unreadable } from '../../../test/pages/page-layout.ts';
import { DashboardBrowser } from './test/dashboard-browser.ts';
import { newEvent, newPlace } from '../../../test/schedule-world.ts';
import { Reading } from './test/reading.ts';
import { inTurns } from '../../../test/rare.ts';
import type { Page } from 'playwright-core';
import type { Visitor } from '../../../test/pages/browser.ts';

/**
 * A quarter of the screens in turns from change to change, all of them in `npm run test:all`. screens-browser.test.ts
 * records every screen, and the check at the end of the run finds those that don't fit a phone.
 */
const due = inTurns(screens, 4);
/** The smallest phone, or a page at 400 %; a desktop, and the largest screen. */
const WIDTHS = [320, 1280, 3840];

let desk: DashboardBrowser;
/** path of each screen, below the business */
const addresses = new Map<string, string>();
before(async () => {
  desk = await DashboardBrowser.start();
  const { world } = desk;
  await newEvent(world, await newPlace(world), { in: 1 });
  for (const screen of due) addresses.set(screen.name, await addressOf(world, screen));
});
after(() => desk?.close());

describe('everybody can use every screen: on phones and desks, in light and dark, from right to left, and on the largest screens', () => {
  let owner: Visitor;
  let reading: Reading;
  before(async () => {
    owner = await desk.visitor();
    reading = new Reading(owner.page);
  });
  after(() => owner?.close());

  for (const screen of due)
    test(screen.name, async () => {
      await desk.open(owner, addresses.get(screen.name)!);
      await reading.over();
      const wrong: string[] = [];
      for (const width of WIDTHS) {
        await reading.resized(width, width < 500 ? 844 : width * 0.6);
        wrong.push(...(await owner.page.evaluate(unreadable, APART)).map((one) => `${width} px: ${one}`));
        wrong.push(...(await mirrored(owner.page)).map((one) => `${width} px, mirrored: ${one}`));
        await keep(owner.page, `${screen.name}-${width}-rtl`);
        await owner.page.evaluate("document.documentElement.dir = 'ltr'");
      }
      assert.deepEqual(wrong, []);
    });
});

/** Bars under which the rest scrolls, the board of the calendar, which is as long as a day, and wide tables. */
const APART = '.top, .nav, .nav-bar, .board, .wide-table';

/** Mirrors the page, and returns everything that is not mirrored or is unreadable. */
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

test('on phones, the button for the rest of the navigation is in line with the links next to it', async () => {
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
