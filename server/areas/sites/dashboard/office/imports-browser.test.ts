/** A studio imports export files of other products. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';
import { fixture } from '../../../reporting/imports/test/moving.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
before(async () => {
  desk = await DashboardWorld.start({ own: true, worker: true });
  ({ world } = desk);
});
after(() => desk?.close());

const listed = async (path: string): Promise<any[]> => (await world.get(path, { as: world.machine })).body.results;

const csv = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/csv', buffer });

test('a file is recognized, checked and imported and its people invited, by keyboard', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'imports');
  await visitor.checkLive('imports');
  await page.getByLabel('File to import').setInputFiles(csv('clients.csv', fixture('mindbody-clients.csv')));
  await page.getByRole('heading', { name: 'clients.csv' }).waitFor();
  await page.getByText('Mindbody', { exact: true }).waitFor();
  await shows(() => page.getByLabel('Rows are').inputValue(), 'customers');
  await shows(() => page.getByLabel('Dates are written').inputValue(), 'MM/DD/YYYY');
  await page.getByText('UTF-8, separated by commas').waitFor();
  await shows(() => page.getByLabel('Mobile Phone').inputValue(), 'phone_number');
  await page.getByText('100001 · 100002 · 100003').waitFor();
  await visitor.checkLive('imports-recognised');

  // A column that nobody needs here.
  await page.getByLabel('Mobile Phone').focus();
  await page.getByLabel('Mobile Phone').selectOption({ label: 'Don’t import' });
  await page.getByRole('button', { name: 'Check the file' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What happens to each row' }).waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  assert.deepEqual(await listed('/customers'), [], 'a check imports nothing');
  await page.getByRole('button', { name: /^Left out\s*4$/ }).click();
  await page.getByText('is already in line 3').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('fate'), 'rejected');
  await visitor.checkLive('imports-checked');

  await page.getByRole('button', { name: 'Import', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import 6 rows' });
  await dialog.getByText('The rows of the file are imported').waitFor();
  assert.deepEqual(await listed('/customers'), [], 'nothing happens before it is confirmed');
  await dialog.getByRole('button', { name: 'Import', exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'See your customers' }).waitFor();
  assert.equal((await listed('/customers')).length, 6);
  const [imported] = await listed('/imports');
  assert.deepEqual([imported.status, imported.created_count, imported.rejected_count], ['complete', 6, 4]);

  await page.getByRole('button', { name: 'Invite everybody imported' }).click();
  await page.getByRole('dialog').getByText('4 people are invited to log in').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Invite everybody imported' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const again = await world.post(`/imports/${imported.id}/invite?dry_run=true`, { as: world.machine });
  assert.equal(again.body.invited, 0, 'everybody is invited');
  await visitor.checkLive('imports-complete');
  await page.getByRole('link', { name: 'See your customers' }).click();
  await page.getByText('Émilie Tremblay').waitFor();
  await visitor.close();
});

test('missing data is asked for, and a file that is not a table is refused next to its field', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'imports');
  const input = page.getByLabel('File to import');
  await input.setInputFiles(csv('members.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])));
  await page.getByText('Save it as CSV').waitFor();
  await shows(() => input.getAttribute('aria-invalid'), 'true');
  await input.setInputFiles(csv('people.csv', Buffer.from('Adresse,Geburtsdatum\nmia@example.com,01/02/1990\n')));
  await page.getByRole('heading', { name: 'people.csv' }).waitFor();
  const check = page.getByRole('button', { name: 'Check the file' });
  await shows(() => check.isDisabled(), true);
  await page.getByText('Whether dates are written with the day or the month first').waitFor();
  await page.getByLabel('Adresse').selectOption({ label: 'Email address' });
  await page.getByText('Email address or ID in the other system').waitFor({ state: 'detached' });
  await page.getByLabel('Dates are written').selectOption({ label: 'Day first: 31/01/2026' });
  await page.getByText('Whether dates are written').waitFor({ state: 'detached' });
  await shows(() => check.isEnabled(), true);
  await page.getByRole('button', { name: 'Delete this import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete this import' }).click();
  await page.getByRole('heading', { name: 'Your imports' }).waitFor();
  assert.ok((await listed('/imports')).every(({ file_name }) => file_name !== 'people.csv'));
  await visitor.close();
});

test('only super admins find imports', async () => {
  const visitor = await desk.window(await desk.colleague({ permissions: ['customers'] }));
  await desk.open(visitor, 'imports');
  await shows(() => visitor.page.getByLabel('File to import').count(), 0);
  await visitor.close();
});
