import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../kernel/base/db/sql.ts';
import { book, iso, newCustomers, newEvent, newPlace, newVenue, row, seats } from '../../../test/schedule-world.ts';
import { beside, contradictions, times, until } from '../../../test/storm.ts';
import { CrmWorld } from '../../../test/worlds/crm-world.ts';
import { ownContext } from '../../../test/own-context.ts';
import { holdSeats } from '../../scheduling/schedule/index.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { seed } from '../../../test/seeds.ts';

let c: CrmWorld;
before(async () => {
  c = await CrmWorld.start();
});
after(() => c.close());

const merge = (kept: number, merged: number, query = '') =>
  c.world.post(`/customers/${kept}/merge${query}`, { as: c.world.machine, body: { from: merged } });
const get = async (path: string) => (await c.world.get(path, { as: c.world.machine })).body;

/** Foreign keys to a customer whose rows are moved, as in the database's catalog. */
const POINTERS = `
  SELECT c.conrelid::regclass::text AS "table", a.attname AS "column" FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey) AND a.attname <> 'provider_id'
  WHERE c.contype = 'f' AND c.confrelid = 'customer'::regclass AND c.confdeltype <> 'c' ORDER BY 1, 2`;

/** Rows that the area of bookings merges before the rest is moved. */
const DECIDED = ['attendance', 'checkin', 'seat_hold', 'waitlist_spot'];

// Guards against: A merge that loses or doubles something
test('every table that refers to a customer can be moved like all others, including future ones', async () => {
  const { rows: pointers } = await c.owner.query(POINTERS);
  assert.ok(pointers.length >= 12);
  const { rows: twice } = await c.owner.query(`
    SELECT x.indrelid::regclass::text AS "table", 0 = ANY(x.indkey::int2[]) AS computed,
      EXISTS (SELECT FROM pg_constraint f WHERE f.contype = 'f' AND f.confrelid = x.indrelid
        AND f.conrelid <> x.indrelid AND f.confdeltype <> 'c') AS referred_to
    FROM pg_index x JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = ANY(x.indkey::int2[])
    WHERE x.indisunique AND (x.indrelid::regclass::text, a.attname::text) IN (SELECT "table", "column"::text
      FROM (${POINTERS}) p)`);
  for (const { table, computed, referred_to } of twice) {
    if (DECIDED.includes(table)) continue;
    assert.ok(!computed, `${table}: of a unique expression a merge cannot tell which rows are there twice`);
    assert.ok(
      !referred_to,
      `${table}: a row that is there twice is dropped, and others refer to it; decide about it in the area`,
    );
  }
  // Except for the one that test databases have in addition (lock-order.ts).
  const { rows: triggers } = await c.owner.query(
    `SELECT DISTINCT p."table" FROM pg_trigger t JOIN (${POINTERS}) p ON p."table" = t.tgrelid::regclass::text
      JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attname = p."column"
     WHERE NOT t.tgisinternal AND t.tgname <> 'locked_before_moving' AND t.tgtype & 2 = 2 AND t.tgtype & 16 = 16
       AND (cardinality(t.tgattr::int2[]) = 0 OR a.attnum = ANY(t.tgattr::int2[]))`,
  );
  assert.deepEqual(
    triggers.filter((t) => !DECIDED.includes(t.table)),
    [],
    'a trigger may refuse the move',
  );
});

test('everything of the merged customer belongs to the kept one, whatever table it is in', async () => {
  const [kept, merged] = await newCustomers(c.world, 2);
  const [shared, own] = [await c.label('Shared'), await c.label('Own')];
  for (const [customer, label] of [
    [kept, shared],
    [merged, shared],
    [merged, own],
  ] as const)
    await c.post(`/customers/${customer}/add_label`, { label: label.id });
  const note = await c.post('/customer_notes', { customer: merged, text: 'Likes rowing' });
  const task = await c.post('/customer_tasks', { customer: merged, title: 'Call' });
  const timeline = await seed(c.world, 'registration_timeline');
  await c.owner.query(`INSERT INTO registration_timeline_customer SELECT $1, $2, unnest($3::bigint[])`, [
    c.world.harbour,
    timeline,
    [kept, merged],
  ]);
  const { id: event } = await newEvent(c.world, await newPlace(c.world));
  const { attendance } = (await book(c.world, event, merged)).body;
  const venue = await newVenue(c.world);
  for (const [customer, day] of [
    [kept, '2026-01-01'],
    [merged, '2026-01-01'],
    [merged, '2026-01-02'],
  ] as const)
    await c.came(customer, day, venue);
  const answer = await merge(kept, merged);
  assert.deepEqual([answer.status, answer.body.id], [200, kept], answer.text);
  assert.deepEqual(await c.labelsOf(kept), ['own', 'shared']);
  assert.deepEqual(
    [
      (await get(`/customer_notes/${note.id}`)).customer,
      (await get(`/customer_tasks/${task.id}`)).customer,
      (await get(`/attendances/${attendance}`)).customer,
    ],
    [kept, kept, kept],
  );
  const { rows } = await c.owner.query(
    `SELECT checkin_date::text AS day FROM checkin WHERE customer_id = $1 ORDER BY 1`,
    [kept],
  );
  assert.deepEqual(
    rows.map((r) => r.day),
    ['2026-01-01', '2026-01-02'],
  );
  for (const { table, column } of (await c.owner.query(POINTERS)).rows) {
    assert.equal(
      (await c.owner.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [merged])).rowCount,
      0,
      `${table}.${column}`,
    );
  }
});

test('the merged customer is 404 everywhere, and the feed and the audit say into which one it was merged', async () => {
  const [kept, merged, third] = await newCustomers(c.world, 3);
  const recorded = await c.recordsOf(() => merge(kept, merged));
  assert.deepEqual(recorded.at(-1), { kind: 'customer.merged', payload: { customer: merged, into: kept } });
  assert.ok(recorded.every((t) => ['customer.merged', 'customer.updated'].includes(t.kind)));
  for (const path of ['', '/messages', '?fields=id'])
    assert.equal((await c.world.get(`/customers/${merged}${path}`, { as: c.world.machine })).status, 404, path);
  assert.equal((await get(`/customers?ids=${merged}`)).count, 0);
  assert.equal((await merge(third, merged)).status, 400);
  assert.equal((await merge(merged, third)).status, 404);
  const entries = (await get(`/audit_entries?object=customer&object_id=${merged}`)).results;
  assert.equal(entries[0].action, 'POST /customers/{id}/merge');
  assert.equal((await merge(third, kept)).status, 200);
  const { rows } = await c.owner.query('SELECT into_id::int AS into FROM customer_merge WHERE customer_id = $1', [
    merged,
  ]);
  assert.equal(rows[0].into, third, 'what was merged before goes on with whom it was merged into');
});

test('if both had a seat, one is freed and given to the waitlist, and no cancellation is recorded', async () => {
  const [kept, merged, waiting] = await newCustomers(c.world, 3);
  const { id: event } = await newEvent(c.world, await newPlace(c.world), { max_occupancy: 2 });
  const first = (await book(c.world, event, kept)).body.attendance;
  const second = (await book(c.world, event, merged)).body.attendance;
  await c.post(`/events/${event}/join_waitlist`, { customer: waiting });
  const recorded = await c.recordsOf(() => merge(kept, merged));
  assert.deepEqual(
    recorded.filter((t) => t.kind !== 'customer.updated').map((t) => t.kind),
    ['attendance.deleted', 'waitlist.promoted', 'event_registration.created', 'customer.merged'],
  );
  assert.deepEqual(recorded.find((t) => t.kind === 'attendance.deleted')!.payload, {
    attendance: second,
    event,
    customer: merged,
  });
  assert.equal((await get(`/attendances/${first}`)).customer, kept);
  assert.deepEqual(await seats(c.world, event), { attending: 2, held: 0, waiting: 0, booked: 2 });
});

test('a booking replaces a wait, and a visit replaces a booking', async () => {
  const [kept, merged] = await newCustomers(c.world, 2);
  const place = await newPlace(c.world);
  const { id: full } = await newEvent(c.world, place, { max_occupancy: 1 });
  await book(c.world, full, merged);
  await c.post(`/events/${full}/join_waitlist`, { customer: kept });
  const { id: visited } = await newEvent(c.world, place, { in: 26 });
  await book(c.world, visited, kept);
  const { attendance } = (await book(c.world, visited, merged)).body;
  await c.post(`/events/${visited}/confirm_attendance`, { customer: merged });
  assert.equal((await merge(kept, merged)).status, 200);
  assert.deepEqual(await seats(c.world, full), { attending: 1, held: 0, waiting: 0, booked: 1 });
  assert.deepEqual(
    [(await get(`/attendances/${attendance}`)).status, (await get(`/attendances/${attendance}`)).customer],
    ['attended', kept],
  );
});

test('merging keeps one seat hold of several, and none together with a booking', async () => {
  const place = await newPlace(c.world);
  const [kept, merged, other] = await newCustomers(c.world, 3);
  const full = async (max_occupancy: number) => (await newEvent(c.world, place, { max_occupancy })).id as number;
  let items = 0;
  const hold = (event: number, customer: number, until = c.world.now + 900_000) =>
    c.world.work(c.world.harbour, (work) =>
      holdSeats(work, [{ event, customer, until, by: { object: 'checkout_item', id: ++items } }]),
    );
  const [alone, both, booked, reserved] = [await full(1), await full(2), await full(2), await full(2)];
  await hold(alone, merged);
  await hold(both, kept);
  await hold(both, merged, c.world.now + 1_800_000);
  await hold(booked, merged);
  await book(c.world, booked, kept);
  await hold(reserved, kept);
  await book(c.world, reserved, other);
  await c.post(`/events/${reserved}/join_waitlist`, { customer: merged });
  await c.owner.query('UPDATE event SET max_occupancy = 3 WHERE id = $1', [reserved]);
  await c.owner.query(
    `UPDATE waitlist_spot SET status = 'spot_reserved', reserved_spot_expires_at = $2 WHERE event_id = $1`,
    [reserved, iso(c.world.now + 3_600_000)],
  );
  assert.deepEqual(await seats(c.world, reserved), { attending: 1, held: 2, waiting: 0, booked: 1 });
  assert.equal((await merge(kept, merged)).status, 200);
  const held = { attending: 0, held: 1, waiting: 0, booked: 0 };
  assert.deepEqual(await seats(c.world, alone), held);
  assert.deepEqual(await seats(c.world, both), held);
  assert.deepEqual(await seats(c.world, booked), { attending: 1, held: 0, waiting: 0, booked: 1 });
  assert.deepEqual(await seats(c.world, reserved), { attending: 1, held: 1, waiting: 0, booked: 1 });
  const { rows } = await c.owner.query(
    `SELECT event_id::int AS event, customer_id::int AS customer, held_for_id::int AS item,
      spot_expires_at IS NOT NULL AS spot
     FROM seat_hold WHERE event_id = ANY($1) ORDER BY event_id`,
    [[alone, both, booked, reserved]],
  );
  assert.deepEqual(rows, [
    { event: alone, customer: kept, item: 1, spot: false },
    { event: both, customer: kept, item: 3, spot: false },
    { event: reserved, customer: kept, item: 5, spot: true },
  ]);
  assert.deepEqual(await contradictions(c.owner, c.world), []);
  // The remaining hold would expire in a test that moves the clock.
  await c.post(`/events/${reserved}/cancel`);
});

test('a dry run shows what a merge would do, and does nothing', async () => {
  const [kept, merged] = await newCustomers(c.world, 2);
  await c.post('/customer_notes', { customer: merged, text: 'x' });
  const recorded = await c.recordsOf(async () => {
    const { body, status } = await merge(kept, merged, '?dry_run=true');
    assert.equal(status, 200);
    const effects = body.effects.map((e: any) => `${e.effect} ${e.object}`);
    assert.ok(effects.includes('moved customer_note') && effects.includes('customer_merged customer'), effects.join());
  });
  assert.deepEqual(recorded, []);
  assert.equal((await get(`/customers/${merged}`)).id, merged);
});

test('the kept customer takes over what it lacks, and a no to messages stays a no', async () => {
  const status = await c.status('Taken over');
  const venue = await newVenue(c.world);
  const kept = await c.world.newCustomer({ is_opted_into_broadcast_messages: true, is_opted_into_sms_marketing: true });
  const merged = await c.world.newCustomer({
    date_of_birth: '1990-05-17',
    venue,
    is_opted_into_broadcast_messages: true,
  });
  await c.post(`/customers/${kept}/set_status`, { status: null });
  await c.post(`/customers/${merged}/set_status`, { status: status.id });
  await c.world.patch(`/customers/${merged}`, { as: c.world.machine, body: { is_status_locked: true } });
  await merge(kept, merged);
  const after_ = await get(
    `/customers/${kept}?fields=date_of_birth,customer_venue,status,is_status_locked,is_opted_into_broadcast_messages,is_opted_into_sms_marketing`,
  );
  assert.deepEqual(after_, {
    date_of_birth: '1990-05-17',
    customer_venue: venue,
    status: status.slug,
    is_status_locked: true,
    is_opted_into_broadcast_messages: true,
    is_opted_into_sms_marketing: false,
  });
});

test('two managers combine their families, and a child never becomes a parent', async () => {
  const [one, two] = [await row(c.world, 'family', {}), await row(c.world, 'family', {})];
  const of = (family_id: number, family_role: 'manager' | 'child') => c.world.newCustomer({ family_id, family_role });
  const [kept, child, merged, other] = [
    await of(one, 'manager'),
    await of(one, 'child'),
    await of(two, 'manager'),
    await of(two, 'child'),
  ];
  assert.equal((await merge(child, kept)).status, 409);
  assert.equal((await merge(child, merged)).status, 409);
  assert.equal((await merge(kept, merged)).status, 200);
  assert.deepEqual((await get(`/customers?family=${one}&fields=id,family_role`)).results, [
    { id: kept, family_role: 'manager' },
    { id: child, family_role: 'child' },
    { id: other, family_role: 'child' },
  ]);
});

test('a log-in of the merged customer leads to the kept one, if that has none', async () => {
  const {
    rows: [user],
  } = await c.owner.query(
    `INSERT INTO user_account (email, email_key) VALUES ('moved@example.com', 'moved@example.com') RETURNING id::int`,
  );
  const [kept, merged] = await newCustomers(c.world, 2);
  await c.owner.query('UPDATE customer SET user_id = $1 WHERE id = $2', [user.id, merged]);
  assert.equal((await merge(kept, merged)).status, 200);
  assert.equal(
    (await c.owner.query('SELECT user_id::int AS id FROM customer WHERE id = $1', [kept])).rows[0].id,
    user.id,
  );
});

test('the request names either the merged or the kept customer, and both belong to this business', async () => {
  const [one, two] = await newCustomers(c.world, 2);
  const refused = async (body: object) => {
    const answer = await c.world.post(`/customers/${one}/merge`, { as: c.world.machine, body });
    assert.equal(answer.status, 400, answer.text);
  };
  await refused({});
  await refused({ into: two, from: two });
  await refused({ into: one });
  await refused({ from: await c.world.newCustomer({}, c.world.meadow) });
  const into = await c.world.post(`/customers/${one}/merge`, { as: c.world.machine, body: { into: two } });
  assert.deepEqual([into.status, into.body.id], [200, two]);
});

test('a merge waits for background work of its business, and blocks none of other businesses', async () => {
  const [kept, merged] = await newCustomers(c.world, 2);
  // Readers that are still behind would wait for the merge as well, each with a connection from the pool.
  await c.quiet();
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let begun!: () => void;
  const under = new Promise<void>((resolve) => (begun = resolve));
  const working = backgroundWork(ownContext(c.world), c.world.harbour, 'job test', async ({ tx }) => {
    // Work that has run no statement yet blocks nothing.
    await tx.run(sql`SELECT`);
    begun();
    await ended;
  });
  await under;
  const merging = merge(kept, merged);
  await until(
    'the merge waits',
    async () =>
      (
        await c.owner.query(`SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.mode = 'ExclusiveLock' AND NOT l.granted`)
      ).rows.length === 1,
  );
  const there = async (id: number) => (await c.world.get(`/customers/${id}`, { as: c.world.machine })).status;
  assert.equal(await there(merged), 200);
  assert.equal(await backgroundWork(ownContext(c.world), c.world.meadow, 'job test', async () => 'done'), 'done');
  end();
  await working;
  assert.equal((await merging).status, 200);
  assert.equal(await there(merged), 404);
});

const at = async (event: number) =>
  (await get(`/attendances?event=${event}&fields=id,customer,status,waitlist_spot.id`)).results.map((a: any) => [
    a.id,
    a.customer,
    a.status,
    a.waitlist_spot?.id ?? null,
  ]);

test('merging two records that are waiting or booked at one event keeps one attendance, and spots stay with their owners', async () => {
  const place = await newPlace(c.world);
  const act = (event: number, verb: string, customer: number) => c.post(`/events/${event}/${verb}`, { customer });
  const waiting = async (event: number, customer: number) => {
    const spot = await act(event, 'join_waitlist', customer);
    return { spot: spot.id, attendance: (await get(`/attendances?event=${event}&customer=${customer}`)).results[0].id };
  };
  const [kept, merged, other] = await newCustomers(c.world, 3);
  const full = async () => {
    const { id } = await newEvent(c.world, place, { max_occupancy: 1 });
    await book(c.world, id, other);
    return id as number;
  };
  const [both, theirsAlone, theirsFirst, booked] = [
    await full(),
    await full(),
    await full(),
    (await newEvent(c.world, place, { max_occupancy: 2 })).id,
  ];
  const one = [await waiting(both, kept), await waiting(both, merged)];
  const alone = await waiting(theirsAlone, merged);
  // The merged customer came first: its spot remains, with the attendance of the other.
  const first = [await waiting(theirsFirst, merged), await waiting(theirsFirst, kept)];
  const theirs = (await book(c.world, booked, merged)).body.attendance;
  await book(c.world, booked, other);
  const mine = await waiting(booked, kept);
  const others = (
    await Promise.all(
      [both, theirsAlone, theirsFirst, booked].map((id) => get(`/attendances?event=${id}&customer=${other}`)),
    )
  ).map((p) => p.results[0].id);

  const recorded = await c.recordsOf(() => merge(kept, merged));
  assert.deepEqual(await at(both), [
    [others[0], other, 'registered', null],
    [one[0].attendance, kept, 'not_registered', one[0].spot],
  ]);
  assert.deepEqual(await at(theirsAlone), [
    [others[1], other, 'registered', null],
    [alone.attendance, kept, 'not_registered', alone.spot],
  ]);
  assert.deepEqual(await at(theirsFirst), [
    [others[2], other, 'registered', null],
    [first[1].attendance, kept, 'not_registered', first[0].spot],
  ]);
  assert.deepEqual(
    await at(booked),
    [
      [theirs, kept, 'registered', null],
      [others[3], other, 'registered', null],
    ].toSorted((a: any, b: any) => a[0] - b[0]),
  );
  const left = recorded
    .filter((t) => t.kind === 'waitlist.left')
    .map((t) => [t.payload.waitlist_spot, t.payload.attendance]);
  assert.deepEqual(left, [
    [one[1].spot, one[0].attendance],
    [first[1].spot, first[1].attendance],
    [mine.spot, theirs],
  ]);
  const gone = recorded.filter((t) => t.kind === 'attendance.deleted').map((t) => t.payload.attendance);
  assert.deepEqual(gone, [one[1].attendance, first[0].attendance, mine.attendance]);
  assert.deepEqual(await contradictions(c.owner, c.world), []);
});

// Guards against: A merge that loses or doubles something
test('while people book, wait and leave, merges neither oversell nor lose a seat, and cause no deadlock', async () => {
  const people = await newCustomers(c.world, 40);
  const place = await newPlace(c.world);
  const events = await Promise.all(
    Array.from({ length: 4 }, (_, i) =>
      newEvent(c.world, place, { max_occupancy: 5, in: 30 + 2 * i }).then((e) => e.id as number),
    ),
  );
  const answers: number[] = [];
  const act = async (n: number) => {
    for (let i = 0; i < 12; i++) {
      const [event, customer] = [events[(n + i) % 4], people[(n * 7 + i * 3) % 40]];
      const verb = ['register', 'join_waitlist', 'unregister'][i % 3];
      answers.push(
        (await c.world.post(`/events/${event}/${verb}`, { as: c.world.machine, body: { customer } })).status,
      );
    }
  };
  // Merges of a business wait for each other: with more at a time, a busy machine refuses the last ones.
  const merges = times(5, async (lane) => {
    const outcomes = [];
    for (const n of [lane, lane + 5, lane + 10]) outcomes.push(await merge(people[n], people[39 - n]));
    return outcomes;
  }).then((all) => all.flat());
  await Promise.all([times(6, act), merges]);
  const merged = (await merges).filter((a) => a.status === 200).length;
  assert.equal(merged, 15, JSON.stringify((await merges).map((a) => a.text.slice(0, 100))));
  assert.ok(
    answers.every((status) => status < 500),
    answers.filter((s) => s >= 500).join(),
  );
  assert.deepEqual(await contradictions(c.owner, c.world), []);
  const { rows } = await c.owner.query(
    `SELECT 1 FROM attendance a LEFT JOIN customer x ON x.id = a.customer_id WHERE x.id IS NULL`,
  );
  assert.deepEqual(rows, []);
  const {
    rows: [stats],
  } = await c.owner.query(`SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`);
  assert.equal(stats.deadlocks, 0);
});

test('feed items about a customer before a merge trigger workflows for the kept one', async () => {
  const workflow = await c.workflow('customer_note.created');
  await c.action(workflow.id, 'create_task', { title: 'Read it', scheduled_delay: 'PT1H' });
  const [kept, merged] = await newCustomers(c.world, 2);
  await c.post('/customer_notes', { customer: merged, text: 'x', at: iso(c.world.now) });
  await merge(kept, merged);
  const recorded = await c.recordsOf(() => c.passTo(c.world.now + 7_200_000));
  assert.deepEqual(
    recorded.map((t) => [t.kind, t.payload.customer]),
    [['customer_task.created', kept]],
  );
});

// Guards against: A merge that loses or doubles something
test('a merge waits for a payment under way, which still gets everything that it has to lock', async () => {
  const account = 'SELECT lock_accounts($1, ARRAY[$2::bigint])';
  const person = 'SELECT FROM customer WHERE provider_id = $1 AND id = $2 FOR NO KEY UPDATE';
  const made = [];
  for (const [table, next] of Object.entries({
    checkout: person,
    store_order: person,
    invoice: account,
    payment: account,
  })) {
    const id = await seed(c.world, table);
    const { rows } = await c.owner.query(`SELECT customer_id::int AS id FROM ${table} WHERE id = $1`, [id]);
    made.push({ table, next, id, merged: rows[0].id, kept: await c.world.newCustomer() });
  }
  await c.quiet();
  const paying = await beside(c.world.databaseUrl);
  const [{ pid }] = (await paying.query('SELECT pg_backend_pid() AS pid')).rows;
  const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))`;
  for (const { table, next, id, merged, kept } of made) {
    await paying.query('BEGIN');
    await paying.query(`SELECT FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
    const merging = merge(kept, merged);
    await until(`the merge waits for the ${table}`, async () => (await c.owner.query(waits, [pid])).rowCount);
    await paying.query(next, [c.world.harbour, merged]);
    await paying.query('COMMIT');
    const { status, text } = await merging;
    assert.equal(status, 200, text);
  }
  await paying.end();
});
