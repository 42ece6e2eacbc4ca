/** A studio imports export files of other products. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { zipSync } from 'fflate';
import { shows } from '../../../../test/pages/shows.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { Job } from '../test/job.ts';
import { fixture } from '../../../reporting/imports/test/moving.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
before(async () => {
  desk = await DashboardBrowser.start({ own: true, worker: true });
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
  await page.getByLabel('Files to import').setInputFiles(csv('clients.csv', fixture('mindbody-clients.csv')));
  await page.getByLabel('Which product is it from?').waitFor();
  await visitor.checkLive('imports-questions');
  await page.getByRole('link', { name: 'clients.csv' }).click();
  await page.getByRole('heading', { name: 'clients.csv' }).waitFor();
  await page.getByText('Which product the file comes from').waitFor();
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Mindbody' });
  await page.getByText('Which product the file comes from').waitFor({ state: 'detached' });
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
  await page.getByRole('button', { name: /^Left out\s*3$/ }).click();
  await page.getByText('is already in line 3').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('fate'), 'rejected');
  await visitor.checkLive('imports-checked');

  await page.getByRole('button', { name: 'Import', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import 7 rows' });
  await dialog.getByText('The rows of the file are imported').waitFor();
  assert.deepEqual(await listed('/customers'), [], 'nothing happens before it is confirmed');
  await dialog.getByRole('button', { name: 'Import', exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'See your customers' }).waitFor();
  assert.equal((await listed('/customers')).length, 7);
  const [imported] = await listed('/imports');
  assert.deepEqual([imported.status, imported.created_count, imported.rejected_count], ['complete', 7, 3]);

  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('dialog').getByText('4 people are invited to log in').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const again = await world.post(`/imports/${imported.id}/invite?dry_run=true`, { as: world.machine });
  assert.equal(again.body.invited, 0, 'everybody is invited');
  await visitor.checkLive('imports-complete');
  await page.getByRole('button', { name: 'Undo this import' }).click();
  const undoing = page.getByRole('dialog');
  await undoing.getByText('3 rows are taken back').waitFor();
  await undoing.getByText('4 rows stay, because something was built on them:').waitFor();
  await undoing.getByText('was invited').first().waitFor();
  await visitor.checkLive('imports-undo');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'See your customers' }).click();
  await page.getByText('Émilie Tremblay').waitFor();
  await visitor.close();
});

test('missing data is asked for, and a file that is not a table is refused next to its field', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'imports');
  const input = page.getByLabel('Files to import');
  await input.setInputFiles(csv('members.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])));
  await page.getByText('Save it as CSV').waitFor();
  await shows(() => input.getAttribute('aria-invalid'), 'true');
  await input.setInputFiles(csv('people.csv', Buffer.from('Adresse,Geburtsdatum\nmia@example.com,01/02/1990\n')));
  await page.getByText('Save it as CSV').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'people.csv' }).click();
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
  await page.getByRole('heading', { name: 'Imported files' }).waitFor();
  assert.ok((await listed('/imports')).every(({ file_name }) => file_name !== 'people.csv'));
  await visitor.close();
});

test('all files are dropped, asked about, checked and imported together, and nothing is billed yet', async () => {
  const memberships = await MembershipWorld.of(world);
  await memberships.recurring([], { price: '80.00' }, { name: 'Monthly' });
  const job = await Job.begin(
    { desk, who: await desk.colleague(), now: world.now, size: { width: 1280, height: 800 } },
    'imports',
  );
  const { page } = job;
  const plans = 'Email,Membership,Start Date,Status\nona@example.com,Monthly,2026-01-31,Fabulous\n';
  const people = 'Email,First Name,Last Name\nona@example.com,Ona,Vale\n';
  const archive = zipSync({ 'people.csv': Buffer.from(people), 'logo.png': Buffer.from('PNG') });
  await job.drop(page.getByLabel('Files to import'), [
    csv('plans.csv', Buffer.from(plans)),
    { name: 'export.zip', mimeType: 'application/zip', buffer: Buffer.from(archive) },
  ]);
  await page.getByText('logo.png: It is no table').waitFor();
  await page.getByRole('link', { name: 'people.csv' }).waitFor();
  await shows(() => job.button('Check 2 files').isDisabled(), true);
  await job.picture('move-in-questions');
  await job.choose(page.getByLabel(/^Fabulous/), 'Active');
  await shows(() => job.button('Check 2 files').isEnabled(), true);
  await job.tap(job.button('Check 2 files'));
  await page.getByRole('heading', { name: 'What would be billed' }).waitFor();
  await page
    .getByText(/80\.00/)
    .first()
    .waitFor();
  await job.visitor.checkLive('imports-checked-together');
  await job.picture('move-in-checked');
  await job.tap(job.button('Import 2 files'));
  await job.confirm('Import', 'The rows of 2 files are imported');
  await page.getByRole('heading', { name: 'Memberships that are not billed yet' }).waitFor();
  assert.equal((await listed('/customer_memberships?awaits_approval=true')).length, 1);
  await job.picture('move-in-imported');
  await job.end('Move in with all files of another product');
});

test('the same export of a later day shows what differs before it is imported', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'imports');
  const people = 'Email,First Name,Last Name\nona@example.com,Oona,Vale\n';
  await page.getByRole('button', { name: 'Approve the billing' }).click();
  await page.getByRole('dialog').getByText('One membership is billed from now on').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve the billing' }).click();
  await page.getByRole('heading', { name: 'Memberships that are not billed yet' }).waitFor({ state: 'detached' });
  await page.getByLabel('Files to import').setInputFiles(csv('people.csv', Buffer.from(people)));
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('heading', { name: 'What changes' }).waitFor();
  await page.getByText('Oona', { exact: true }).waitFor();
  await visitor.checkLive('imports-differences');
  await visitor.close();
});

test('gift cards are named, asked about in words, and added up before they are imported', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'imports');
  const cards = 'Gift Card Number,Value,Status\n70001111,40.00,Active\n70002222,10.00,Blocked\n';
  await page.getByLabel('Files to import').setInputFiles(csv('cards.csv', Buffer.from(cards)));
  await page.getByRole('link', { name: 'cards.csv' }).click();
  await shows(() => page.getByLabel('Rows are').inputValue(), 'gift_cards');
  await page.getByText('What is left on it', { exact: true }).first().waitFor();
  await page.getByLabel(/^Value/).selectOption({ label: 'What is left on it' });
  await page.getByLabel(/^Blocked/).selectOption({ label: 'Leave out' });
  await visitor.checkLive('imports-gift-cards');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('Left on gift cards').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('link', { name: 'See the gift cards' }).click();
  await page
    .getByText(/40\.00/)
    .first()
    .waitFor();
  assert.deepEqual(
    (await listed('/gift_cards')).map(({ status, amount }) => [status, amount.string]),
    [['delivered', '40.00']],
  );
  await visitor.close();
});

test('another row is chosen for the names of the columns, and the rows below it are imported', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'imports');
  const report = 'Email,First Name,Last Name\nwork,given,family\nMail,Called,Family\nivo@example.com,Ivo,Lund\n';
  await page.getByLabel('Files to import').setInputFiles(csv('legend.csv', Buffer.from(report)));
  await page.getByRole('link', { name: 'legend.csv' }).click();
  await page.getByText('The names of the columns are in line 1.').waitFor();
  await page.getByRole('button', { name: 'Columns are named in another row' }).click();
  await page.getByText('Mail · Called · Family').waitFor();
  await visitor.checkLive('imports-heading');
  await page.getByRole('button', { name: 'Line 3' }).click();
  await page.getByText('The names of the columns are in line 3.').waitFor();
  const files = (await listed('/imports')).filter((one) => one.file_name === 'legend.csv');
  assert.deepEqual(
    files.map(({ heading_line: line, row_count: rows }) => [line, rows]),
    [[3, 1]],
  );
  await visitor.close();
});

test('a file whose heading can’t be read is refused with its reason, and another row can be chosen there', async () => {
  const visitor = await desk.window();
  const { page } = visitor;
  await desk.open(visitor, 'imports');
  const file = 'Email,Email\nEmail,First Name\npia@example.com,Pia\n';
  await page.getByLabel('Files to import').setInputFiles(csv('twice.csv', Buffer.from(file)));
  await page.getByText('twice.csv: The file has two columns named "Email"').waitFor();
  await page.getByRole('button', { name: 'Columns are named in another row: twice.csv' }).click();
  await page.getByRole('button', { name: 'Line 2' }).click();
  await page.getByRole('heading', { name: 'twice.csv' }).waitFor();
  await page.getByText('The names of the columns are in line 2.').waitFor();
  await visitor.close();
});

test('only super admins find imports', async () => {
  const visitor = await desk.window(await desk.colleague({ permissions: ['customers'] }));
  await desk.open(visitor, 'imports');
  await shows(() => visitor.page.getByLabel('Files to import').count(), 0);
  await visitor.close();
});
