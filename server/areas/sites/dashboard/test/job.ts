/**
 * A job that somebody does in the dashboard, tap by tap: it fails over its budget of `docs/jobs.md`, if a screen on its
 * way shows a word of the interface, if a window covers another one, and if a screen scrolls sideways.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Colleague } from './dashboard-world.ts';
import type { DashboardBrowser } from './dashboard-browser.ts';
import type { Locator } from 'playwright-core';
import type { Visitor } from '../../../../test/pages/browser.ts';

/** Words that only the interface has: `like_this`, or marked like code. */
const INTERFACE_WORD = /`|\b[a-z]+_[a-z_]+\b/;

export interface JobStart {
  readonly desk: DashboardBrowser;
  readonly who: Colleague;
  readonly now: number;
  readonly size: { readonly width: number; readonly height: number };
  /** id of the business; absent: that of the tests */
  readonly at?: number;
}

/** One job. Taps count from the screen on which it starts; typing doesn't. */
export class Job {
  readonly visitor: Visitor;
  readonly width: number;
  taps = 0;

  private constructor(visitor: Visitor, width: number) {
    this.visitor = visitor;
    this.width = width;
  }

  static async begin({ desk, who, now, size, at }: JobStart, screen: string): Promise<Job> {
    const visitor = await desk.visitor(who);
    await visitor.page.clock.setFixedTime(now);
    await visitor.page.setViewportSize(size);
    await desk.open(visitor, screen, at);
    const job = new Job(visitor, size.width);
    await job.#look();
    return job;
  }

  get page() {
    return this.visitor.page;
  }

  async tap(what: Locator): Promise<void> {
    await what.waitFor();
    await this.#look();
    this.taps++;
    await what.click();
  }

  /** Drops files, or chooses them: one tap, however many they are. */
  async drop(what: Locator, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
    await what.waitFor();
    this.taps++;
    await what.setInputFiles(files);
  }

  /** Chooses an option by its label, or by its position. */
  async choose(what: Locator, option: string | number): Promise<void> {
    await what.waitFor();
    await this.#look();
    this.taps++;
    await what.selectOption(typeof option === 'string' ? { label: option } : { index: option });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true }).last();
  }

  /** Reads the effects, and confirms them. */
  async confirm(name: string, effect: string): Promise<void> {
    const shown = this.page.getByRole('dialog').filter({ hasText: 'If you continue:' });
    await shown.getByText(effect).waitFor();
    await this.picture('effects');
    await this.tap(shown.getByRole('button', { name, exact: true }));
    await shown.waitFor({ state: 'detached' });
  }

  /** Ends a job on the way to a longer one. */
  async reach(job: string): Promise<void> {
    await this.#look();
    const { budget, today } = figuresOf(job);
    assert.ok(this.taps <= budget, `${job}: ${this.taps} taps, the budget is ${budget}`);
    assert.equal(this.taps, today, `${job}: docs/jobs.md lists another figure of today`);
    this.visitor.check();
  }

  async end(job: string): Promise<void> {
    await this.reach(job);
    await this.visitor.close();
  }

  async picture(name: string): Promise<void> {
    const folder = process.env.TEST_SCREENSHOTS;
    if (folder) await this.page.screenshot({ path: `${folder}/desk-${name}-${this.taps}.png` });
  }

  async #look(): Promise<void> {
    assert.doesNotMatch(await this.page.locator('body').innerText(), INTERFACE_WORD, this.visitor.path);
    for (const effect of await this.page.locator('.effects li').allInnerTexts())
      assert.match(effect, /^[\p{Lu}\d]/u, 'an effect has no text and shows its name in the interface');
    assert.ok((await this.page.locator('dialog:modal').count()) <= 1, 'a window covers another one');
    const width = await this.page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= this.width, `${this.visitor.path} is ${width} px wide`);
  }
}

const ROWS = readFileSync(new URL('../../../../../docs/jobs.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Returns the taps of a job in docs/jobs.md: at most, and today. */
function figuresOf(job: string): { budget: number; today: number } {
  const row = ROWS.find(([, name]) => name === job);
  assert.ok(row, `docs/jobs.md has no job "${job}"`);
  return { budget: Number(row[2]), today: Number(row[3]) };
}
