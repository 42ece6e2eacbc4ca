import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, times } from '../../../../test/storm.ts';
import { feedEnd, feedSince, newCustomers, newEvent, newPlace, row } from '../../../../test/schedule-world.ts';
import { limit, MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const NOON = Date.parse('2026-06-10T16:00Z');
const DAY = 24;

let world: World;
let m: MembershipWorld;
let owner: pg.Client;
before(async () => {
  world = await startWorld();
  m = await MembershipWorld.of(world);
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const act = (event: number, what: string, body: object, query = '', as = world.machine) =>
  world.post(`/events/${event}/${what}${query}`, { as, body });
const register = (event: number, customer: number, more: object = {}, query = '') =>
  act(event, 'register', { customer, ...more }, query);
const unregister = (event: number, customer: number, more: object = {}) =>
  act(event, 'unregister', { customer, ...more });
const event = async (over: object = {}): Promise<number> => (await newEvent(world, m.place, over)).id;
const payerOf = async (attendance: number): Promise<number | null> =>
  (await get(`/attendances/${attendance}`)).customer_membership;
const code = (answer: { status: number; body: any }) => (answer.status === 200 ? 'booked' : answer.body.code);
const ledger = async (id: number) =>
  (
    await owner.query('SELECT amount, reason FROM entitlement_entry WHERE customer_membership_id = $1 ORDER BY id', [
      id,
    ])
  ).rows.map((r) => `${r.amount} ${r.reason}`);
const told = async (since: number, id: number) =>
  (await feedSince(world, since)).filter((f) => f.payload.customer_membership === id).map((f) => f.kind);

/** Creates a customer with a pack, at noon on 10 June 2026. */
async function holder(
  uses: number,
  over: Record<string, unknown> = {},
  allotment: Record<string, unknown> = {},
): Promise<{ customer: number; held: number }> {
  world.setNow(NOON);
  const [customer] = await newCustomers(world, 1);
  return { customer, held: (await m.give(customer, await m.pack(uses, {}, allotment), over)).id };
}

test('booking debits a use of a membership, shows this, and is paid by it', async () => {
  const { customer, held } = await holder(3);
  const since = await feedEnd(world);
  const e = await event();
  const { body } = await register(e, customer);
  assert.equal(await payerOf(body.attendance), held);
  assert.equal(
    (await get(`/attendances/${body.attendance}?expand=customer_membership`)).customer_membership.name,
    'Pack of 3',
  );
  const [period] = (await get(`/customer_memberships/${held}/usage`)).usage_periods;
  assert.deepEqual([period.used_count, period.remaining_count], [1, 2]);
  const items = await feedSince(world, since);
  assert.deepEqual(items.find((f) => f.kind === 'customer_membership.used')!.payload, {
    customer_membership: held,
    attendance: body.attendance,
    event: e,
    customer,
    uses_left: 2,
  });
  assert.equal((await register(e, customer)).body.attendance, body.attendance, 'booking it again is the same booking');
  assert.equal(await m.used(held), 1);
  const [entry] = (await get(`/audit_entries?object=attendance&object_id=${body.attendance}`)).results;
  assert.equal(entry.after.customer_membership_id, held);
});

test('a cancellation in time credits the use, also for a cancelled event; a late one does not, and the use pays when the same event is booked again', async () => {
  const { customer, held } = await holder(5);
  const since = await feedEnd(world);
  const [a, b, c] = [await event(), await event(), await event()];
  const first = (await register(a, customer)).body.attendance;
  await unregister(a, customer);
  assert.deepEqual([await m.used(held), await payerOf(first)], [0, null]);
  await register(b, customer);
  const late = await unregister(b, customer, { is_late_cancel: true });
  assert.deepEqual([await m.used(held), await payerOf(late.body.attendance)], [1, held]);
  assert.equal((await register(b, customer)).status, 200);
  assert.equal(await m.used(held), 1);
  await unregister(b, customer, { is_late_cancel: true });
  await register(c, customer);
  await act(c, 'cancel', {});
  assert.equal(await m.used(held), 1);
  await act(b, 'cancel', {});
  assert.equal(await m.used(held), 0, 'there was nothing to come to');
  assert.deepEqual(await ledger(held), [
    '-1 registered',
    '1 cancelled_in_time',
    '-1 registered',
    '-1 registered',
    '1 event_cancelled',
    '1 event_cancelled',
  ]);
  assert.deepEqual((await told(since, held)).filter((kind) => kind.endsWith('credited')).length, 3);
});

test('the use of an absence is credited if the membership says so, and debited again after a correction', async () => {
  const kind = await holder(1, {}, { ignore_no_shows: true });
  const strict = await holder(1);
  const e = await event();
  const marked = async (customer: number, status: string) => {
    const [{ id }] = (await get(`/attendances?event=${e}&customer=${customer}`)).results;
    return world.patch(`/attendances/${id}`, { as: world.machine, body: { status } });
  };
  for (const { customer } of [kind, strict]) {
    await register(e, customer);
    assert.equal((await marked(customer, 'no_show')).status, 200);
  }
  assert.deepEqual([await m.used(kind.held), await m.used(strict.held)], [0, 1]);
  assert.equal((await marked(kind.customer, 'attended')).status, 200);
  assert.deepEqual(await ledger(kind.held), ['-1 registered', '1 no_show', '-1 corrected']);
  await marked(kind.customer, 'no_show');
  await register(await event(), kind.customer);
  assert.equal(
    (await marked(kind.customer, 'attended')).body.code,
    'allotment_used_up',
    'it was used for something else meanwhile',
  );
});

test('every refusal states its reason and a remedy, in words for staff and for customers, and explain shows the same', async () => {
  world.setNow(NOON);
  const e = await event({ in: 48, max_occupancy: 10 });
  const club = await m.recurring([limit('month', 1)]);
  const other = await newPlace(world);
  const elsewhere = await m.pack(5);
  const [{ id: grant }] = (await get(`/membership_registration_grants?membership=${elsewhere}`)).results;
  await world.patch(`/membership_registration_grants/${grant}`, {
    as: world.machine,
    body: { registration_option: other.offering },
  });
  const cases: [string, (customer: number) => Promise<unknown>, RegExp][] = [
    ['membership_required', async () => {}, /Sell one/],
    ['membership_does_not_cover', (c) => m.give(c, elsewhere), /does not cover this event/],
    [
      'membership_expired',
      async (c) => m.give(c, await m.pack(5), { expiration_date: '2026-06-11' }),
      /ends on 2026-06-11.*Renew it/,
    ],
    [
      'membership_not_started',
      async (c) => m.give(c, await m.pack(5), { start_date: '2026-06-13' }),
      /starts on 2026-06-13/,
    ],
    [
      'membership_on_hold',
      async (c) =>
        owner.query(`UPDATE customer_membership SET status = 'hold' WHERE id = $1`, [
          (await m.give(c, await m.pack(5))).id,
        ]),
      /End the hold/,
    ],
    [
      'allotment_used_up',
      async (c) => (await m.give(c, club.membership)) && register(await event(), c),
      /from 2026-07-01 on/,
    ],
  ];
  for (const [expected, prepare, says] of cases) {
    const [customer] = await newCustomers(world, 1);
    await prepare(customer);
    const answer = await register(e, customer);
    assert.deepEqual([answer.status, answer.body.code], [400, expected], answer.text);
    assert.match(answer.body.message, says);
    const said = await get(`/events/${e}/explain?customer=${customer}`);
    const failing = said.rules.filter((r: any) => !r.passed);
    assert.deepEqual(
      [said.can_book, failing.map((r: any) => [r.code, r.message])],
      [false, [[expected, answer.body.message]]],
    );
    assert.equal(failing[0].facts.needs_membership, true);
    const own = { as: world.customer(customer) };
    const received = await world.post(`/events/${e}/register`, { ...own, body: {} });
    assert.deepEqual([received.body.code, received.body.message === answer.body.message], [expected, false]);
    assert.doesNotMatch(received.body.message, /\bsell\b|comped|the customer|renew it|end the hold,/i);
    const keyed = await world.post(`/events/${e}/register`, {
      ...own,
      body: {},
      headers: { 'idempotency-key': `heard-${expected}` },
    });
    const shown = (await world.get(`/events/${e}/explain`, own)).body.rules
      .filter((r: any) => !r.passed)
      .map((r: any) => r.message);
    assert.deepEqual([keyed.body.message, shown], [received.body.message, [received.body.message]]);
    assert.equal(
      (await act(e, 'join_waitlist', { customer })).body.code,
      expected,
      'who could not book does not wait either',
    );
    assert.equal((await register(e, customer, { comped: true })).status, 200);
    assert.equal(await payerOf((await get(`/attendances?event=${e}&customer=${customer}`)).results[0].id), null);
  }
});

test('an event that no membership is for is free, and uses nothing', async () => {
  const { customer, held } = await holder(3);
  const free = (await newEvent(world, await newPlace(world))).id;
  assert.equal((await register(free, customer)).status, 200);
  const [stranger] = await newCustomers(world, 1);
  assert.equal((await register(free, stranger)).status, 200);
  assert.equal(await m.used(held), 0);
});

test('the membership that expires first pays, or the requested one; those of others are not found', async () => {
  const { customer, held: endless } = await holder(5);
  const soon = (await m.give(customer, await m.pack(5), { expiration_date: '2026-12-31' })).id;
  const stranger = await holder(5);
  const [first, second] = [
    await register(await event(), customer),
    await register(await event(), customer, { customer_membership: endless }),
  ];
  assert.deepEqual([await payerOf(first.body.attendance), await payerOf(second.body.attendance)], [soon, endless]);
  const e = await event();
  const foreign = await register(e, customer, { customer_membership: stranger.held });
  assert.ok(foreign.body.field_errors.customer_membership, foreign.text);
  assert.ok(
    (await register(e, customer, { customer_membership: soon, comped: true })).body.field_errors.customer_membership,
  );
});

test('everybody with whom a membership is shared uses the same uses, and so does the family if it is shared with all of it', async () => {
  const { customer, held } = await holder(2);
  const [friend, stranger] = await newCustomers(world, 2);
  await m.share(held, friend);
  const child = (
    await world.post(`/customers/${customer}/add_child`, {
      as: world.machine,
      body: { first_name: 'Kid', last_name: 'Test' },
    })
  ).body.id;
  const e = await event();
  assert.deepEqual(
    [code(await register(e, friend)), code(await register(e, stranger)), code(await register(e, child))],
    ['booked', 'membership_required', 'membership_required'],
  );
  await owner.query('UPDATE customer_membership SET shared_with_family = true WHERE id = $1', [held]);
  assert.deepEqual(
    [code(await register(e, child)), code(await register(e, customer))],
    ['booked', 'allotment_used_up'],
  );
});

test('a membership that begins with its first registration begins on the day of that event', async () => {
  world.setNow(NOON);
  const [customer] = await newCustomers(world, 1);
  const { id, start_date } = await m.give(
    customer,
    await m.prepaid({ begin_on_first_registration: true, duration: 1, duration_unit: 'weeks' }),
  );
  assert.equal(start_date, null);
  const since = await feedEnd(world);
  await register(await event({ in: 5 * DAY }), customer);
  const held = await get(`/customer_memberships/${id}`);
  assert.deepEqual([held.start_date, held.expiration_date], ['2026-06-15', '2026-06-21']);
  assert.deepEqual((await told(since, id)).toSorted(), ['customer_membership.activated', 'customer_membership.used']);
  assert.deepEqual(
    [
      code(await register(await event({ in: DAY }), customer)),
      code(await register(await event({ in: 12 * DAY }), customer)),
    ],
    ['membership_not_started', 'membership_expired'],
  );
});

test('the audit has the days of a membership before and after its first use, for every source of the booking', async () => {
  const begun: [string, (e: number, customer: number) => Promise<unknown>][] = [
    ['a booking', (e, customer) => register(e, customer)],
    [
      'a booking with an Idempotency-Key',
      (e, customer) =>
        world.post(`/events/${e}/register`, {
          as: world.machine,
          headers: { 'idempotency-key': `first-use-${e}` },
          body: { customer },
        }),
    ],
    [
      'a promotion',
      async (e, customer) => {
        const [seated] = await newCustomers(world, 1);
        await register(e, seated, { comped: true });
        await act(e, 'join_waitlist', { customer });
        await unregister(e, seated);
      },
    ],
  ];
  for (const [how, book] of begun) {
    world.setNow(NOON);
    const [customer] = await newCustomers(world, 1);
    const { id } = await m.give(
      customer,
      await m.prepaid({ begin_on_first_registration: true, duration: 1, duration_unit: 'weeks' }),
    );
    await book(await event({ in: 5 * DAY, max_occupancy: 1 }), customer);
    const { results } = await get(`/audit_entries?object=customermembership&object_id=${id}`);
    const [{ action, before, after }] = results.filter((e: any) => e.before !== null);
    assert.deepEqual(
      [action, before, after],
      [
        'membership activation',
        { start_date: null, expiration_date: null },
        { start_date: '2026-06-15', expiration_date: '2026-06-21' },
      ],
      how,
    );
  }
});

test('a use counts on the day of the event by its own clock, and moves with the event', async () => {
  world.setNow(NOON);
  const [customer] = await newCustomers(world, 1);
  const { id } = await m.give(customer, (await m.recurring([limit('month', 1)])).membership);
  // 30 June, 23:00 in Toronto.
  const last = (await newEvent(world, m.place, { starts_at: '2026-07-01T03:00:00Z', ends_at: '2026-07-01T04:00:00Z' }))
    .id;
  assert.equal(code(await register(last, customer)), 'booked');
  const july = (await newEvent(world, m.place, { starts_at: '2026-07-01T14:00:00Z', ends_at: '2026-07-01T15:00:00Z' }))
    .id;
  const june = await event();
  assert.deepEqual(
    [code(await register(june, customer)), code(await register(july, customer))],
    ['allotment_used_up', 'booked'],
  );
  await unregister(july, customer);
  await world.patch(`/events/${last}`, {
    as: world.machine,
    body: { starts_at: '2026-07-03T14:00:00Z', ends_at: '2026-07-03T15:00:00Z' },
  });
  assert.deepEqual(
    [code(await register(june, customer)), code(await register(july, customer))],
    ['booked', 'allotment_used_up'],
  );
  const used = async (date: string) =>
    (await get(`/customer_memberships/${id}/usage?date=${date}`)).usage_periods[0].used_count;
  assert.deepEqual([await used('2026-06-01'), await used('2026-07-31')], [1, 1]);
});

test('a dry run shows which membership would be used, and uses nothing', async () => {
  const { customer, held } = await holder(1);
  const e = await event();
  const preview = await register(e, customer, {}, '?dry_run=true');
  assert.ok(preview.body.effects.some((x: any) => x.effect === 'membership_used' && x.id === held));
  assert.equal(await m.used(held), 0);
  await register(e, customer);
  const back = await act(e, 'unregister', { customer }, '?dry_run=true');
  assert.ok(back.body.effects.some((x: any) => x.effect === 'membership_credited' && x.id === held));
  assert.equal(await m.used(held), 1);
});

test('customers on the waitlist use a membership when they are promoted; those without one by then are skipped', async () => {
  const [first, used, next] = [await holder(2), await holder(1), await holder(1)];
  const e = await event({ max_occupancy: 1 });
  await register(e, first.customer);
  for (const { customer } of [used, next]) assert.equal((await act(e, 'join_waitlist', { customer })).status, 200);
  assert.equal(await m.used(used.held), 0);
  await register(await event(), used.customer);
  await unregister(e, first.customer);
  assert.deepEqual([await m.used(first.held), await m.used(used.held), await m.used(next.held)], [0, 1, 1]);
  const [{ status }] = (await get(`/waitlist_spots?event=${e}&customer=${used.customer}&active=false`)).results;
  assert.equal(status, 'rejected');
  const [booking] = (await get(`/attendances?event=${e}&customer=${next.customer}`)).results;
  assert.deepEqual([booking.status, booking.customer_membership], ['registered', next.held]);
});

test('timelines for holders of all or some memberships are open to them and to nobody else', async () => {
  const { customer } = await holder(5);
  const [stranger] = await newCustomers(world, 1);
  const place = await newPlace(world);
  const [held] = (await get(`/customer_memberships?customer=${customer}`)).results;
  const opening = async (audience: string, memberships: number[] = []): Promise<string[]> => {
    const timeline = await row(world, 'registration_timeline', { name: audience, audience_type: audience });
    for (const one of memberships)
      await owner.query('INSERT INTO registration_timeline_membership VALUES ($1, $2, $3)', [
        world.harbour,
        timeline,
        one,
      ]);
    const { id } = await newEvent(world, place);
    await owner.query(
      'INSERT INTO event_registration_timeline (provider_id, event_id, registration_timeline_id) VALUES ($1, $2, $3)',
      [world.harbour, id, timeline],
    );
    return Promise.all(
      [customer, stranger].map(async (who) => code(await act(id, 'register', {}, '', world.customer(who)))),
    );
  };
  assert.deepEqual(await opening('membership_holders'), ['booked', 'registration_not_allowed']);
  assert.deepEqual(await opening('specific_memberships', [held.membership]), ['booked', 'registration_not_allowed']);
  assert.deepEqual(await opening('specific_memberships', [await m.pack(1)]), [
    'registration_not_allowed',
    'registration_not_allowed',
  ]);
});

test('merging two records of one person keeps the memberships of both; a dropped booking credits its use', async () => {
  const [kept, merged] = [await holder(5), await holder(5)];
  const e = await event();
  await register(e, kept.customer);
  await register(e, merged.customer);
  await register(await event(), merged.customer);
  const answer = await world.post(`/customers/${kept.customer}/merge`, {
    as: world.machine,
    body: { from: merged.customer },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    (await get(`/customer_memberships?customer=${kept.customer}`)).results.map((r: any) => r.id),
    [kept.held, merged.held],
  );
  assert.deepEqual([await m.used(kept.held), await m.used(merged.held)], [1, 1]);
  assert.deepEqual(await ledger(merged.held), ['-1 registered', '-1 registered', '1 booking_dropped']);
});

test('however many bookings are made concurrently, for any number of events, no more uses are debited than there are', async () => {
  const { customer, held } = await holder(5);
  const friends = await newCustomers(world, 20);
  for (const friend of friends) await m.share(held, friend);
  const events = await times(6, () => event({ max_occupancy: 100 }));
  const answers = await times(120, (i) => register(events[i % 6], [customer, ...friends][i % 21]));
  // A repeated request for the same event returns the same booking.
  assert.equal(new Set(answers.filter((a) => a.status === 200).map((a) => a.body.attendance)).size, 5);
  assert.ok(answers.every((a) => ['booked', 'allotment_used_up'].includes(code(a))));
  assert.equal(await m.used(held), 5);
  await times(120, (i) =>
    i % 2 === 0
      ? unregister(events[i % 6], [customer, ...friends][i % 21])
      : register(events[(i + 1) % 6], [customer, ...friends][(i + 7) % 21]),
  );
  const booked = (await get(`/attendances?status=registered&event=${events}`)).count;
  assert.equal(await m.used(held), booked);
  assert.ok(booked <= 5);
});

test('concurrent bookings of different events in a week never exceed its limit', async () => {
  world.setNow(NOON);
  const [customer] = await newCustomers(world, 1);
  const { id } = await m.give(customer, (await m.recurring([limit('week', 2)])).membership);
  const events = await times(10, () => event({ in: 30 }));
  const answers = await times(10, (i) => register(events[i], customer));
  assert.deepEqual([answers.filter((a) => a.status === 200).length, await m.used(id)], [2, 2]);
});

test('the database itself refuses one use too many, a second payment for a booking and a second credit of a use, regardless of the writer', async () => {
  const { customer, held } = await holder(2);
  const { attendance } = (await register(await event(), customer)).body;
  const insert = (values: string, params: unknown[] = []) =>
    owner.query(
      `INSERT INTO entitlement_entry (provider_id, customer_membership_id, customer_id, event_starts_on, at, amount,
        reason, attendance_id, open, reverses_id) VALUES ($1, $2, $3, '2026-06-11', now(), ${values})`,
      [world.harbour, held, customer, ...params],
    );
  await assert.rejects(insert(`-1, 'registered', $4, true, NULL`, [attendance]), {
    constraint: 'entitlement_entry_one',
  });
  await assert.rejects(insert(`-2, 'adjusted', NULL, false, NULL`), { constraint: 'customer_membership_uses' });
  const clients = await times(6, () => beside(world.databaseUrl));
  const outcomes = await times(6, (i) =>
    clients[i]
      .query(
        `INSERT INTO entitlement_entry (provider_id, customer_membership_id, customer_id, event_starts_on, at, amount,
          reason) VALUES ($1, $2, $3, '2026-06-11', now(), -1, 'adjusted')`,
        [world.harbour, held, customer],
      )
      .then(
        () => 'taken',
        (error) => error.constraint as string,
      ),
  );
  await Promise.all(clients.map((c) => c.end()));
  assert.deepEqual(outcomes.toSorted(), [...Array(5).fill('customer_membership_uses'), 'taken']);
  const { rows } = await owner.query('SELECT id FROM entitlement_entry WHERE attendance_id = $1', [attendance]);
  await insert(`1, 'cancelled_in_time', $4, false, $5`, [attendance, rows[0].id]);
  await assert.rejects(insert(`1, 'cancelled_in_time', $4, false, $5`, [attendance, rows[0].id]), {
    constraint: 'entitlement_entry_reversed',
  });
  await assert.rejects(owner.query('UPDATE entitlement_entry SET amount = 5 WHERE id = $1', [rows[0].id]), /stays/);
  await assert.rejects(
    owner.query(`DELETE FROM entitlement_entry WHERE customer_membership_id = $1 AND reason = 'adjusted'`, [held]),
    /stays/,
  );
});
