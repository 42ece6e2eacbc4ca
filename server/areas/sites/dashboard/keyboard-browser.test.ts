/** The order of the Tab key on the screens that are open all day: everything is reached, seen, and left again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardBrowser } from './test/dashboard-browser.ts';
import { newEvent, newPlace } from '../../../test/schedule-world.ts';
import type { Page } from 'playwright-core';
import type { World } from '../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
before(async () => {
  desk = await DashboardBrowser.start();
  ({ world } = desk);
});
after(() => desk?.close());

/** More than any of these screens has. */
const MAX_STOPS = 250;

/** Looks at the control with the focus, and returns what is wrong with it; null: the focus has left the page. */
function look(): readonly string[] | null {
  const { document, innerHeight, getComputedStyle } = globalThis as any;
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  one.dataset.reached = '';
  const name = `${one.tagName} ${one.getAttribute('aria-label') ?? one.innerText ?? one.name}`;
  const { outlineStyle, boxShadow } = getComputedStyle(one);
  const { left, top, bottom, width, height } = one.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 10));
  return [
    ...(outlineStyle === 'none' && boxShadow === 'none' ? [`${name} shows no focus`] : []),
    ...(bottom <= 0 || top >= innerHeight ? [`${name} is outside of the window`] : []),
    ...(above && !one.contains(above) && !above.contains(one) ? [`${name} is covered`] : []),
  ];
}

/** Returns the visible controls that had no focus; of radio buttons, one is enough. */
function missed(): readonly string[] {
  const { document } = globalThis as any;
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
  const all = [...dialog.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')];
  const reached = new Set(all.filter(({ dataset }) => 'reached' in dataset));
  return all
    .filter(
      (one) =>
        !reached.has(one) &&
        !one.disabled &&
        !one.closest('[inert]') &&
        one.checkVisibility({ visibilityProperty: true }) &&
        one.getBoundingClientRect().width > 0 &&
        !(one.type === 'radio' && all.some((other) => other.name === one.name && reached.has(other))),
    )
    .map((one) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.innerText ?? one.name}`);
}

/** Presses Tab until the focus has left the page or begins again. */
async function walk(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => (globalThis as any).document.activeElement?.blur());
  const wrong: string[] = [];
  let left = 0;
  for (let stop = 0; stop < MAX_STOPS && left < 2; stop++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(look);
    if (found === null) left++;
    else if (left < 1) wrong.push(...found);
  }
  if (left === 0) wrong.push('the focus never leaves');
  return [...wrong, ...(await page.evaluate(missed)).map((one) => `${one} is never reached`)];
}

test('Tab reaches everything on Today, at the counter, in the calendar, on a card and in settings', async () => {
  const customer = await world.newCustomer({ first_name: 'Ines', last_name: 'Quandt' });
  await newEvent(world, await newPlace(world), { in: 1 });
  const owner = await desk.visitor();
  for (const path of ['today', 'counter', 'calendar', `people?person=${customer}`, 'settings', 'settings/business']) {
    await desk.open(owner, path);
    if (path.includes('person=')) await owner.page.getByRole('dialog').getByRole('button').first().waitFor();
    await owner.page.waitForFunction(() => !(globalThis as any).document.querySelector('main .loading'));
    assert.deepEqual(await walk(owner.page), [], path);
  }
  await owner.close();
});

test('Escape closes only what is on top', async () => {
  const customer = await world.newCustomer({ first_name: 'Otto', last_name: 'Marsh' });
  const owner = await desk.visitor();
  const { page } = owner;
  await desk.open(owner, `people?person=${customer}`);
  const card = page.getByRole('dialog', { name: 'Otto Marsh' });
  await card.waitFor();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: 'Search and commands' });
  await search.waitFor();
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  assert.equal(await card.isVisible(), true, 'the card stays');
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('heading', { level: 1, name: 'Customers' }).isVisible(), true);
  await owner.close();
});
