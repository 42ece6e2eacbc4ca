import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside } from '../../../../test/storm.ts';
import {
  book,
  feedEnd,
  feedSince,
  newCustomers,
  newEvent,
  newOffering,
  newPlace,
  seats,
  type Place,
} from '../../../../test/schedule-world.ts';
import { expirePlaces } from './waiting.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let place: Place;
let owner: pg.Client;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const MINUTE = 60_000;
const as = () => world.machine;
const done = async (path: string, body: object): Promise<any> => {
  const answer = await world.post(path, { as: as(), body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const join = (event: number, customer: number) => done(`/events/${event}/join_waitlist`, { customer });
const leave = (event: number, customer: number) => done(`/events/${event}/leave_waitlist`, { customer });
const cancel = (event: number, customer: number) => done(`/events/${event}/unregister`, { customer });
const policy = async (...waitlist_policy: object[]) => {
  const answer = await world.patch(`/providers/${world.harbour}`, {
    as: as(),
    body: { waitlist_settings: { waitlist_policy } },
  });
  assert.equal(answer.status, 200, answer.text);
};
const AUTO = { until_minutes_before: null, action: 'auto_promote' };
const RESERVE = { until_minutes_before: null, action: 'reserve', claim_minutes: 30 };

interface Listed {
  readonly id: number;
  readonly customer: number;
  readonly status: string;
  readonly waitlist_spot: { readonly id: number; readonly status: string; readonly position: number | null } | null;
}

const FIELDS = 'fields=id,customer,status,waitlist_spot.id,waitlist_spot.status,waitlist_spot.position';
const listed = async (query: string): Promise<Listed[]> =>
  (await world.get(`/attendances?${query}&${FIELDS}`, { as: as() })).body.results;
const of = async (event: number, customer: number): Promise<Listed> => {
  const found = await listed(`event=${event}&customer=${customer}`);
  assert.equal(found.length, 1);
  return found[0];
};
const whoPlans = async (event: number) =>
  (await listed(`event=${event}&status=plans_to_attend`)).map((a) => a.customer);

/** Creates a full event of one place, and customers on its waitlist in order. */
async function fullEvent(
  waiting: number,
  over: Record<string, any> = {},
  at = place,
): Promise<{ id: number; in: number; waits: number[] }> {
  const [first, ...waits] = await newCustomers(world, 1 + waiting);
  const { id } = await newEvent(world, at, { max_occupancy: 1, ...over });
  assert.equal((await book(world, id, first)).status, 200);
  for (const customer of waits) await join(id, customer);
  return { id, in: first, waits };
}

test('a customer on the waitlist has an attendance that is not registered and shows the spot, in lists and by its id', async () => {
  await policy(AUTO);
  const from = await feedEnd(world);
  const e = await fullEvent(2);
  const all = await listed(`event=${e.id}`);
  assert.deepEqual(
    all.map((a) => [a.customer, a.status, a.waitlist_spot?.status ?? null, a.waitlist_spot?.position ?? null]),
    [
      [e.in, 'registered', null, null],
      [e.waits[0], 'not_registered', 'on_waitlist', 1],
      [e.waits[1], 'not_registered', 'on_waitlist', 2],
    ],
  );
  const { body } = await world.get(`/attendances/${all[1].id}?expand=waitlist_spot`, { as: as() });
  assert.deepEqual(
    [body.id, body.event, body.customer, body.status, body.customer_membership, body.waitlist_spot.id],
    [all[1].id, e.id, e.waits[0], 'not_registered', null, all[1].waitlist_spot!.id],
  );
  const joined = (await feedSince(world, from)).filter((i) => i.kind === 'waitlist.joined');
  assert.deepEqual(
    joined.map((i) => i.payload.attendance),
    [all[1].id, all[2].id],
  );
});

test('`plans_to_attend` finds registered customers and the waitlist, and no other status finds the waitlist as booked', async () => {
  const e = await fullEvent(2);
  await leave(e.id, e.waits[1]);
  assert.deepEqual(await whoPlans(e.id), [e.in, e.waits[0]]);
  assert.deepEqual(
    (await listed(`event=${e.id}&status=registered`)).map((a) => a.customer),
    [e.in],
  );
  assert.deepEqual(
    (await listed(`event=${e.id}&status=registered,attended,no_show,late_cancelled`)).map((a) => a.customer),
    [e.in],
  );
  assert.deepEqual(
    (await listed(`event=${e.id}&status=not_registered`)).map((a) => a.customer),
    e.waits,
  );
});

test('a customer on the waitlist takes no seat, cannot be marked or unregistered, and is in no list of the event’s bookings', async () => {
  const e = await fullEvent(2);
  assert.deepEqual(await seats(world, e.id), { attending: 1, held: 0, waiting: 2, booked: 1 });
  const { body } = await world.get(`/events/${e.id}?fields=small_session_attendances,attending_count,waiting_count`, {
    as: as(),
  });
  assert.deepEqual(body, {
    small_session_attendances: [(await of(e.id, e.in)).id],
    attending_count: 1,
    waiting_count: 2,
  });
  const { id } = await of(e.id, e.waits[0]);
  for (const status of ['attended', 'no_show', 'registered']) {
    const refused = await world.patch(`/attendances/${id}`, { as: as(), body: { status } });
    assert.deepEqual([refused.status, refused.body.code], [400, 'not_registered']);
  }
  for (const action of ['confirm_attendance', 'unregister']) {
    assert.equal(
      (await world.post(`/events/${e.id}/${action}`, { as: as(), body: { customer: e.waits[0] } })).body.code,
      'not_registered',
    );
  }
  assert.deepEqual(await seats(world, e.id), { attending: 1, held: 0, waiting: 2, booked: 1 });
});

test('the count of all attendances is exact, including the waitlist', async () => {
  await fullEvent(3);
  const {
    rows: [{ n }],
  } = await owner.query('SELECT count(*)::int AS n FROM attendance WHERE provider_id = $1', [world.harbour]);
  assert.equal((await world.get('/attendances?page_size=1', { as: as() })).body.count, n);
});

test('the attendance becomes the booking and keeps its id, whether by promotion, by a claim or by booking a free place', async () => {
  await policy(AUTO);
  const promoted = await fullEvent(1);
  const before = await of(promoted.id, promoted.waits[0]);
  await cancel(promoted.id, promoted.in);
  assert.deepEqual(await of(promoted.id, promoted.waits[0]), { ...before, status: 'registered', waitlist_spot: null });
  const { results } = (await world.get(`/audit_entries?object=attendance&object_id=${before.id}`, { as: as() })).body;
  assert.deepEqual(
    results.map((r: any) => [r.before?.status ?? null, r.after.status]).toSorted(),
    [
      ['not_registered', 'registered'],
      [null, 'not_registered'],
    ].toSorted(),
  );

  await policy(RESERVE);
  const claimed = await fullEvent(1);
  const waiting = await of(claimed.id, claimed.waits[0]);
  await cancel(claimed.id, claimed.in);
  assert.deepEqual(await of(claimed.id, claimed.waits[0]), {
    ...waiting,
    waitlist_spot: { id: waiting.waitlist_spot!.id, status: 'spot_reserved', position: 1 },
  });
  assert.deepEqual(await whoPlans(claimed.id), [claimed.waits[0]]);
  const from = await feedEnd(world);
  assert.equal((await book(world, claimed.id, claimed.waits[0])).body.attendance, waiting.id);
  assert.deepEqual(await of(claimed.id, claimed.waits[0]), { ...waiting, status: 'registered', waitlist_spot: null });
  assert.deepEqual(
    (await feedSince(world, from)).map((i) => [i.kind, i.payload.attendance]),
    [
      ['waitlist.ended', waiting.id],
      ['event_registration.created', waiting.id],
    ],
  );

  await policy({ until_minutes_before: null, action: 'broadcast' });
  const told = await fullEvent(1);
  const one = await of(told.id, told.waits[0]);
  await cancel(told.id, told.in);
  assert.equal((await book(world, told.id, told.waits[0])).body.attendance, one.id);
});

test('if a spot ends without a booking the attendance keeps its id, and the next spot reuses it', async () => {
  await policy(AUTO);
  const e = await fullEvent(1);
  const { id } = await of(e.id, e.waits[0]);
  const from = await feedEnd(world);
  await leave(e.id, e.waits[0]);
  assert.deepEqual(await of(e.id, e.waits[0]), {
    id,
    customer: e.waits[0],
    status: 'not_registered',
    waitlist_spot: null,
  });
  assert.deepEqual(
    (await feedSince(world, from)).map((i) => [i.kind, i.payload.attendance]),
    [['waitlist.left', id]],
  );
  const again = await join(e.id, e.waits[0]);
  assert.deepEqual(await of(e.id, e.waits[0]), {
    id,
    customer: e.waits[0],
    status: 'not_registered',
    waitlist_spot: { id: again.id, status: 'on_waitlist', position: 1 },
  });
  assert.equal((await world.post(`/events/${e.id}/cancel`, { as: as(), body: {} })).status, 200);
  assert.deepEqual(await of(e.id, e.waits[0]), {
    id,
    customer: e.waits[0],
    status: 'not_registered',
    waitlist_spot: null,
  });
  assert.equal((await feedSince(world, from)).find((i) => i.kind === 'waitlist.ended')!.payload.attendance, id);
});

test('an expired or rejected spot is shown until the customer joins again', async () => {
  await policy(RESERVE);
  const e = await fullEvent(2);
  const [late, next] = [await of(e.id, e.waits[0]), await of(e.id, e.waits[1])];
  await cancel(e.id, e.in);
  const from = await feedEnd(world);
  world.setNow(world.now + 31 * MINUTE);
  await world.work(world.harbour, (work) => expirePlaces(work, e.id));
  assert.deepEqual(await of(e.id, e.waits[0]), {
    ...late,
    waitlist_spot: { id: late.waitlist_spot!.id, status: 'expired', position: null },
  });
  assert.deepEqual(
    (await feedSince(world, from)).map((i) => [i.kind, i.payload.attendance]),
    [
      ['waitlist.expired', late.id],
      ['waitlist.offered', next.id],
    ],
  );
  assert.deepEqual(await whoPlans(e.id), [e.waits[1]]);
  const spot = await join(e.id, e.waits[0]);
  assert.deepEqual((await of(e.id, e.waits[0])).waitlist_spot, { id: spot.id, status: 'on_waitlist', position: 1 });

  await policy(AUTO);
  const other = await fullEvent(1);
  const was = await of(other.id, other.waits[0]);
  await owner.query('UPDATE customer SET participating = false WHERE id = $1', [other.waits[0]]);
  await cancel(other.id, other.in);
  assert.deepEqual(await of(other.id, other.waits[0]), {
    ...was,
    waitlist_spot: { id: was.waitlist_spot!.id, status: 'rejected', position: null },
  });
});

test('a customer who cancelled late and joins again is still late: joining undoes no count', async () => {
  const offering = await newOffering(world, { cancellation_notice_interval: 24 * 60 });
  const [late, other] = await newCustomers(world, 2);
  const { id } = await newEvent(world, { ...place, offering }, { max_occupancy: 1, in: 12 });
  const { attendance } = (await book(world, id, late)).body;
  await cancel(id, late);
  await book(world, id, other);
  const spot = await join(id, late);
  assert.deepEqual(await of(id, late), {
    id: attendance,
    customer: late,
    status: 'late_cancelled',
    waitlist_spot: { id: spot.id, status: 'on_waitlist', position: 1 },
  });
  assert.deepEqual(await whoPlans(id), [late, other]);
});

test('customers see their own spot, and nobody else’s', async () => {
  const e = await fullEvent(2);
  const [mine, other] = [await of(e.id, e.waits[0]), await of(e.id, e.waits[1])];
  const seen = await world.get(`/attendances?event=${e.id}&expand=waitlist_spot`, { as: world.customer(e.waits[0]) });
  assert.deepEqual(
    seen.body.results.map((a: any) => [a.id, a.waitlist_spot.id]),
    [[mine.id, mine.waitlist_spot!.id]],
  );
  assert.equal((await world.get(`/attendances/${other.id}`, { as: world.customer(e.waits[0]) })).status, 404);
});

test('the database itself refuses a spot without an attendance, regardless of the writer', async () => {
  const [customer] = await newCustomers(world, 1);
  const { id } = await newEvent(world, place);
  await assert.rejects(
    owner.query('INSERT INTO waitlist_spot (provider_id, event_id, customer_id) VALUES ($1, $2, $3)', [
      world.harbour,
      id,
      customer,
    ]),
    { constraint: 'waitlist_spot_attendance' },
  );
});
