import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import {
  book,
  feedEnd,
  feedSince,
  newCustomers,
  newEvent,
  newInstructor,
  newPlace,
  row,
  seats,
  type Place,
} from '../../../../test/schedule-world.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(() => world.close());

test('a booking returns its attendance, counts its seat, and is in the feed and the audit', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  const from = await feedEnd(world);
  const answer = await book(world, event.id, customer);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body), ['attendance']);
  assert.deepEqual(await seats(world, event.id), { attending: 1, held: 0, waiting: 0, booked: 1 });
  const [item] = await feedSince(world, from);
  assert.equal(item.kind, 'event_registration.created');
  assert.deepEqual(item.payload, {
    attendance: answer.body.attendance,
    event: event.id,
    customer,
    from: 'registration',
  });
  const audit = await world.work(world.harbour, ({ tx }) =>
    tx.one(
      sql`SELECT actor, mode, action, after FROM audit_entry
        WHERE object = 'attendance' AND object_id = ${answer.body.attendance}`,
    ),
  );
  assert.match(audit!.actor, /^machine_token:/);
  assert.equal(audit!.after.customer_id, customer);
});

test('the list of attendances returns exactly the requested properties, in JSON and in XML', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place, { name: 'Sculls & oars' });
  await book(world, event.id, customer);
  const { email } = (await world.get(`/customers/${customer}`, { as: world.machine })).body;
  const query = `/attendances?fields=event.name,customer.id,customer.email&event=${event.id}`;
  const json = await world.get(query, { as: world.machine });
  assert.equal(
    json.text,
    `{"count":1,"next":null,"previous":null,"results":[{"event":{"name":"Sculls & oars"},"customer":{"id":${customer},"email":"${email}"}}]}`,
  );
  const xml = await world.get(query, { as: world.machine, headers: { accept: 'application/xml' } });
  assert.equal(
    xml.text,
    `<?xml version="1.0" encoding="utf-8"?><root><count>1</count><next/><previous/><results><list-item><event><name>Sculls &amp; oars</name></event><customer><id>${customer}</id><email>${email}</email></customer></list-item></results></root>`,
  );
});

test('booking twice is the same booking', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  const [first, second] = [await book(world, event.id, customer), await book(world, event.id, customer)];
  assert.deepEqual(second.body, first.body);
  assert.equal((await seats(world, event.id)).booked, 1);
});

test('booking again after a cancellation reuses the attendance, and the audit has its previous state', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  const { attendance } = (
    await world.post(`/events/${event.id}/register`, { as: world.machine, body: { customer, comped: true } })
  ).body;
  await world.post(`/events/${event.id}/unregister`, { as: world.machine, body: { customer } });
  assert.deepEqual((await book(world, event.id, customer)).body, { attendance });
  const { body } = await world.get(`/audit_entries?object=attendance&object_id=${attendance}`, { as: world.machine });
  const bookings = body.results.filter((e: any) => e.action === 'POST /events/{id}/register');
  const ids = { event_id: event.id, customer_id: customer };
  assert.deepEqual(
    bookings
      .map(({ before, after }: any) => [before, after])
      .toSorted(([a]: any, [b]: any) => (a ? 1 : 0) - (b ? 1 : 0)),
    [
      [null, { ...ids, status: 'registered', comped: true }],
      [
        { ...ids, status: 'not_registered', comped: true },
        { ...ids, status: 'registered', comped: false },
      ],
    ],
  );
});

test('a full event is refused with the position on the waitlist that is offered', async () => {
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, event.id, a);
  const refused = await book(world, event.id, b);
  assert.equal(refused.status, 400);
  assert.equal(refused.body.code, 'event_full');
  assert.equal(refused.body.type, 'event_check_failure');
  assert.match(refused.body.message, /number 1/);
});

test('the database itself refuses one too many, regardless of the writer', async () => {
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, event.id, a);
  await assert.rejects(row(world, 'attendance', { event_id: event.id, customer_id: b, status: 'registered' }), {
    constraint: 'event_capacity',
  });
});

test('a freed seat goes to the first customer on the waitlist in the same moment', async () => {
  const [a, b, c] = await newCustomers(world, 3);
  const event = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, event.id, a);
  for (const customer of [b, c]) {
    const joined = await world.post(`/events/${event.id}/join_waitlist?expand=position`, {
      as: world.machine,
      body: { customer },
    });
    assert.equal(joined.status, 200, joined.text);
    assert.equal(joined.body.status, 'on_waitlist');
    assert.equal(joined.body.position, customer === b ? 1 : 2);
  }
  const from = await feedEnd(world);
  const left = await world.post(`/events/${event.id}/unregister`, { as: world.machine, body: { customer: a } });
  assert.deepEqual(left.body.late, false);
  assert.deepEqual(await seats(world, event.id), { attending: 1, held: 0, waiting: 1, booked: 1 });
  assert.deepEqual(
    (await feedSince(world, from)).map((i) => i.kind),
    ['event_registration.cancelled', 'waitlist.promoted', 'event_registration.created'],
  );
  const promoted = await world.get(`/attendances?event=${event.id}&status=registered&fields=customer`, {
    as: world.machine,
  });
  assert.deepEqual(promoted.body.results, [{ customer: b }]);
});

test('a cancellation after the cut-off is late, unless staff say otherwise', async () => {
  const offering = await row(world, 'offering_type', { name: 'Strict', cancellation_notice_interval: 24 * 60 });
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, { ...place, offering }, { in: 12 });
  await Promise.all([a, b].map((customer) => book(world, event.id, customer)));
  const late = await world.post(`/events/${event.id}/unregister`, { as: world.customer(a), body: {} });
  assert.equal(late.body.late, true);
  const forgiven = await world.post(`/events/${event.id}/unregister`, {
    as: world.machine,
    body: { customer: b, is_late_cancel: false },
  });
  assert.equal(forgiven.body.late, false);
  const refused = await world.post(`/events/${event.id}/unregister`, {
    as: world.customer(a),
    body: { is_late_cancel: false },
  });
  assert.equal(refused.status, 400);
  const statuses = await world.get(`/attendances?event=${event.id}&fields=customer,status`, { as: world.machine });
  const statusOf = (customer: number) => statuses.body.results.find((r: any) => r.customer === customer).status;
  assert.deepEqual([statusOf(a), statusOf(b)], ['late_cancelled', 'not_registered']);
});

test('a spot is reserved for its claim window, then for the next customer; claiming it books it', async () => {
  await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: {
      waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'reserve', claim_minutes: 30 }] },
    },
  });
  const [a, b, c, d] = await newCustomers(world, 4);
  const event = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, event.id, a);
  for (const customer of [b, c])
    await world.post(`/events/${event.id}/join_waitlist`, { as: world.machine, body: { customer } });
  await world.post(`/events/${event.id}/unregister`, { as: world.machine, body: { customer: a } });
  assert.deepEqual(await seats(world, event.id), { attending: 0, held: 1, waiting: 1, booked: 0 });
  assert.equal((await book(world, event.id, d)).body.code, 'event_full');
  assert.equal((await book(world, event.id, b)).status, 200);
  assert.deepEqual(await seats(world, event.id), { attending: 1, held: 0, waiting: 1, booked: 1 });
  await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'auto_promote' }] } },
  });
});

test('a dry run returns the result of the booking with its effects, and saves nothing', async () => {
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, place, { max_occupancy: 1 });
  const preview = await world.post(`/events/${event.id}/register?dry_run=true`, {
    as: world.machine,
    body: { customer: a },
  });
  assert.equal(preview.status, 200, preview.text);
  assert.equal(preview.body.effects[0].effect, 'booked');
  assert.deepEqual(await seats(world, event.id), { attending: 0, held: 0, waiting: 0, booked: 0 });
  await book(world, event.id, a);
  const refused = await world.post(`/events/${event.id}/register?dry_run=true`, {
    as: world.machine,
    body: { customer: b },
  });
  assert.equal(refused.body.code, 'event_full');
});

// Guards against: A customer reads or acts for somebody else
test('customers book for themselves and their children, and for nobody else', async () => {
  const [me, stranger] = await newCustomers(world, 2);
  const child = (
    await world.post(`/customers/${me}/add_child`, { as: world.machine, body: { first_name: 'Bo', last_name: 'X' } })
  ).body.id;
  const event = await newEvent(world, place);
  const as = world.customer(me);
  assert.equal((await world.post(`/events/${event.id}/register`, { as, body: {} })).status, 200);
  assert.equal((await book(world, event.id, child, as)).status, 200);
  assert.equal((await book(world, event.id, stranger, as)).status, 404);
  assert.equal((await book(world, event.id, me, world.customer(child))).body.code, 'permission_denied');
});

test('ages are those on the day of the event, and a missing date of birth is asked for', async () => {
  const offering = await row(world, 'offering_type', { name: 'Teens', min_allowed_age: 13, max_allowed_age: 17 });
  const event = await newEvent(world, { ...place, offering });
  const born = (years: number) =>
    world.newCustomer({ date_of_birth: `${new Date(world.now).getUTCFullYear() - years}-01-01` });
  const unknown = await world.newCustomer();
  const codes = await Promise.all(
    [await born(10), await born(15), await born(30), unknown].map(
      async (c) => (await book(world, event.id, c)).body.code ?? 'booked',
    ),
  );
  assert.deepEqual(codes, ['age_too_low', 'booked', 'age_too_high', 'age_unknown']);
});

test('customers can book only within the booking window, staff also outside of it', async () => {
  const offering = await row(world, 'offering_type', {
    name: 'Soon',
    registrations_open_interval: 60,
    registrations_close_interval: 30,
  });
  const [me] = await newCustomers(world, 1);
  const codeIn = async (hours: number) => {
    const event = await newEvent(world, { ...place, offering }, { in: hours });
    return [
      (await book(world, event.id, me, world.customer(me))).body.code ?? 'booked',
      (await book(world, event.id, me)).body.code ?? 'booked',
    ];
  };
  assert.deepEqual(await codeIn(5), ['registration_not_open', 'booked']);
  assert.deepEqual(await codeIn(0.75), ['booked', 'booked']);
  assert.deepEqual(await codeIn(0.25), ['registration_closed', 'booked']);
  assert.deepEqual(await codeIn(-0.5), ['event_started', 'booked']);
});

test('explain names every rule with the facts it used', async () => {
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, event.id, a);
  const { body } = await world.get(`/events/${event.id}/explain?customer=${b}`, { as: world.machine });
  assert.equal(body.can_book, false);
  assert.equal(body.suggested_action, 'join_waitlist');
  const full = body.rules.find((r: any) => r.code === 'event_full');
  assert.deepEqual(full.facts, {
    place: 'venue',
    max_occupancy: 1,
    attending_count: 1,
    held_count: 0,
    held_for_customer: false,
    waiting_count: 0,
    waitlist_position_offered: 1,
  });
  assert.deepEqual(
    body.rules.filter((r: any) => !r.passed).map((r: any) => r.code),
    ['event_full'],
  );
});

test('attendance is marked and corrected, and cannot be marked for a customer who is not booked', async () => {
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, place);
  const { attendance } = (await book(world, event.id, a)).body;
  const came = await world.post(`/events/${event.id}/confirm_attendance`, { as: world.machine, body: { customer: a } });
  assert.deepEqual(
    [came.status, came.body.object, came.body.id, came.body.customer, came.body.status],
    [200, 'attendance', attendance, a, 'attended'],
  );
  assert.equal(
    (await world.patch(`/attendances/${attendance}`, { as: world.machine, body: { status: 'no_show' } })).body.status,
    'no_show',
  );
  assert.equal((await seats(world, event.id)).attending, 1);
  assert.equal(
    (await world.post(`/events/${event.id}/confirm_attendance`, { as: world.machine, body: { customer: b } })).body
      .code,
    'not_registered',
  );
});

test('cancelling an event ends its bookings and its waitlist', async () => {
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, event.id, a);
  await world.post(`/events/${event.id}/join_waitlist`, { as: world.machine, body: { customer: b } });
  const cancelled = await world.post(`/events/${event.id}/cancel`, { as: world.machine, body: {} });
  assert.equal(cancelled.body.status, 'cancelled', cancelled.text);
  assert.deepEqual(await seats(world, event.id), { attending: 0, held: 0, waiting: 0, booked: 0 });
  assert.equal(
    (await world.post(`/events/${event.id}/cancel`, { as: world.machine, body: {} })).body.code,
    'already_cancelled',
  );
  assert.equal((await book(world, event.id, a)).body.code, 'event_cancelled');
});

test('capacity cannot go below the number of bookings; raising it promotes the waitlist', async () => {
  const [a, b, c] = await newCustomers(world, 3);
  const event = await newEvent(world, place, { max_occupancy: 2 });
  for (const customer of [a, b]) await book(world, event.id, customer);
  await world.post(`/events/${event.id}/join_waitlist`, { as: world.machine, body: { customer: c } });
  const lower = await world.patch(`/events/${event.id}`, { as: world.machine, body: { max_occupancy: 1 } });
  assert.equal(lower.body.code, 'capacity_below_bookings');
  const higher = await world.patch(`/events/${event.id}`, { as: world.machine, body: { max_occupancy: 5 } });
  assert.equal(higher.status, 200, higher.text);
  assert.deepEqual(await seats(world, event.id), { attending: 3, held: 0, waiting: 0, booked: 3 });
});

test('customers read their own registration status on the event', async () => {
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, event.id, a);
  const of = async (customer: number) =>
    (await world.get(`/events/${event.id}?expand=active_registration_status`, { as: world.customer(customer) })).body
      .active_registration_status;
  assert.equal((await of(a)).suggested_action, 'unregister');
  const other = await of(b);
  assert.equal(other.suggested_action, 'join_waitlist');
  assert.deepEqual(other.restriction_codes, ['event_full']);
});

// Guards against: A customer reads or acts for somebody else
test('only staff and the family see the registration status of another customer', async () => {
  const family = await row(world, 'family', {});
  const [a, stranger] = await newCustomers(world, 2);
  const parent = await world.newCustomer({ family_id: family, family_role: 'manager' });
  const child = await world.newCustomer({ family_id: family, family_role: 'child' });
  const event = await newEvent(world, place);
  for (const customer of [a, child]) await book(world, event.id, customer);
  const of = async (customer: number, as?: string) =>
    (await world.get(`/events/${event.id}?active_customer=${customer}&fields=active_registration_status`, { as })).body
      .active_registration_status?.current_status ?? null;
  assert.deepEqual(
    [await of(a, world.machine), await of(a, world.customer(a)), await of(child, world.customer(parent))],
    ['registered', 'registered', 'registered'],
  );
  assert.deepEqual(
    [await of(a, world.customer(stranger)), await of(child, world.customer(stranger)), await of(a)],
    [null, null, null],
  );
});

test('instructors book and mark for the events that they teach, and for no other', async () => {
  const { instructor, staff } = await newInstructor(world);
  const as = world.staff(['instructor_attendances'], staff);
  const act = async (event: number, customer: number) => {
    const statuses = [];
    for (const what of ['register', 'confirm_attendance'])
      statuses.push((await world.post(`/events/${event}/${what}`, { as, body: { customer } })).status);
    return statuses;
  };
  const [a, b] = await newCustomers(world, 2);
  const own = await newEvent(world, place, { instructors: [instructor], in: 30 });
  const other = await newEvent(world, place);
  assert.deepEqual(await act(own.id, a), [200, 200]);
  await book(world, other.id, b);
  assert.deepEqual(await act(other.id, b), [403, 403]);
  for (const what of ['unregister', 'join_waitlist', 'leave_waitlist']) {
    assert.equal(
      (await world.post(`/events/${other.id}/${what}`, { as, body: { customer: b } })).body.code,
      'permission_denied',
    );
  }
});

test('it does not matter for lateness who cancels', async () => {
  const timeline = await row(world, 'registration_timeline', { cancellation_notice_interval: 24 * 60 });
  const lenient = await row(world, 'registration_timeline', {
    audience_type: 'business_only',
    registrations_open_interval: 60 * 24 * 365,
    cancellation_notice_interval: 0,
  });
  const event = await newEvent(world, place, { in: 12, registration_timelines: [timeline, lenient] });
  const [a, b] = await newCustomers(world, 2);
  for (const customer of [a, b]) await book(world, event.id, customer);
  const byStaff = await world.post(`/events/${event.id}/unregister`, { as: world.machine, body: { customer: a } });
  const byCustomer = await world.post(`/events/${event.id}/unregister`, { as: world.customer(b), body: {} });
  assert.deepEqual([byStaff.body.late, byCustomer.body.late], [true, true]);
});
