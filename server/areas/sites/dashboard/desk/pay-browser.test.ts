/**
 * The pay of instructors in the dashboard, as managers use it in a browser. The results are checked through the
 * interface.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, wallAt } from '../../../../kernel/base/values/zone.ts';
import { calculateEnded } from '../../../scheduling/instructor-pay/index.ts';
import { confirm, topDialog } from '../test/proposals.ts';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';
import { newEvent, newInstructor, newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { backgroundWork } from '../../../../kernel/work/unit/background-work.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';
import { START } from '../../../../test/clock.ts';

const HOUR = 3_600_000;
const ZONE = 'America/Toronto';

/** Returns the first day of a month relative to this one. */
function firstOf(months: number): string {
  const [year, month] = wallAt(START, ZONE).date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}
/** All of last month. */
const [FROM, TO] = [firstOf(-1), addDays(firstOf(0), -1)];

let desk: DashboardWorld;
let world: World;
let owner: Visit;
let instructor: { id: number; name: string };
before(async () => {
  desk = await DashboardWorld.start({ own: true });
  ({ world } = desk);
  await taught();
  owner = await desk.window();
  await desk.open(owner, 'today');
});
after(() => desk?.close());

const get = (path: string): Promise<any> => desk.ask('GET', path);

/** Creates a one-hour class last month that three people attended. */
async function taught(): Promise<void> {
  world.setNow(Date.parse(`${addDays(FROM, 9)}T16:00:00Z`));
  const place = { venue: await newVenue(world), offering: await newOffering(world) };
  const { instructor: id } = await newInstructor(world);
  instructor = await get(`/instructors/${id}`);
  const { id: event } = await newEvent(world, place, { in: 1, instructors: [id], max_occupancy: 10 });
  for (let n = 0; n < 3; n++)
    await desk.ask('POST', `/events/${event}/register`, { customer: await world.newCustomer(), comped: true });
  world.setNow(world.now + 3 * HOUR);
  for (const { id: attendance } of (await get(`/attendances?event=${event}`)).results)
    await desk.ask('PATCH', `/attendances/${attendance}`, { status: 'attended' });
  world.resetNow();
}

/** Runs the job until nothing is due, in as many batches as it needs. */
async function calculated(): Promise<void> {
  for (let n = 0; n < 50; n++) {
    await backgroundWork(ownContext(world), world.harbour, 'test', calculateEnded);
    const path = '/instructor_pay_periods?dry_run=true';
    // Approving is refused before that.
    if ((await world.ask('POST', path, { as: world.machine, body: { through: TO } })).status === 200) return;
  }
  throw new Error('the pay is not calculated');
}

const dialog = (visitor = owner) => topDialog(visitor);

const coverage = `pay?tab=coverage&from=${FROM}&to=${TO}`;
const rowOf = (name: string) => owner.page.getByRole('listitem').filter({ hasText: name });

async function addRate(name: string, base: string): Promise<void> {
  await desk.open(owner, coverage);
  await owner.page.getByRole('link', { name: 'Add a pay rate' }).click();
  await dialog().getByLabel('Name').fill(name);
  await dialog().getByLabel('Base (CAD)').fill(base);
  await dialog().getByLabel('First day').fill(FROM);
}

async function saved(name: string): Promise<void> {
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await owner.page.getByText(`“${name}” is saved.`).first().waitFor();
}

test('a class without a rate is found, and a rate from the settings covers it', async () => {
  await desk.open(owner, coverage);
  await rowOf(instructor.name).getByText('1 of 1 without a rate').waitFor();
  await rowOf(instructor.name).getByText('No rate: Rowing at Pier 4, one class').waitFor();
  await owner.checkLive('pay-coverage');

  await addRate('Usual', '30.00');
  const tiers = dialog().getByRole('group', { name: 'Added for each customer' });
  await tiers.getByRole('button', { name: 'Add' }).click();
  await tiers.getByLabel('From number').fill('2');
  await tiers.getByLabel('For each of them').fill('2.50');
  await dialog().getByLabel('Absent').check();
  await dialog().getByLabel('Classes without customers are paid').uncheck();
  await dialog().getByLabel('At most').fill('20');
  await dialog().getByLabel('At least').fill('25');
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await dialog().getByText('Must not be less than minimum_pay.').waitFor();
  await dialog().getByLabel('At most').fill('60');
  await owner.checkLive('pay-rate');
  await saved('Usual');
  const [rate] = (await get('/instructor_pay_rates')).results;
  assert.partialDeepStrictEqual(rate, {
    name: 'Usual',
    type: 'per_session',
    tiers: [{ lower_bound: 2, upper_bound: null, per_customer_amount: { amount: 2.5, currency: 'cad' } }],
    counted_statuses: ['attended', 'no_show', 'registered'],
    counts_comped: true,
    pays_empty_sessions: false,
    instructors: [],
    offering_types: [],
    starts_on: FROM,
    ends_on: null,
  });
  assert.deepEqual(
    [rate.base, rate.minimum_pay, rate.maximum_pay].map((one) => one.string ?? one),
    ['30.00', '25.00', '60.00'],
  );

  await desk.open(owner, coverage);
  await rowOf(instructor.name).getByText('1 class, covered').waitFor();
});

test('rates that cover a class equally well are listed, the effective one first', async () => {
  await addRate('Other', '20.00');
  await saved('Other');
  await desk.open(owner, coverage);
  await rowOf(instructor.name)
    .getByText(/^Several rates: Rowing at Pier 4.* Other counts, and not Usual\.$/)
    .waitFor();

  // The rate isn't needed after all.
  await desk.open(owner, 'settings/staff');
  await owner.page.getByRole('button', { name: 'Edit “Other”' }).click();
  await dialog().getByLabel('Archived').check();
  await saved('Other');
  const { results } = await get('/instructor_pay_rates?sort=id');
  assert.deepEqual(
    results.map((one: any) => [one.name, one.archived]),
    [
      ['Usual', false],
      ['Other', true],
    ],
  );
});

test('pay is explained, approved with the amount for each instructor, and reopened', async () => {
  await calculated();
  assert.equal((await get('/instructor_pay_items')).results[0].pay.string, '35.00');
  await desk.open(owner, 'pay');
  const row = rowOf(instructor.name);
  await row.getByText('$35.00').waitFor();
  await row.getByRole('button', { name: /^Why this pay for Rowing/ }).click();
  await dialog().getByText('2 customers at $2.50 each (from number 2).').waitFor();
  await owner.checkLive('pay-why');
  await owner.page.keyboard.press('Escape');

  await owner.page.getByRole('link', { name: 'Pay periods' }).click();
  await owner.page.getByText('No pay is approved yet.').waitFor();
  await owner.page.getByRole('button', { name: 'Approve pay' }).click();
  await shows(() => dialog().getByLabel('Through').inputValue(), TO);
  await dialog()
    .getByLabel('Through')
    .fill(addDays(wallAt(START, ZONE).date, 2));
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await dialog()
    .getByText(/^The day must be over/)
    .waitFor();
  await dialog().getByLabel('Through').fill(TO);
  await dialog().getByRole('button', { name: 'Continue' }).click();
  const totals = dialog().getByRole('region', { name: 'Totals by instructor' }).locator('tbody tr');
  await totals.getByText(instructor.name).waitFor();
  await shows(() => totals.locator('th, td').allInnerTexts(), [instructor.name, '$35.00', '1']);
  await owner.checkLive('pay-approve');
  await confirm(owner, 'Approve pay');
  await owner.page.getByText('The pay is approved.').waitFor();
  const period = owner.page.getByRole('list', { name: 'Pay periods' }).getByRole('listitem');
  await period.getByText('$35.00').waitFor();
  await owner.checkLive('pay-periods');
  const [approved] = (await get('/instructor_pay_periods')).results;
  assert.deepEqual([approved.status, approved.through, approved.total.string], ['approved', TO, '35.00']);
  await period.getByRole('link', { name: 'Show classes' }).click();
  await rowOf(instructor.name).getByText('Approved').waitFor();
  assert.equal((await get(`/instructor_pay_items?instructor_pay_periods=${approved.id}`)).count, 1);

  await desk.open(owner, 'pay?tab=periods');
  await owner.page.getByRole('button', { name: /^Reopen/ }).click();
  await confirm(owner, 'Reopen');
  await period.getByText('Reopened').waitFor();
  assert.equal((await get(`/instructor_pay_periods/${approved.id}`)).status, 'reopened');
});

test('open pay is calculated again after its rate was changed', async () => {
  const [rate] = (await get('/instructor_pay_rates?sort=id')).results;
  await desk.ask('PATCH', `/instructor_pay_rates/${rate.id}`, { base: '40.00' });
  await desk.open(owner, 'pay');
  await rowOf(instructor.name).getByText('$35.00').waitFor();
  await owner.page.getByRole('button', { name: 'Recalculate' }).click();
  await dialog().getByLabel('First day').fill(FROM);
  await dialog().getByLabel('Last day').fill(TO);
  await dialog().getByLabel('Instructor').selectOption({ label: instructor.name });
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await dialog().getByText('One class was checked.').waitFor();
  await confirm(owner, 'Recalculate');
  await rowOf(instructor.name).getByText('$45.00').waitFor();
  await owner.checkLive('pay');
  assert.equal((await get('/instructor_pay_items')).results[0].pay.string, '45.00');
});

test("staff who see revenue approve pay, but can't reopen it or set rates", async () => {
  // Reopened pay is calculated again.
  await calculated();
  const manager = await desk.window(await desk.colleague({ permissions: ['revenue'] }));
  await desk.open(manager, 'pay?tab=periods');
  await manager.page.getByRole('button', { name: 'Approve pay' }).click();
  await dialog(manager).getByRole('button', { name: 'Continue' }).click();
  await dialog(manager).getByText('$45.00').waitFor();
  await confirm(manager, 'Approve pay');
  const periods = manager.page.getByRole('list', { name: 'Pay periods' });
  await periods.getByText('$45.00').waitFor();
  await shows(() => manager.page.getByRole('button', { name: /^Reopen/ }).count(), 0);
  await shows(() => manager.page.getByRole('link', { name: 'Pay rates' }).count(), 0);
  assert.equal((await get('/instructor_pay_periods?status=approved')).count, 1);
  await manager.close();
});
