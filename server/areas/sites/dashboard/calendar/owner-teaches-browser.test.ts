/**
 * Anyone who works at a business can teach there, including its owner: super admins make them an instructor where
 * instructors are chosen.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardWorld } from '../test/dashboard-world.ts';

let desk: DashboardWorld;
before(async () => {
  desk = await DashboardWorld.start({ own: true });
});
after(() => desk?.close());

const instructors = async (): Promise<any[]> =>
  (await desk.world.get('/instructors?fields=name,staff', { as: desk.world.machine })).body.results;

test('an owner finds themselves where a class gets its instructor, and is one from then on', async () => {
  const who = await desk.colleague();
  const owner = { id: who.staffId, first_name: 'Kim', name: 'Kim Reyes' };
  const visitor = await desk.window(who);
  const { page } = visitor;
  await desk.open(visitor, 'calendar?do=new');
  const find = page.getByRole('dialog').getByRole('combobox', { name: /^Instructors/ });
  await find.fill(owner.first_name);
  await page.getByRole('option', { name: new RegExp(`${owner.name}.*not an instructor yet`) }).click();
  await page.getByRole('button', { name: `Remove ${owner.name}` }).waitFor();
  assert.deepEqual(await instructors(), [{ name: owner.name, staff: owner.id }]);
  await find.fill(owner.first_name);
  await page.getByText('not an instructor yet').waitFor({ state: 'detached' });
});

test('staff who can’t change who teaches are offered existing instructors only', async () => {
  const visitor = await desk.window(await desk.colleague({ permissions: ['manage_events'] }));
  const { page } = visitor;
  await desk.open(visitor, 'calendar?do=new');
  const [{ name }] = await instructors();
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: /^Instructors/ })
    .fill(name.slice(0, 3));
  await page.getByRole('option', { name }).first().waitFor();
  assert.equal(await page.getByText('not an instructor yet').count(), 0);
});
