import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { newCustomers } from '../../../../test/schedule-world.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { reader } from '../test/seeds.ts';
import { runNext } from './engine.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { writeNext } from '../exports/engine.ts';
import type { StaffPermission } from '../../../people/staff/index.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true });
  await newCustomers(world, 2);
  // A Monday; it is 08:00 in Toronto.
  world.setNow(Date.parse('2027-06-07T12:00:00Z'));
});
after(() => world.close());
beforeEach(async () => {
  // Only schedules that a test creates are due in it.
  await query(
    sql`UPDATE report_schedule SET status = 'paused', next_run_at = NULL WHERE provider_id = ${world.harbour}
      RETURNING id`,
  );
});

interface Person {
  readonly id: number;
  readonly as: string;
}

/** Creates a staff member with a token. */
async function person(...permissions: StaffPermission[]): Promise<Person> {
  const id = await reader(world, world.harbour, permissions);
  return { id, as: world.staff(permissions, id) };
}

const body = (recipients: readonly Person[], over: object = {}) => ({
  report: 'customers',
  format: 'json',
  asked: { columns: ['id', 'email'] },
  frequency: 'weekly',
  day_of_week: 'tuesday',
  time: '07:00',
  recipients: recipients.map(({ id }) => id),
  ...over,
});

async function planned({ as }: Person, of: object): Promise<any> {
  const made = await world.post('/report_schedules', { as, body: of });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const shown = async (id: number): Promise<any> =>
  (await world.get(`/report_schedules/${id}`, { as: world.machine })).body;

/** Runs due schedules, and writes the files they requested. */
async function runAt(at: string): Promise<void> {
  world.setNow(Date.parse(at));
  // A second later, the time would be different.
  world.stopNow();
  const own = ownContext(world) as never;
  while (await runNext(own));
  while (await writeNext(own));
}

const query = <T extends Record<string, unknown>>(statement: ReturnType<typeof sql>): Promise<T[]> =>
  world.work(world.harbour, ({ tx }) => tx.rows<T>(statement));

const mails = ({ id }: Person) =>
  query<{ kind: string; subject: string; text: string }>(
    sql`SELECT kind, subject, text_part AS text FROM message WHERE provider_id = ${world.harbour} AND staff_id = ${id}
      ORDER BY id`,
  );

const exportsOf = (schedule: number) =>
  query<{ id: number; staff_id: number; state: string }>(
    sql`SELECT id, staff_id, state FROM report_export WHERE provider_id = ${world.harbour} AND schedule_id = ${schedule}
      ORDER BY id`,
  );

test('each recipient gets a link to their own file, with what they may see, and nobody else can use it', async () => {
  const [owner, other] = [await person('super_admin'), await person('revenue', 'customers')];
  const { id, next_run_at, status } = await planned(
    owner,
    body([owner, other], { asked: { columns: ['account_credit_balance'] } }),
  );
  assert.deepEqual([next_run_at, status], ['2027-06-08T07:00:00-04:00', 'active']);
  await runAt('2027-06-08T10:59:59Z');
  assert.deepEqual(await exportsOf(id), []);
  await runAt('2027-06-08T11:00:00Z');
  assert.deepEqual(
    (await exportsOf(id)).map(({ staff_id, state }) => [staff_id, state]),
    [owner.id, other.id].map((staff) => [staff, 'complete']),
  );
  for (const [mine, theirs] of [
    [owner, other],
    [other, owner],
  ]) {
    const [mail, ...more] = await mails(mine);
    assert.deepEqual([mail.kind, mail.subject, more], ['scheduled_report', 'Your report is ready: Customers', []]);
    const [, file] = new RegExp(`https?://\\S+/account/${world.harbour}/report-files/(\\d+)$`).exec(mail.text)!;
    const link = `/report_exports/${file}/file`;
    assert.equal((await world.get(link, { as: mine.as })).status, 200);
    // Another login of the same person is the same person.
    assert.equal((await world.get(link, { as: world.staff(['super_admin'], mine.id) })).status, 200);
    for (const as of [theirs.as, world.machine]) assert.equal((await world.get(link, { as })).status, 404);
    assert.equal((await world.get(link)).status, 401);
  }
  const { last_run_at, next_run_at: next } = await shown(id);
  assert.deepEqual([last_run_at, next], ['2027-06-08T07:00:00-04:00', '2027-06-15T07:00:00-04:00']);
});

test('a file contains what its recipient may see on the day it is written', async () => {
  const [owner, other] = [await person('super_admin'), await person('attendances')];
  const { id } = await planned(
    owner,
    body([other], { report: 'attendances', asked: { columns: ['customer'], include_future: true } }),
  );
  await runAt('2027-06-15T11:00:00Z');
  const [{ id: file }] = await exportsOf(id);
  const rows = (await world.get(`/report_exports/${file}/file`, { as: other.as })).body;
  for (const { customer } of rows) assert.equal(customer.email, null);
});

test('a schedule runs once however many workers there are, and once for all missed times', async () => {
  const owner = await person('super_admin');
  const { id } = await planned(owner, body([owner], { day_of_week: 'wednesday' }));
  world.setNow(Date.parse('2027-07-30T12:00:00Z'));
  const own = ownContext(world) as never;
  await Promise.all(Array.from({ length: 4 }, () => runNext(own)));
  assert.equal((await exportsOf(id)).length, 1);
  assert.equal((await shown(id)).next_run_at, '2027-08-04T07:00:00-04:00');
});

test('a failed run is rolled back completely, and does not delay others', async () => {
  const owner = await person('super_admin');
  const wrong = await planned(owner, body([owner], { frequency: 'monthly', day_of_week: null, day_of_month: 31 }));
  const right = await planned(
    owner,
    body([owner], { frequency: 'monthly', day_of_week: null, day_of_month: 31, time: '07:01' }),
  );
  assert.equal(right.next_run_at, '2027-07-31T07:01:00-04:00');
  const own: any = ownContext(world);
  const failing = { ...own, db: failOnce(own.db) };
  world.setNow(Date.parse('2027-07-31T12:00:00Z'));
  while (await runNext(failing));
  assert.equal((await exportsOf(wrong.id)).length, 0);
  assert.equal((await exportsOf(right.id)).length, 1);
  world.setNow(Date.parse('2027-07-31T12:11:00Z'));
  while (await runNext(own));
  assert.equal((await exportsOf(wrong.id)).length, 1);
  assert.equal((await shown(right.id)).next_run_at, '2027-08-31T07:01:00-04:00');
});

/** Returns a database whose first transaction is rolled back after everything was written. */
function failOnce(db: any): any {
  let failed = false;
  return {
    acrossTenants: (...args: any[]) => db.acrossTenants(...args),
    transaction: (provider: number, act: any) =>
      db.transaction(provider, async (tx: unknown) => {
        const result = await act(tx);
        if (!failed) {
          failed = true;
          throw new Error('the process was killed');
        }
        return result;
      }),
  };
}

const PAUSED: Record<
  string,
  [change: (of: { owner: Person; other: Person }) => object[], told: 'owner' | 'admins', why: RegExp]
> = {
  'the owner lost the permission': [
    ({ owner }) => [{ id: owner.id, permissions: ['store'] }],
    'owner',
    /may no longer read the report/,
  ],
  'the owner no longer works there': [
    ({ owner }) => [{ id: owner.id, archived: true }],
    'admins',
    /no longer works here/,
  ],
  'no recipient may read the report any longer': [
    ({ other }) => [{ id: other.id, permissions: ['store'] }],
    'owner',
    /None of its recipients/,
  ],
};

for (const [what, [change, told, why]] of Object.entries(PAUSED))
  test(`it is paused, with a notice that says why, if ${what}`, async () => {
    world.setNow(Date.parse('2027-08-02T12:00:00Z'));
    const [owner, other, admin] = [await person('customers'), await person('customers'), await person('super_admin')];
    const { id } = await planned(owner, body([other], { day_of_week: 'friday' }));
    for (const { id: staff, permissions, archived = false } of change({ owner, other }) as any[])
      await query(
        sql`UPDATE staff SET permissions = coalesce(${permissions ?? null}::text[], permissions), archived = ${archived}
          WHERE provider_id = ${world.harbour} AND id = ${staff} RETURNING id`,
      );
    await runAt('2027-08-06T12:00:00Z');
    const { status, status_reason, next_run_at } = await shown(id);
    assert.deepEqual([status, next_run_at], ['paused', null]);
    assert.match(status_reason, why);
    assert.deepEqual(await exportsOf(id), []);
    const letters = (await mails(told === 'owner' ? owner : admin)).filter(
      ({ kind }) => kind === 'report_schedule_paused',
    );
    assert.equal(letters.filter(({ text }) => text.includes(status_reason)).length, 1);
    const items = await query(
      sql`SELECT kind FROM feed_item WHERE object = 'report_schedule' AND object_id = ${id} ORDER BY id`,
    );
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['report_schedule.created', 'report_schedule.paused'],
    );
  });

test('an invalid schedule is refused, with the remedy', async () => {
  const [owner, other] = [await person('customers'), await person('store')];
  const refused = async (over: object, status = 400, as = owner.as) => {
    const answer = await world.post('/report_schedules', { as, body: body([owner], over) });
    assert.equal(answer.status, status, answer.text);
    return answer.body.field_errors;
  };
  assert.match(
    (await refused({ recipients: [other.id] })).recipients[0],
    /can’t read the report: \d+\. Leave them out/,
  );
  assert.match(
    (await refused({ frequency: 'monthly' })).day_of_month[0],
    /This field is required if frequency is monthly/,
  );
  assert.match((await refused({ day_of_month: 3 })).day_of_month[0], /Leave it out/);
  assert.ok((await refused({ asked: { columns: ['shoe_size'] } }))['asked.columns.0']);
  assert.ok((await refused({ asked: { shoe_size: 1 } }))['asked.shoe_size']);
  assert.ok((await refused({ report: 'shoes' })).report);
  assert.match(
    (await refused({ report: 'gift_cards', form: 'groups', asked: {} }, 400, world.machine)).form[0],
    /has no groups/,
  );
  await refused({}, 403, other.as);
});

test('staff see their own schedules, and super admins see all', async () => {
  const [owner, other, admin] = [await person('customers'), await person('customers'), await person('super_admin')];
  const { id } = await planned(owner, body([other]));
  const path = `/report_schedules/${id}`;
  for (const [{ as }, status] of [
    [owner, 200],
    [admin, 200],
    [other, 404],
  ] as const) {
    assert.equal((await world.get(path, { as })).status, status);
    assert.equal((await world.patch(`${path}?dry_run=true`, { as, body: { time: '09:00' } })).status, status);
  }
});

test('a schedule can be paused, resumed, changed and deleted, and its files stay', async () => {
  const owner = await person('super_admin');
  const { id } = await planned(owner, body([owner], { day_of_week: 'tuesday' }));
  const patch = async (change: object) =>
    (await world.patch(`/report_schedules/${id}`, { as: owner.as, body: change })).body;
  assert.partialDeepStrictEqual(await patch({ status: 'paused' }), { status: 'paused', next_run_at: null });
  await runAt('2027-08-03T12:00:00Z');
  assert.deepEqual(await exportsOf(id), []);
  assert.partialDeepStrictEqual(await patch({ status: 'active', frequency: 'monthly', day_of_month: 31 }), {
    day_of_week: null,
    next_run_at: '2027-08-31T07:00:00-04:00',
  });
  await runAt('2027-08-31T12:00:00Z');
  const [{ id: file }] = await exportsOf(id);
  assert.equal((await world.delete(`/report_schedules/${id}`, { as: owner.as })).status, 204);
  assert.equal((await world.get(`/report_exports/${file}/file`, { as: owner.as })).status, 200);
});

test('a business that moves to another zone runs its schedules by its new clock', async () => {
  const owner = await person('super_admin');
  const { id } = await planned(owner, body([owner], { frequency: 'monthly', day_of_week: null, day_of_month: 5 }));
  assert.equal((await shown(id)).next_run_at, '2027-09-05T07:00:00-04:00');
  const moved = await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { timezone: 'Europe/Berlin' },
  });
  assert.equal(moved.status, 200, moved.text);
  const [{ at }] = await query(
    sql`SELECT to_char(next_run_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS at FROM report_schedule
      WHERE id = ${id}`,
  );
  assert.equal(at, '2027-09-05 05:00');
});
