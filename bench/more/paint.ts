/** How fast a slow phone shows the public pages, and whether the layout shifts: in a browser with an empty cache. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { chromium, type Browser, type Page } from 'playwright-core';
import { browserProgram } from '../../server/test/pages/browser-program.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import type { Installation, Server } from '../kit/installation.ts';
import type { Length } from '../kit/contest.ts';
import type { Report } from '../kit/report.ts';

/** Lighthouse's slow 4G phone: 1.6 Mbit/s down, 150 ms round trip, and a quarter of the processor speed. */
const PHONE = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, slower: 4 } as const;
const SCREEN = { width: 412, height: 823 };
const MAX_MS = 1000;

interface Seen {
  /** largest contentful paint in milliseconds, from the beginning of the request */
  readonly largest: number;
  /** cumulative layout shift; 0 if nothing shifted */
  readonly shifts: number;
}

/** Runs in the browser before the page does. */
function watch(): void {
  const { PerformanceObserver } = globalThis as any;
  const seen = ((globalThis as any).seen = { largest: 0, shifts: 0 });
  new PerformanceObserver((list: any) => {
    for (const { startTime } of list.getEntries()) seen.largest = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list: any) => {
    for (const { value } of list.getEntries()) seen.shifts += value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Throttles the network and the processor of a page to those of the phone. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { slower, ...network } = PHONE;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...network });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
}

/** Runs `act` with the browser of the tests. */
export async function inBrowser(act: (browser: Browser) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-paint-'));
  process.env.TEST_FOLDER ??= folder;
  const browser = await chromium.launch({ ...(await browserProgram()), headless: true, args: ['--no-sandbox'] });
  try {
    await act(browser);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
    if (process.env.TEST_FOLDER === folder) delete process.env.TEST_FOLDER;
  }
}

/** Measures one visit of a first-time visitor. */
async function visit(browser: Browser, url: string): Promise<Seen> {
  const context = await browser.newContext({ viewport: SCREEN, deviceScaleFactor: 1.75, isMobile: true, locale: 'en' });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await slowDown(page);
    const answer = await page.goto(url, { waitUntil: 'networkidle' });
    if (!answer?.ok()) throw new Error(`${url} answers ${answer?.status()}`);
    return await page.evaluate<Seen>('globalThis.seen');
  } finally {
    await context.close();
  }
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

export async function paintRows(
  report: Report,
  { db, provider }: Installation,
  server: Server,
  { turns }: Length,
): Promise<void> {
  const slug = await db.transaction(
    provider,
    async (tx) =>
      (await tx.one<{ slug: string }>(sql`SELECT slug FROM provider WHERE provider_id = ${provider}`))!.slug,
  );
  await inBrowser(async (browser) => {
    for (const [name, path] of [
      ['home', `/${slug}`],
      ['timetable', `/${slug}/timetable`],
      ['memberships', `/${slug}/memberships`],
      ['log-in', `/account/${provider}/log-in`],
    ]) {
      const seen: Seen[] = [];
      for (let turn = 0; turn < turns; turn++) seen.push(await visit(browser, server.url + path));
      const largest = median(seen.map((one) => one.largest));
      // A page without a paint must not count as fast.
      report.add({
        name: `${name} on a slow phone, largest text or picture`,
        figure: largest || NaN,
        unit: 'ms',
        reach: MAX_MS,
        better: 'lower',
      });
      report.add({
        name: '  how far things jump',
        figure: Math.max(...seen.map((one) => one.shifts)),
        reach: 0,
        better: 'lower',
      });
    }
  });
}
