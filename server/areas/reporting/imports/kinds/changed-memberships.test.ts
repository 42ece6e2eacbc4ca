/** Memberships in a corrected file. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fates, upload, work } from '../test/moving.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;

const stays = (here: string): string => `differs from here (${here}), which stays`;

const HEADING = 'Membership ID,Email,Membership,Start Date,End Date,Price,Status';

const moveIn = async (rows: readonly string[], how: 'check' | 'run' = 'run'): Promise<any> =>
  work(world, (await upload(world, `${HEADING}\n${rows.join('\n')}\n`, { kind: 'memberships' })).id, how);

before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
  const memberships = await MembershipWorld.of(world);
  await memberships.pack(10, { name: 'Ten' });
  await memberships.recurring([], { price: '80.00' }, { name: 'Monthly' });
  const people = ['ana', 'ben', 'cleo', 'dov'].map((one) => `${one}@example.com,${one}`);
  await work(world, (await upload(world, `Email,First Name\n${people.join('\n')}\n`)).id, 'run');
  const { created_count: created } = await moveIn([
    'A,ana@example.com,Ten,2026-01-05,2026-06-30,180.00,Active',
    'B,ben@example.com,Ten,2026-01-05,2026-06-30,180.00,Active',
    'C,cleo@example.com,Monthly,2026-01-05,2026-06-30,80.00,Active',
    'D,dov@example.com,Ten,2026-01-05,2026-06-30,180.00,Active',
  ]);
  assert.equal(created, 4);
});
after(() => world?.close());

const held = async (): Promise<unknown[]> =>
  (await world.get('/customer_memberships?sort=id', { as: world.machine })).body.results.map((one: any) => [
    one.start_date,
    one.expiration_date,
    one.billed_price.string,
    one.status,
  ]);

test('a later last day of a pass is followed, and every other difference is listed and left as it is', async () => {
  const corrected = [
    'A,ana@example.com,Ten,2026-01-05,2026-09-30,,',
    'B,ben@example.com,Ten,2026-01-06,2026-09-30,18.00,',
    'C,cleo@example.com,Monthly,2026-01-05,2026-09-30,,',
    'D,dov@example.com,Ten,2026-01-05,2026-05-31,180.00,Frozen',
  ];
  const file = await upload(world, `${HEADING}\n${corrected.join('\n')}\n`, { kind: 'memberships' });
  const words = file.questions.filter((one: any) => one.answer === null);
  await world.patch(`/imports/${file.id}`, {
    as: world.machine,
    body: { answers: words.map(({ property, value }: any) => ({ property, value, meaning: 'running' })) },
  });
  const before = await held();
  await work(world, file.id, 'check');
  const foreseen = await fates(world, file.id);
  assert.deepEqual(await held(), before, 'a check changes nothing');
  assert.deepEqual(foreseen, [
    [2, 'changed', []],
    [
      3,
      'unchanged',
      [`Start Date: ${stays('2026-01-05')}`, `End Date: ${stays('2026-06-30')}`, `Price: ${stays('180.00')}`],
    ],
    [4, 'unchanged', [`End Date: ${stays('2026-06-30')}`]],
    [5, 'unchanged', [`End Date: ${stays('2026-06-30')}`, `Status: ${stays('active')}`]],
  ]);
  await work(world, file.id, 'run');
  assert.deepEqual(await fates(world, file.id), foreseen);
  assert.deepEqual(await held(), [
    ['2026-01-05', '2026-09-30', '180.00', 'active'],
    ['2026-01-05', '2026-06-30', '180.00', 'active'],
    ['2026-01-05', '2026-06-30', '80.00', 'active'],
    ['2026-01-05', '2026-06-30', '180.00', 'active'],
  ]);
  const again = await work(world, file.id, 'run');
  assert.deepEqual([again.created_count, again.changed_count, again.unchanged_count], [0, 0, 4]);
});
