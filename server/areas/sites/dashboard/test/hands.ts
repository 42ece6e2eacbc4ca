/** Ways to operate a page: with a pointer or a finger, or by keyboard only. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Part, ScreenPage } from './window/visit.ts';

export interface Hands {
  press(what: Part): Promise<void>;
  type(into: Part, text: string): Promise<void>;
  /** `date`: `2026-11-27` */
  date(into: Part, date: string): Promise<void>;
  choose(from: Part, label: string): Promise<void>;
  /** Types into a search field, and picks the result with this name. */
  find(by: Part, text: string): Promise<void>;
}

export class Pointer implements Hands {
  press(what: Part): Promise<void> {
    return what.click();
  }

  type(into: Part, text: string): Promise<void> {
    return into.fill(text);
  }

  date(into: Part, date: string): Promise<void> {
    return into.fill(date);
  }

  async choose(from: Part, label: string): Promise<void> {
    await from.selectOption({ label });
  }

  async find(by: Part, text: string): Promise<void> {
    await by.fill(text);
    await by.page().getByRole('option', { name: text }).click();
  }
}

/**
 * Presses two keys that have a meaning together. The second doesn't wait for the page, because it counts only if it
 * follows soon.
 */
export async function pressBoth(page: ScreenPage, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

/** More stops than any page has. */
const MAX_STOPS = 400;

/** Presses Tab until the focus is on the part; throws if that never happens. */
export async function reach(target: Part): Promise<void> {
  // Only a real browser knows where the focus goes.
  const one = target.first() as Locator;
  await one.waitFor();
  const page = one.page();
  const isThere = () => one.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} can't be reached by keyboard`);
}

export class Keyboard implements Hands {
  readonly #page: ScreenPage;

  constructor(page: ScreenPage) {
    this.#page = page;
  }

  async press(what: Part): Promise<void> {
    await reach(what);
    await this.#page.keyboard.press('Enter');
  }

  async type(into: Part, text: string): Promise<void> {
    await reach(into);
    await this.#page.keyboard.press('Control+A');
    await this.#page.keyboard.type(text);
  }

  /** Types a date in the format of English browsers: month, day, year. */
  async date(into: Part, date: string): Promise<void> {
    const [year, month, day] = date.split('-');
    await reach(into);
    await this.#page.keyboard.type(`${month}${day}${year}`);
    assert.equal(await into.inputValue(), date);
  }

  /**
   * Its first letter moves to the next option that begins with it; further letters form one word only if they follow
   * soon.
   */
  async choose(from: Part, label: string): Promise<void> {
    await reach(from);
    const chosen = () => from.locator('option:checked').innerText();
    for (let n = await from.locator('option').count(); n > 0 && (await chosen()) !== label; n--)
      await this.#page.keyboard.type(label[0]);
    assert.equal(await chosen(), label);
  }

  async find(by: Part, text: string): Promise<void> {
    await this.type(by, text);
    await this.#page.locator('[role=option][aria-selected=true]', { hasText: text }).waitFor();
    await this.#page.keyboard.press('Enter');
  }
}
