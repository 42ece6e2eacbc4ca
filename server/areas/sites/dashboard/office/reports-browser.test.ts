/** Reports in the dashboard, as staff use them in a browser. Every number is compared with the interface. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { fileURLToPath } from 'node:url';
import { newEvent, newOffering, newPlace } from '../../../../test/schedule-world.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { pressBoth, reach } from '../test/hands.ts';
import { readCsv } from '../test/files.ts';
import { REPORTS } from '../../../reporting/reports/catalogue/index.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import { writeNext } from '../../../reporting/reports/exports/engine.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';
import { START } from '../../../../test/clock.ts';

const HOUR = 3_600_000;

let desk: DashboardBrowser;
let world: World;
let owner: Visit;
before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
  await visits();
  owner = await desk.window();
  await desk.open(owner, 'today');
});
after(() => desk?.close());

/** Returns noon of a day of a month relative to this one, by the calendar of the business. */
function noonOf(months: number, day: number): Date {
  const [year, month] = wallAt(START, 'America/Toronto').date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, day, 17));
}

/** Creates visits: last month five people rowed and three swam; the month before, two rowed. */
async function visits(): Promise<void> {
  const { venue } = await newPlace(world);
  const offerings = {
    Rowing: await newOffering(world, { name: 'Rowing' }),
    Swimming: await newOffering(world, { name: 'Swimming' }),
  };
  for (const [name, noon, people] of [
    ['Rowing', noonOf(-2, 10), 2],
    ['Rowing', noonOf(-1, 10), 5],
    ['Swimming', noonOf(-1, 12), 3],
  ] as const) {
    world.setNow(noon.getTime() - HOUR);
    const { id } = await newEvent(world, { venue, offering: offerings[name] }, { in: 1, name, max_occupancy: 10 });
    for (let n = 0; n < people; n++) {
      const customer = await world.newCustomer({ first_name: `${name} ${n}`, last_name: 'Guest' });
      const booked = await world.post(`/events/${id}/register`, {
        as: world.machine,
        body: { customer, comped: true },
      });
      assert.equal(booked.status, 200, booked.text);
    }
    world.setNow(noon.getTime() + HOUR);
    for (const { id: attendance } of (await get(`/attendances?event=${id}`)).results) {
      const marked = await world.patch(`/attendances/${attendance}`, {
        as: world.machine,
        body: { status: 'attended' },
      });
      assert.ok(marked.status < 300, marked.text);
    }
  }
  world.resetNow();
}

const get = async (path: string): Promise<any> => {
  const { status, body, text } = await world.get(path, { as: world.machine });
  assert.equal(status, 200, text);
  return body;
};

const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true });

/** Reads the preview, then confirms it. */
async function confirm({ page }: Visit, name: string): Promise<void> {
  const dialog = page.getByRole('dialog').last();
  await dialog.getByText('If you continue:').waitFor();
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.getByText('If you continue:').waitFor({ state: 'detached' });
}

/** Returns the cells of the table, row by row. */
async function cells({ page }: Visit): Promise<string[][]> {
  const all: string[][] = [];
  for (const one of await page.locator('.wide-table tbody tr').all())
    all.push((await one.locator('th, td').allInnerTexts()).map((text) => text.trim()));
  return all;
}

test('the list has every report that the person may read, as the interface describes it, and no other', async () => {
  await desk.open(owner, 'reports');
  // The board opens first: each chart leads to its report, with what it shows.
  await owner.page.getByRole('heading', { name: 'What was sold' }).waitFor();
  await owner.checkLive('reports-board');
  await owner.page.getByRole('link', { name: 'All reports' }).click();
  const names = owner.page.locator('.report-list').getByRole('heading');
  await names.first().waitFor();
  const { reports } = await get('/reports');
  await shows(
    async () => (await names.allInnerTexts()).toSorted(),
    reports.map(({ label }: { label: string }) => label).toSorted(),
  );
  await owner.checkLive('reports');
  await owner.page.getByLabel('Search').last().fill('fill');
  await owner.page.getByRole('link', { name: 'Fill rates' }).click();
  await owner.page.getByRole('heading', { level: 1, name: 'Fill rates' }).waitFor();

  const store = await desk.window(await desk.colleague({ permissions: ['discount_codes'] }));
  await desk.open(store, 'reports?tab=reports');
  const theirs = store.page.locator('.report-list').getByRole('heading');
  await theirs.first().waitFor();
  await shows(() => theirs.allInnerTexts(), ['Discount code uses']);
  await store.close();
});

test('reports, their columns and their filters are named in the language of the person', async () => {
  // In a browser, because a window without layout doesn't draw the chart.
  const german = await desk.visitor();
  const { page } = german;
  await page.addInitScript(() => localStorage.setItem('rollcall.language', 'de'));
  await desk.open(german, 'reports?tab=reports');
  const { reports } = await get('/reports?language=de');
  const report = reports.find(({ name }: { name: string }) => name === 'attendances');
  const names = page.locator('.report-list').getByRole('heading');
  await names.first().waitFor();
  await shows(
    async () => (await names.allInnerTexts()).toSorted(),
    reports.map(({ label }: { label: string }) => label).toSorted(),
  );
  await german.checkLive('reports-german');
  await page.getByRole('link', { name: report.label, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: report.label }).waitFor();
  await desk.open(german, 'reports/attendances?by=offering_type.name&f.event_timeframe=last_month');
  await page.getByRole('img', { name: /Anzahl.*Angebot/ }).waitFor();
  // The sorted column has an arrow.
  const headers = async () =>
    (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.replace(/[\s↑↓]+$/, ''));
  await shows(headers, ['Angebot', 'Anzahl']);
  await page.getByLabel('Veranstaltung: Zeitraum').waitFor();
  await german.checkLive('report-german');
  await desk.open(german, 'reports/attendances?view=rows');
  const shown = report.columns.filter((one: { shown: boolean }) => one.shown);
  await shows(
    headers,
    shown.map(({ label }: { label: string }) => label),
  );
  // Values are translated, and the address keeps the original value.
  await page.getByText('Weitere Filter').click();
  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption({ label: 'Erschienen' });
  await page.waitForURL(/f\.status=attended/);
  await page.getByRole('cell', { name: 'Erschienen', exact: true }).first().waitFor();
  await page.getByText('Was die Spalten bedeuten').click();
  // The chooser of columns is translated too, and is closed.
  await page.getByText('Was aus der Buchung geworden ist.').locator('visible=true').first().waitFor();
  await german.checkLive('report-german-rows');
  await desk.open(german, 'reports/attendances?by=status&f.event_timeframe=last_month');
  await page.getByRole('rowheader', { name: 'Erschienen', exact: true }).waitFor();
  await german.close();
});

test('the screens are available to anyone who can read a report', () => {
  const source = readFileSync(
    fileURLToPath(new URL('../../../../../web/dashboard/src/screens.ts', import.meta.url)),
    'utf8',
  );
  // Super admins open every screen.
  const readers = [...new Set(REPORTS.flatMap(({ who }) => who))].filter((one) => one !== 'super_admin').toSorted();
  for (const path of ['reports', 'reports/$report']) {
    const [, needs] = new RegExp(`path: '${path.replace('$', '\\$')}',[^}]*?needs: \\[([^\\]]*)\\]`, 's').exec(source)!;
    assert.deepEqual([...needs.matchAll(/'(\w+)'/g)].map(([, one]) => one).toSorted(), readers);
  }
});

test('groups are drawn and listed, compared with the previous period, and each number links to its rows', async () => {
  // In a browser, because a window without layout doesn't draw the chart.
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, 'reports/attendances?by=offering_type.name&f.event_timeframe=last_month');
  const chart = page.getByRole('img', { name: /^Chart: Count by Offering type name/ });
  await chart.waitFor();
  assert.deepEqual(await cells(visitor), [
    ['Rowing', '5'],
    ['Swimming', '3'],
  ]);
  await shows(() => chart.locator('rect.bar').count(), 2);
  await visitor.checkLive('report-groups');

  await page.getByLabel('Compare with the period before').check();
  await page.getByText(/^2 groups\. Compared with/).waitFor();
  assert.deepEqual(await cells(visitor), [
    ['Rowing', '5', '2', '+3'],
    ['Swimming', '3', '–', '–'],
  ]);
  await shows(() => chart.locator('rect.before').count(), 1);
  await visitor.checkLive('report-compared');

  await page.getByRole('link', { name: '5, show the rows of Rowing' }).click();
  await page.getByText('5 rows').waitFor();
  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get('view'), 'rows');
  const { total } = await get(
    `/reports/attendances/data?event_timeframe=last_month&group=${encodeURIComponent(searchParams.get('f.group')!)}`,
  );
  assert.equal(total, 5);
  await visitor.checkLive('report-rows');
  await visitor.close();
});

test('columns, order and filters are in the address, and the table matches the interface', async () => {
  const { page } = owner;
  await desk.open(owner, 'reports/attendances?view=rows');
  await page.getByText('10 rows').waitFor();
  await page.getByText(/^Columns: \d+ selected/).click();
  await page.getByRole('checkbox', { name: /^Customer email / }).uncheck();
  await page.waitForURL(/columns=/);
  await page.getByText(/^Columns: \d+ selected/).click();
  await page.getByRole('button', { name: 'Event name' }).click();
  await page.waitForURL(/sort=event\.name/);
  await page.getByText('More filters').click();
  await page.getByLabel('Offering types').selectOption({ label: 'Swimming' });
  await page.getByText('3 rows').waitFor();
  await page.getByText('What the columns mean').click();
  const { column_headers: headers } = await get('/reports/attendances/data?columns=event.name');
  await page.getByRole('definition').filter({ hasText: headers[0].definition }).first().waitFor();
  await owner.checkLive('report-filtered');
  assert.ok((await cells(owner)).every((line) => line.includes('Swimming')));
  await desk.open(owner, `reports/attendances?${new URL(page.url()).searchParams}`);
  await page.getByText('3 rows').waitFor();
});

test('time groups are columns from left to right, by keyboard too', async () => {
  const visitor = await desk.visitor();
  const { page } = visitor;
  await desk.open(visitor, 'today');
  await pressBoth(page, 'g', 'r');
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
  await reach(page.getByRole('link', { name: 'All reports' }));
  await page.keyboard.press('Enter');
  await reach(page.getByRole('link', { name: 'Fill rates' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Fill rates' }).waitFor();
  await desk.open(visitor, 'reports/fill_rates?by=month&measures=count');
  const view = page.getByRole('img', { name: /^Chart: Count by Month/ });
  await view.waitFor();
  await shows(() => view.locator('rect.bar').count(), 2);
  const { rows } = await get('/reports/fill_rates.grouped/data?columns=month,count&sort=month');
  assert.deepEqual(
    await cells(visitor),
    rows.map(({ month, count }: any) => [
      new Date(`${month}-15T12:00:00Z`).toLocaleDateString('en', { year: 'numeric', month: 'short', timeZone: 'UTC' }),
      String(count),
    ]),
  );
  await reach(page.getByRole('combobox', { name: 'View', exact: true }));
  await page.keyboard.type('Row');
  await page.getByText('3 rows').waitFor();
  await visitor.checkLive('report-time');
  await visitor.close();
});

test('a report is exported as requested, with progress, and downloaded; another export is cancelled', async () => {
  const { page } = owner;
  await desk.open(owner, 'reports/attendances?by=offering_type.name&f.event_timeframe=last_month');
  await button(owner, 'Export').click();
  await page.getByRole('dialog').getByLabel('Format').selectOption({ label: 'CSV' });
  await owner.checkLive('report-export');
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await page.getByRole('progressbar').waitFor();
  assert.equal(await writeNext(ownContext(world)), true);
  await page.getByText('The file is ready.').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), button(owner, 'Download').click()]);
  assert.deepEqual(
    readCsv(readFileSync(await file.path(), 'utf8')).map((line) => [line['offering_type.name'], line.count]),
    [
      ['Rowing', '5'],
      ['Swimming', '3'],
    ],
  );

  await button(owner, 'Export').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await button(owner, 'Cancel export').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel export' }).click();
  await page.getByText('The file was not written. Export the report again.').waitFor();
  await desk.open(owner, 'reports?tab=files');
  const files = page.getByRole('list', { name: 'Your files' });
  await files.getByText('Cancelled').waitFor();
  await files.getByText('Ready').waitFor();
  await owner.checkLive('reports-files');
});

test('a report is emailed every month, paused, and deleted', async () => {
  const { page } = owner;
  await desk.open(owner, 'reports/attendances?view=rows&f.event_timeframe=last_month');
  await button(owner, 'Send by email').click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Day of the month').fill('2');
  await form.getByRole('checkbox').first().waitFor();
  await owner.checkLive('report-schedule');
  await form.getByRole('button', { name: 'Send by email' }).click();
  await page.getByText('The report will be sent.').waitFor();
  const schedule = async () => (await get('/report_schedules')).results[0];
  const { report, form: shape, frequency, day_of_month, asked, format, recipients } = await schedule();
  assert.deepEqual(
    [report, shape, frequency, day_of_month, asked, format, recipients.length],
    ['attendances', 'rows', 'monthly', 2, { event_timeframe: 'last_month' }, 'xlsx', 1],
  );
  await desk.open(owner, 'reports?tab=schedules');
  await page.getByText('Every month on day 2').waitFor();
  await owner.checkLive('reports-schedules');
  await page.getByRole('button', { name: 'Pause: Attendances' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  assert.equal((await schedule()).status, 'paused');
  await page.getByRole('button', { name: 'Delete: Attendances' }).click();
  await confirm(owner, 'Delete');
  await page.getByText('No report is sent regularly.').waitFor();
  assert.equal((await get('/report_schedules')).count, 0);
});

test('every report opens in groups and row by row for a super admin, without a refusal', async () => {
  const refused: string[] = [];
  owner.page.on(
    'response',
    (answer) => void (answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`)),
  );
  const { page } = owner;
  const shown = page.locator('.wide-table, main p.soft:text("No results for these filters")').first();
  const view = page.getByRole('combobox', { name: 'View', exact: true });
  for (const { name, label, grouped_by: by, is_total: isTotal } of (await get('/reports')).reports) {
    await desk.open(owner, `reports/${name}`);
    await page.getByRole('heading', { level: 1, name: label }).waitFor();
    await shown.waitFor();
    if (by.length === 0 || isTotal) continue;
    await view.selectOption({ label: 'Row by row' });
    await page.getByText(/^Columns: /).waitFor();
    await shown.waitFor();
  }
  assert.deepEqual(refused, []);
});
