/** Imported plans are billed only after somebody has approved it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { renewDue } from '../../memberships/customer-memberships/index.ts';
import { upload, work } from './test/moving.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
const DAY = 86_400_000;
const NOW = Date.parse('2026-03-02T17:00:00Z');

before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(NOW);
  const memberships = await MembershipWorld.of(world);
  await memberships.recurring([], { price: '80.00' }, { name: 'Monthly' });
  await memberships.pack(10, { name: 'Ten' });
  const people = await upload(
    world,
    'Email,First Name\nana@example.com,Ana\nben@example.com,Ben\ncleo@example.com,Cleo\n',
  );
  await work(world, people.id, 'run');
});
after(() => world?.close());

const FILE = `Email,Membership,Start Date,Price,Status
ana@example.com,Monthly,2026-01-10,75.00,Active
ben@example.com,Monthly,2026-01-20,,Active
cleo@example.com,Monthly,2026-01-20,,On hold
cleo@example.com,Ten,2026-01-20,,Active
`;

const held = async (query = ''): Promise<any[]> => {
  const fields = 'id,awaits_approval,first_charge_date,next_billing_date,billed_price,status';
  return (await world.get(`/customer_memberships?fields=${fields}&sort=id${query}`, { as: world.machine })).body
    .results;
};

/** Reports billing periods as on that day, and returns the first days of those that were reported. */
async function renewedOn(day: string): Promise<string[]> {
  world.setNow(Date.parse(`${day}T17:00:00Z`));
  await world.work(world.harbour, renewDue);
  return world.work(world.harbour, async ({ tx, providerId }) =>
    (
      await tx.rows<{ day: string }>(sql`SELECT payload->>'period_start_date' AS day FROM feed_item
        WHERE provider_id = ${providerId} AND kind = 'customer_membership.renewed' ORDER BY 1`)
    ).map(({ day: start }) => start),
  );
}

test('a check says what is charged in the next 40 days, and an imported plan is billed only once it is approved', async () => {
  const file = await upload(world, FILE);
  const checked = await work(world, file.id, 'check');
  const expected = [
    { date: '2026-03-10', count: 1, amount: '75.00' },
    { date: '2026-03-20', count: 1, amount: '80.00' },
    { date: '2026-04-10', count: 1, amount: '75.00' },
  ];
  assert.deepEqual(checked.charges, expected);
  assert.deepEqual((await work(world, file.id, 'run')).charges, expected);
  assert.deepEqual(
    (await held()).map((m) => [m.awaits_approval, m.first_charge_date, m.next_billing_date, m.status]),
    [
      [true, '2026-03-10', null, 'active'],
      [true, '2026-03-20', null, 'active'],
      [true, null, null, 'hold'],
      [false, null, null, 'active'],
    ],
  );
  assert.deepEqual(await renewedOn('2026-03-25'), []);

  const [ana] = await held();
  const desk = world.staff(['customers']);
  assert.equal((await world.post('/customer_memberships/approve_renewals', { as: desk, body: {} })).status, 403);
  const body = { customermembership_ids: [ana.id] };
  const preview = await world.post('/customer_memberships/approve_renewals?dry_run=true', { as: world.machine, body });
  assert.equal(preview.status, 200, preview.text);
  assert.equal((await held('&awaits_approval=true')).length, 3);
  const one = await world.post('/customer_memberships/approve_renewals', { as: world.machine, body });
  assert.deepEqual(one.body, { approved: 1, waiting: 2 });
  assert.deepEqual(
    (await held('&awaits_approval=false')).map((m) => m.next_billing_date),
    ['2026-04-10', null],
  );
  const all = await world.post('/customer_memberships/approve_renewals', { as: world.machine, body: {} });
  assert.deepEqual(all.body, { approved: 2, waiting: 0 });
  // The period of March 10 began before the approval: nobody bills it.
  assert.deepEqual(await renewedOn('2026-04-21'), ['2026-04-10', '2026-04-20']);
});

test('the database itself keeps a plan that nobody approved from being billed', async () => {
  world.setNow(NOW + 60 * DAY);
  const file = await upload(world, 'Email,Membership,Start Date\nana@example.com,Monthly,2026-02-11\n');
  await work(world, file.id, 'run');
  await assert.rejects(
    world.work(world.harbour, ({ tx, providerId }) =>
      tx.run(sql`UPDATE customer_membership SET renews_on = '2026-05-11'
        WHERE provider_id = ${providerId} AND awaits_approval`),
    ),
    /customer_membership_unapproved/,
  );
});
