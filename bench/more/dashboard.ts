/** The dashboard in a browser: time until a screen is shown, time of an interaction, and the cost of the build. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build, SHIPPED } from '../../server/areas/sites/dashboard/built.ts';
import { createOwner } from '../../server/areas/people/staff/index.ts';
import { createUser, startSession } from '../../server/areas/people/identity/index.ts';
import { inBrowser, slowDown } from './paint.ts';
import { install, serve, vacuum, type Cluster, type Installation } from '../kit/installation.ts';
import { median, type Report } from '../kit/report.ts';
import { ownViewer } from '../../server/kernel/work/access/viewer.ts';
import { registry } from '../../server/app.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import { Work } from '../../server/kernel/work/unit/work.ts';

export interface DashboardPlan {
  readonly customers: number;
  /** in the week that the calendar shows */
  readonly events: number;
  /** how often each screen is opened and each action performed */
  readonly turns: number;
}

const ROUTE_MS = 100;
const INTERACTION_MS = 200;
const BUILD_MS = 2000;
const BUILD_MB = 512;
/** The screen of a tablet at a desk. */
export const SCREEN = { width: 1280, height: 800 };
/** If weeks begin on Sunday, as in the browser's language here, all events are in one week. */
const SUNDAY = '2027-02-28';
const BUILDER = fileURLToPath(new URL('../../web/build.ts', import.meta.url));

export async function dashboardRows(report: Report, cluster: Cluster, plan: DashboardPlan): Promise<void> {
  await buildRows(report, plan);
  await build(SHIPPED);
  const installation = await install(cluster, 'dashboard', {
    customers: plan.customers,
    events: 1000,
    attendances: plan.customers,
  });
  try {
    await fillWeek(installation, plan.events);
    await vacuum(installation.url);
    const cookie = await logIn(installation);
    const server = await serve(installation.url);
    try {
      await inBrowser(async (browser) => {
        const context = await browser.newContext({ viewport: SCREEN, locale: 'en-US', baseURL: server.url });
        await context.addCookies([{ name: 'rollcall_session', value: cookie, url: server.url }]);
        const page = await context.newPage();
        await page.addInitScript(watch);
        const at = `/dashboard/${installation.provider}`;
        await routeRows(report, page, at, plan);
        await interactionRows(report, page, at, plan);
      });
    } finally {
      await server.stop();
    }
  } finally {
    await installation.remove();
  }
}

interface Told {
  readonly done: 'built' | 'packed';
  readonly ms: number;
  readonly megabytes: number;
}

/** Runs one build in a separate process, as the service does. */
async function buildOnce(): Promise<Record<Told['done'], Told>> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-build-'));
  try {
    const child = fork(BUILDER, [join(folder, 'web')], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const told: Partial<Record<Told['done'], Told>> = {};
    child.on('message', (one: Told) => (told[one.done] = one));
    const code = await new Promise((done, failed) => child.once('exit', done).once('error', failed));
    if (code !== 0 || !told.built || !told.packed) throw new Error(`the build of the dashboard ended with ${code}`);
    return { built: told.built, packed: told.packed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function buildRows(report: Report, { turns }: DashboardPlan): Promise<void> {
  const all: Record<Told['done'], Told>[] = [];
  for (let turn = 0; turn < turns; turn++) all.push(await buildOnce());
  const built = median(all.map((one) => one.built.ms));
  report.add({ name: 'build of the dashboard', figure: built, unit: 'ms', reach: BUILD_MS, better: 'lower' });
  report.add({
    name: '  compressing what is sent, afterwards',
    figure: median(all.map(({ packed, built: { ms } }) => packed.ms - ms)),
    unit: 'ms',
  });
  report.add({
    name: '  memory of its process, at the most',
    figure: Math.max(...all.map(({ packed }) => packed.megabytes)),
    unit: 'MB',
    reach: BUILD_MB,
    better: 'lower',
  });
}

/** Creates as many events as a large studio has in a week, in ten rooms. */
async function fillWeek({ db, provider }: Installation, events: number): Promise<void> {
  await db.transaction(provider, (tx) =>
    tx.run(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, max_occupancy, local_starts_at,
        local_ends_at, starts_at, ends_at)
      SELECT ${provider}::bigint, o.id, v.id, 'Session ' || n, v.timezone, 20, at, at + interval '1 hour',
        at AT TIME ZONE v.timezone, (at + interval '1 hour') AT TIME ZONE v.timezone
      FROM (SELECT id FROM offering_type WHERE provider_id = ${provider}::bigint ORDER BY id LIMIT 1) o,
        (SELECT id, timezone FROM venue WHERE provider_id = ${provider}::bigint ORDER BY id LIMIT 1) v,
        generate_series(0, ${events - 1}::int) n,
        LATERAL (SELECT ${SUNDAY}::timestamp + (n % 7) * interval '1 day' + interval '6 hours' + (n / 7 % 15) *
          interval '1 hour' AS at) s`),
  );
}

/** Returns the cookie of a logged-in owner. */
export async function logIn({ db, provider }: Installation): Promise<string> {
  const email = 'owner@example.com';
  const now = Date.now();
  return db.acrossTenants('the benchmark logs an owner in', async (tx) => {
    const userId = await createUser(tx, { email, password: email });
    await tx.run(sql`SELECT set_config('rollcall.provider_id', ${String(provider)}, true)`);
    const tenant = { providerId: provider, timezone: 'America/Toronto', currency: 'CAD', testClock: null } as never;
    const viewer = ownViewer(provider, 'operator');
    const work = new Work({ tx, registry: registry(), tenant, viewer, now, requestId: 'bench' });
    await createOwner(work, { email, firstName: 'Olive', lastName: 'Owner', userId });
    for (const record of work.takeRecords()) await tx.run(record);
    return (await startSession(tx, { userId, secondFactor: false, agent: 'bench', now })).token;
  });
}

/** Runs in the browser before the page does: records the time from each interaction to the next paint. */
function watch(): void {
  const { PerformanceObserver } = globalThis as any;
  const seen: number[] = ((globalThis as any).interactions = []);
  new PerformanceObserver((list: any) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) seen.push(duration);
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 });
}

/**
 * Runs in the browser: follows the link, and resolves to the milliseconds until the screen and its content are painted.
 */
async function follow(path: string): Promise<number> {
  const { document, performance, requestAnimationFrame, location } = globalThis as any;
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const link = document.querySelector(`.nav a[href="${path}"]`);
  const heading = document.querySelector('main h1');
  const begin = performance.now();
  link.click();
  const isThere = (): boolean =>
    location.pathname === path &&
    document.querySelector('main h1') !== null &&
    document.querySelector('main h1') !== heading &&
    document.querySelector('main .loading') === null;
  while (!isThere() && performance.now() - begin < 10_000) await painted();
  await painted();
  return isThere() ? performance.now() - begin : Number.NaN;
}

async function routeRows(report: Report, page: Page, at: string, { turns }: DashboardPlan): Promise<void> {
  await page.goto(`${at}/today`);
  await page.locator('.shell main h1').waitFor();
  const paths = await page
    .locator('.nav a')
    .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname));
  // The first round loads the program and the data.
  const round = async (): Promise<number[]> => {
    const figures: number[] = [];
    for (const path of [...paths.slice(1), paths[0]]) figures.push(await page.evaluate(follow, path));
    return figures;
  };
  await round();
  const rounds: number[][] = [];
  for (let turn = 0; turn < turns; turn++) rounds.push(await round());
  const each = [...paths.slice(1), paths[0]].map((path, i) => ({
    screen: path.split('/').at(-1)!,
    ms: median(rounds.map((figures) => figures[i])),
  }));
  const slowest = each.toSorted((a, b) => b.ms - a.ms)[0];
  report.add({
    name: `from one screen of the dashboard to the next, the slowest of ${each.length}`,
    figure: slowest.ms,
    unit: 'ms',
    reach: ROUTE_MS,
    better: 'lower',
    note: each.map(({ screen, ms }) => `${screen} ${Math.round(ms)}`).join(', '),
  });
}

/** Returns the longest interaction so far and resets it; entries arrive shortly after their paint. */
async function worst(page: Page): Promise<number> {
  await page.evaluate(
    () =>
      new Promise((done) => (globalThis as any).requestIdleCallback(() => setTimeout(done, 200), { timeout: 5000 })),
  );
  const seen = await page.evaluate(() => (globalThis as any).interactions.splice(0) as number[]);
  // The browser doesn't report less than one frame.
  return Math.max(16, ...seen);
}

async function interactionRows(report: Report, page: Page, at: string, plan: DashboardPlan): Promise<void> {
  await slowDown(page);
  const row = async (name: string, act: () => Promise<void>): Promise<void> => {
    await worst(page);
    const figures: number[] = [];
    for (let turn = 0; turn < plan.turns; turn++) {
      await act();
      figures.push(await worst(page));
    }
    report.add({ name, figure: median(figures), unit: 'ms', reach: INTERACTION_MS, better: 'lower' });
  };
  const quiet = (): Promise<void> =>
    page
      .waitForFunction(() => (globalThis as any).document.querySelector('main .loading') === null)
      .then(() => undefined);
  const count = plan.customers.toLocaleString('en');

  await page.goto(`${at}/people`);
  await page.getByText(`${count} customers`).waitFor({ timeout: 60_000 });
  const search = page.getByLabel('Name or email');
  await row(`${count} customers on a slow machine: typing, choosing, scrolling`, async () => {
    await search.click();
    await page.keyboard.type('person4711', { delay: 60 });
    await page.waitForURL(/query=person4711/);
    await quiet();
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .click();
    await search.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Backspace');
    await page.getByText(`${count} customers`).waitFor({ timeout: 60_000 });
    for (let i = 0; i < 5; i++) await page.keyboard.press('PageDown');
  });
  await row('  finding somebody with Ctrl K', async () => {
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type('First471', { delay: 60 });
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /^First471/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
  });

  await page.goto(`${at}/calendar?view=week&date=${SUNDAY}`);
  const chips = page.locator('.board .chip');
  await chips.nth(plan.events - 1).waitFor({ state: 'attached', timeout: 60_000 });
  await row(`a week with ${plan.events} events on a slow machine: moving one by keyboard`, async () => {
    await chips.first().focus();
    for (const key of ['Alt+ArrowDown', 'Alt+ArrowDown', 'Alt+ArrowRight', 'Escape']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(100);
    }
  });
  await row('  opening an event, and closing it', async () => {
    await chips.first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
  await row('  the next week, and back', async () => {
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await chips.first().waitFor({ state: 'detached', timeout: 60_000 });
    await page
      .getByRole('button', { name: /previous/i })
      .first()
      .click();
    await chips.nth(plan.events - 1).waitFor({ state: 'attached', timeout: 60_000 });
  });
}
