import { until } from '../../../../test/storm.ts';
import type { Page, Request } from 'playwright-core';

/** Tracks when a page has finished reading. Requests that follow the feed never end. */
export class Reading {
  readonly #page: Page;
  readonly #open = new Set<Request>();
  /** requests that were refused for lack of a permission */
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

  /** Navigates to another screen like a link, within the loaded program. */
  async follow(path: string): Promise<void> {
    await this.#page.evaluate((to) => {
      const { document, history } = globalThis as any;
      (globalThis as any).left = { title: document.title, heading: document.querySelector('main h1') };
      history.pushState({}, '', to);
    }, path);
    await this.over();
  }

  /** Resizes the window, and resolves when the page has the new width and all that it then reads. In pixels. */
  async resized(width: number, height: number): Promise<void> {
    await this.#page.setViewportSize({ width, height });
    await this.#page.waitForFunction((wanted) => (globalThis as any).innerWidth === wanted, width);
    await this.over();
  }

  /** Resolves when a screen is there and no request is pending. */
  async over(): Promise<void> {
    do {
      await this.#page.evaluate(calm);
      await until('all is answered', async () => this.#open.size === 0);
      // The new screen may have sent further requests.
    } while (!(await this.#page.evaluate(calm)) || this.#open.size > 0);
  }
}

/** Runs in the browser: resolves once a screen is there and stays. Returns true if it was there from the beginning. */
async function calm(): Promise<boolean> {
  const { document, left, requestAnimationFrame } = globalThis as any;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const isThere = (): boolean => {
    const heading = document.querySelector('.shell main h1');
    // Two refusals share their heading, and two screens may share their title.
    const isNew = !left || document.title !== left.title || heading !== left.heading;
    return heading !== null && isNew && document.querySelector('main :is(.loading, [aria-busy="true"])') === null;
  };
  const MAX_FRAMES = 1500;
  for (let turn = 0; turn < MAX_FRAMES; turn++) {
    while (!isThere() && turn < MAX_FRAMES) {
      turn++;
      await frame();
    }
    await frame();
    await frame();
    if (isThere()) return turn === 0;
  }
  throw new Error(`no screen at ${(globalThis as any).location.pathname}: ${document.body.innerText}`);
}
