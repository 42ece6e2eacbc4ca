/** Words for states in imported files: nobody is billed, seated or made active by a word that nobody understood. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fates, upload, work } from '../test/moving.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { newEvent } from '../../../../test/schedule-world.ts';
import { beside, idle } from '../../../../test/storm.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let memberships: MembershipWorld;
let states: any;
const PEOPLE = ['ana', 'ben', 'cleo', 'dov', 'edda'];

before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
  memberships = await MembershipWorld.of(world);
  await memberships.recurring([], { price: '80.00' }, { name: 'Monthly' });
  for (const trigger of ['customer.created', 'event_registration.created', 'customer_membership.created']) {
    const { body } = await world.post('/crm/workflows', { as: world.machine, body: { name: trigger, trigger } });
    await world.post('/crm/workflow_actions', {
      as: world.machine,
      body: { workflow: body.id, action_type: 'email_customer', subject: 'Welcome', body: 'Hello' },
    });
  }
  await run(await upload(world, `Email,First Name\n${PEOPLE.map((one) => `${one}@example.com,${one}`).join('\n')}\n`));
});
after(() => world?.close());

const run = async (file: any): Promise<any> => {
  await work(world, file.id, 'check');
  return work(world, file.id, 'run');
};

const answer = (id: number, answers: readonly object[]) =>
  world.patch(`/imports/${id}`, { as: world.machine, body: { answers } });

const held = async (): Promise<any[]> =>
  (await world.get('/customer_memberships?expand=customer,active_hold&sort=id', { as: world.machine })).body.results;

test('a membership runs, is on hold or is history by its state, and an unknown word must be answered first', async () => {
  const file = await upload(
    world,
    `Email,Membership,Start Date,End Date,Membership Status
ana@example.com,Monthly,2026-01-10,,Active
ben@example.com,Monthly,2026-01-11,,Frozen
cleo@example.com,Monthly,2026-01-12,2026-02-12,Cancelled
dov@example.com,Monthly,2026-01-13,,Declined
edda@example.com,Monthly,2026-01-14,,declined
edda@example.com,Monthly,2026-01-15,2026-06-15,Leaving
`,
  );
  states = file;
  assert.deepEqual(file.missing, ['answers']);
  assert.deepEqual(
    file.questions.map((q: any) => [q.column, q.value, q.row_count, q.answer, q.known]),
    [
      ['Membership Status', 'Declined', 2, null, false],
      ['Membership Status', 'Leaving', 1, null, false],
      ['Membership Status', 'Active', 1, 'running', true],
      ['Membership Status', 'Frozen', 1, 'paused', true],
      ['Membership Status', 'Cancelled', 1, 'ended', true],
    ],
  );
  const refused = await world.post(`/imports/${file.id}/run`, { as: world.machine });
  assert.equal(refused.status, 409);
  assert.match(refused.body.message ?? refused.text, /such as "Declined"/);
  const wrong = await answer(file.id, [
    { property: 'status', value: 'Declined', meaning: 'booked' },
    { property: 'status', value: 'Alumni', meaning: 'ended' },
  ]);
  assert.deepEqual(Object.keys(wrong.body.field_errors), ['answers.0.meaning', 'answers.1.value']);
  const answered = await answer(file.id, [
    { property: 'status', value: 'Declined', meaning: 'left_out' },
    { property: 'status', value: 'Leaving', meaning: 'ending' },
  ]);
  assert.deepEqual(answered.body.missing, []);
  await run(file);
  assert.deepEqual(await fates(world, file.id), [
    [2, 'created', []],
    [3, 'created', []],
    [4, 'created', []],
    [5, 'rejected', ['Membership Status: means that the row is left out']],
    [6, 'rejected', ['Membership Status: means that the row is left out']],
    [7, 'created', []],
  ]);
  assert.deepEqual(
    (await held()).map((m) => [
      m.customer.first_name,
      m.status,
      m.active_hold?.start_date ?? null,
      m.is_set_for_cancellation,
      m.expiration_date,
    ]),
    [
      ['ana', 'active', null, false, null],
      ['ben', 'hold', '2026-03-02', false, null],
      ['cleo', 'completed', null, false, '2026-02-12'],
      ['edda', 'active', null, true, '2026-06-15'],
    ],
  );
});

test('an ended membership whose last day is still to come is left out, and one whose last day has passed is history', async () => {
  const file = await upload(
    world,
    `Email,Membership,Start Date,End Date,Membership Status
ana@example.com,Monthly,2025-01-10,2026-05-10,Cancelled
ben@example.com,Monthly,2025-01-11,2025-04-11,Active
`,
  );
  await run(file);
  assert.deepEqual(await fates(world, file.id), [
    [
      2,
      'rejected',
      ['Membership Status: has ended there, but its last day is still to come, on 2026-05-10. Correct one of the two'],
    ],
    [3, 'created', ['End Date: has ended, on 2025-04-11: it is kept as history']],
  ]);
});

test('people who wait join the waitlist, those who cancelled are left out, and nobody is seated by an unknown word', async () => {
  const { id: event } = await newEvent(world, memberships.place, {
    name: 'Flow',
    starts_at: '2026-03-10T18:00:00-04:00',
    ends_at: '2026-03-10T19:00:00-04:00',
    max_occupancy: 2,
  });
  const file = await upload(
    world,
    `Email,Class,Date,Time,Booking Status
ana@example.com,Flow,2026-03-10,18:00,Waitlisted
ben@example.com,Flow,2026-03-10,18:00,Booked
cleo@example.com,Flow,2026-03-10,18:00,Late Cancel
dov@example.com,Flow,2026-03-10,18:00,Angemeldet
edda@example.com,Flow,2026-03-10,18:00,Maybe
`,
  );
  assert.equal(file.questions[0].value, 'Maybe');
  await answer(file.id, [{ property: 'status', value: 'Maybe', meaning: 'waiting' }]);
  await run(file);
  assert.deepEqual(
    (await fates(world, file.id)).map(([, fate]) => fate),
    ['created', 'created', 'rejected', 'created', 'created'],
  );
  const { results } = (await world.get(`/waitlist_spots?event=${event}&expand=customer&sort=id`, { as: world.machine }))
    .body;
  assert.deepEqual(
    results?.map((spot: any) => spot.customer.first_name),
    ['ana', 'edda'],
  );
  const again = await work(world, file.id, 'run');
  assert.deepEqual([again.created_count, again.unchanged_count], [0, 4]);
});

test('nobody gets a message about what was imported, neither a notice nor one of a workflow', async () => {
  const owner = await beside(world.databaseUrl);
  await idle(owner);
  await owner.end();
  const caused = await world.work(world.harbour, ({ tx }) =>
    tx.all([
      sql`SELECT subject FROM message WHERE provider_id = ${world.harbour}`,
      sql`SELECT w.trigger FROM workflow_run r JOIN workflow w ON w.provider_id = r.provider_id AND w.id = r.workflow_id
        WHERE r.provider_id = ${world.harbour}`,
      sql`SELECT DISTINCT kind FROM feed_item WHERE provider_id = ${world.harbour} AND payload ? 'import'
          AND kind = ANY(${['customer.created', 'customer_membership.created', 'event_registration.created']}::text[])
        ORDER BY 1`,
    ]),
  );
  assert.deepEqual(caused, [
    [],
    [],
    [{ kind: 'customer.created' }, { kind: 'customer_membership.created' }, { kind: 'event_registration.created' }],
  ]);
});

test('leads are imported as leads, deleted people are left out, and former staff are no staff', async () => {
  const people = await upload(
    world,
    'Email,First Name,Client Status\nflo@example.com,Flo,Prospect\ngus@example.com,Gus,Inactive\nhal@example.com,Hal,Deleted\n',
  );
  assert.deepEqual(people.missing, []);
  assert.deepEqual((await run(people)).created_count, 2);
  const { results } = (await world.get('/customers?query=flo@example.com&fields=is_lead', { as: world.machine })).body;
  assert.equal(results[0].is_lead, true);
  const staff = await upload(
    world,
    'First name,Last name,Email,Role,Status\nIda,Moor,ida@example.com,Teacher,Active\nJon,Moor,jon@example.com,Teacher,Former\n',
  );
  assert.deepEqual((await run(staff)).created_count, 1);
});

test('an undo ends running, paused, ending and past memberships together, as entered by mistake', async () => {
  const undone = await world.post(`/imports/${states.id}/undo`, { as: world.machine });
  assert.deepEqual([undone.body.undone_count, undone.body.kept], [4, []], undone.text);
  const ended = await world.work(world.harbour, ({ tx, providerId }) =>
    tx.all([
      sql`SELECT status, cancellation_reason AS reason, is_set_for_cancellation AS ends, expiration_date::text AS last
        FROM customer_membership WHERE provider_id = ${providerId} ORDER BY id LIMIT 4`,
      sql`SELECT count(*)::int AS n FROM customer_membership_hold WHERE provider_id = ${providerId}
        AND end_date IS NULL`,
      sql`SELECT count(*)::int AS n FROM feed_item WHERE provider_id = ${providerId}
        AND kind = 'customer_membership.cancelled'`,
    ]),
  );
  assert.deepEqual(ended, [
    ['2026-03-02', '2026-03-02', '2026-02-12', '2026-03-02'].map((last) => ({
      status: 'cancelled',
      reason: 'mistake',
      ends: false,
      last,
    })),
    [{ n: 0 }],
    [{ n: 4 }],
  ]);
  const again = await work(world, states.id, 'run');
  assert.deepEqual([again.created_count, again.unchanged_count], [4, 0]);
});
