/** Staff and their permissions in a real browser. The results are checked through the interface. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { confirm, saved } from '../test/proposals.ts';
import { DashboardWorld, type Colleague } from '../test/dashboard-world.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardWorld;
let world: World;
let owner: Visit;
before(async () => {
  desk = await DashboardWorld.start();
  ({ world } = desk);
  owner = await desk.window(await desk.colleague({ firstName: 'Olga' }));
  await desk.open(owner, 'settings/staff');
});
after(() => desk?.close());

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const open = () => owner.page.getByRole('dialog').last();
const role = () => owner.page.getByRole('region', { name: 'What this shows and allows' });

/** Saves the input, which needs no preview unless it invites somebody. */
async function save(what: string, invites = false): Promise<void> {
  await open().getByRole('button', { name: 'Save', exact: true }).click();
  if (invites) await confirm(owner, 'Save', 'One person is invited to work here');
  await saved(owner, `“${what}” is saved.`);
  owner.check();
}

const edit = async (name: string) => {
  await owner.page.getByRole('button', { name: `Edit “${name}”` }).click();
  await open().getByLabel('First name').waitFor();
};

/** Returns the screens that the explanation lists. */
const explained = async (): Promise<string[]> =>
  (await role().getByRole('listitem').filter({ hasText: 'Shown:' }).allInnerTexts())
    .filter((text) => !text.includes('Not shown:'))
    .map((text) => text.replace('Shown:', '').trim());

test('somebody is invited with permissions whose effect is shown first', async () => {
  await desk.open(owner, 'settings/staff');
  await owner.page.getByRole('button', { name: 'Invite someone' }).click();
  await open().getByLabel('First name').fill('Dana');
  await open().getByLabel('Last name').fill('Desk');
  await open().getByLabel('Email address').fill('dana.desk@example.com');
  assert.deepEqual(await explained(), ['Today']);
  await open().getByLabel('Front desk').check();
  await role().getByRole('listitem').filter({ hasText: 'Door' }).getByText('Shown:', { exact: true }).waitFor();
  await owner.checkLive('staff-invite');
  await save('Dana Desk', true);
  const dana = (await get('/staff')).results.find(({ email }: any) => email === 'dana.desk@example.com');
  assert.equal(dana.permissions.pos, true);
  assert.equal(dana.permissions.super_admin, false);
  await owner.page.getByRole('listitem').filter({ hasText: 'Dana Desk' }).getByText('Front desk').waitFor();
  await owner.checkLive('staff');
});

test('the explanation matches what the person then sees', async () => {
  for (const permissions of [['manage_events'], ['instructor_attendances'], ['store', 'customers']] as const) {
    const name = `Eve ${permissions.join(' ')}`;
    const who = await desk.colleague({ permissions: [...permissions], firstName: name });
    await desk.open(owner, `settings/staff?open=staff%3A${who.staffId}`);
    await role().waitFor();
    const said = await explained();
    const visitor = await desk.window(who);
    await desk.open(visitor, 'today');
    const shown = await visitor.page.getByRole('navigation').first().getByRole('link').allInnerTexts();
    assert.deepEqual(said.toSorted(), shown.map((one) => one.trim()).toSorted(), name);
    await visitor.close();
  }
});

test('the operations of a permission are those that the interface names', async () => {
  const who = await desk.colleague({ permissions: ['discount_codes'], firstName: 'Cody' });
  await desk.open(owner, `settings/staff?open=staff%3A${who.staffId}`);
  await role().getByText('Operations of the interface').click();
  const heading = owner.page.locator('summary', { hasText: /^discount codes/i });
  await heading.click();
  const topic = role().locator('details', { has: heading }).last();
  await topic.getByText('Create many discount codes').waitFor();
  await shows(() => role().getByText('Close the books through a day').count(), 0);
  await open().getByLabel('Revenue and books').check();
  await shows(() => role().getByText('Close the books through a day').count(), 1);
});

test('permissions and venues change, and a super admin is not limited to any', async () => {
  const venue = (
    await world.post('/venues', {
      as: world.machine,
      body: { name: 'Pier', venue_type: 'physical', timezone: 'America/Toronto' },
    })
  ).body;
  const who = await desk.colleague({ permissions: ['attendances'], firstName: 'Finn' });
  await desk.open(owner, 'settings/staff');
  await edit('Finn Reyes');
  await open().getByLabel('Super admin').check();
  await open().getByLabel('Pier').check();
  await open().getByRole('button', { name: 'Save', exact: true }).click();
  await open().getByText('can’t be limited to venues').first().waitFor();
  await open().getByLabel('Super admin').uncheck();
  await open().getByLabel('Planning').check();
  await save('Finn Reyes');
  const finn = await get(`/staff/${who.staffId}?expand=venues`);
  assert.deepEqual(
    Object.keys(finn.permissions).filter((one) => finn.permissions[one]),
    ['attendances', 'manage_events'],
  );
  assert.deepEqual(
    finn.venues.map(({ id }: any) => id ?? 0),
    [venue.id],
  );
  await edit('Finn Reyes');
  await open().getByText('Who changed this').click();
  await open().getByText('Olga Reyes').first().waitFor();
  await owner.page.keyboard.press('Escape');
});

test('somebody is deactivated, and stays in the list as archived', async () => {
  const who: Colleague = await desk.colleague({ permissions: ['customers'], firstName: 'Gil' });
  await desk.open(owner, 'settings/staff');
  await edit('Gil Reyes');
  await open().getByLabel('Archived').check();
  await save('Gil Reyes');
  await owner.page.getByRole('listitem').filter({ hasText: 'Gil Reyes' }).getByText('Archived').waitFor();
  assert.equal((await get(`/staff/${who.staffId}`)).archived, true);
});

test('a staff member becomes an instructor', async () => {
  const who = await desk.colleague({ permissions: ['instructor_attendances'], firstName: 'Hana' });
  await desk.open(owner, 'settings/staff');
  await owner.page.getByRole('button', { name: 'Add an instructor' }).click();
  await open()
    .getByLabel('Who it is')
    .selectOption({ value: String(who.staffId) });
  await open().getByLabel('Name', { exact: true }).fill('Hana R.');
  await save('Hana R.');
  const instructor = (await get('/instructors')).results.find(({ name }: any) => name === 'Hana R.');
  assert.equal(instructor.staff, who.staffId);
  // An instructor is deactivated only after somebody has decided who takes over their classes.
  await edit('Hana Reyes');
  await open().getByLabel('Archived').check();
  await open().getByRole('button', { name: 'Save', exact: true }).click();
  await open().getByText('This person is still an instructor.').waitFor();
  assert.equal((await get(`/staff/${who.staffId}`)).archived, false);
});
