/** Compares the messages that a dry run shows with those that are then sent. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newInstructor, newPlace, type Place } from '../../../test/schedule-world.ts';
import { done, enrollFree, newRun, weekly } from '../../availability/courses/test/world.ts';
import { newWeekly, reserve } from '../../availability/reservations/test/world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { beside, until } from '../../../test/storm.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld({ own: true, worker: true });
  place = await newPlace(world);
});
after(() => world.close());

const reached = (): Promise<number> =>
  world.newCustomer({ email: `told${Math.random().toString(36).slice(2)}@example.com` });
const say = { notify: { email: { send: true, message: 'The boat is being repaired.' } } };

type Counts = Record<string, number>;

const inOrder = (counts: Counts): string => JSON.stringify(Object.entries(counts).toSorted());

/** Counts messages after this one that are not skipped, without reminders: how many people got which. */
async function sentSince(last: number): Promise<Counts> {
  const rows = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ kind: string; n: number }>(sql`
      SELECT kind, count(DISTINCT coalesce('c' || customer_id, 's' || staff_id))::int AS n FROM message
      WHERE provider_id = ${world.harbour} AND id > ${last} AND status <> 'skipped' AND kind <> 'event_reminder'
      GROUP BY 1`),
  );
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]));
}

/** Returns the last message once nothing more is left to read. */
async function lastMessage(): Promise<number> {
  return until('everything is read', async () => {
    const row = await world.work(world.harbour, ({ tx }) =>
      tx.one<{ open: number; last: number }>(sql`
        SELECT (SELECT count(*) FROM feed_item WHERE provider_id = ${world.harbour} AND seq IS NULL)
          + (SELECT count(*) FROM feed_position p WHERE p.provider_id = ${world.harbour} AND p.last_seq > coalesce(
              (SELECT last_seq FROM feed_reader_position r
                WHERE r.provider_id = p.provider_id AND r.reader = 'notices'), 0)) AS open,
          (SELECT coalesce(max(id), 0) FROM message WHERE provider_id = ${world.harbour}) AS last`),
    );
    return row!.open === 0 ? { last: row!.last } : null;
  }).then(({ last }) => last);
}

/** Tries it, does it, and waits until exactly what was previewed has been sent. Returns that. */
async function previewed(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object): Promise<Counts> {
  const last = await lastMessage();
  const preview = await world.ask(method, `${path}?dry_run=true`, { as: world.machine, body: body as never });
  assert.ok(preview.status < 300, preview.text);
  const counts: Counts = Object.fromEntries(
    preview.body.effects
      .filter(({ effect }: any) => effect === 'message_sent')
      .map(({ detail }: any) => [detail.type, detail.people]),
  );
  assert.deepEqual(await sentSince(last), {}, 'a dry run sends nothing');
  const real = await world.ask(method, path, { as: world.machine, body: body as never });
  assert.ok(real.status < 300, real.text);
  await until(`what was previewed is sent: ${inOrder(counts)}`, async () => {
    await lastMessage();
    return inOrder(await sentSince(last)) === inOrder(counts);
  });
  return counts;
}

test('cancelling and reopening an event, and changing its instructor', async () => {
  const [here, there, waits] = [await reached(), await reached(), await reached()];
  const silent = await world.newCustomer({ email: null });
  const [first, second] = [await newInstructor(world), await newInstructor(world)];
  const { id } = await newEvent(world, place, { max_occupancy: 3, instructors: [first.instructor] });
  for (const customer of [here, there, silent]) await book(world, id, customer);
  await world.post(`/events/${id}/join_waitlist`, { as: world.machine, body: { customer: waits } });
  assert.deepEqual(await previewed('POST', `/events/${id}/cancel`, say), { event_cancelled: 3 });
  assert.deepEqual(await previewed('POST', `/events/${id}/reopen`, say), { event_reopened: 2, waitlist_reopened: 1 });
  const change = { instructors: [second.instructor] };
  const { event_instructor_changed } = await previewed('PATCH', `/events/${id}`, change);
  assert.equal(event_instructor_changed, 3);
  assert.deepEqual(await previewed('POST', `/events/${id}/cancel`, {}), {}, 'nobody is told if staff say nothing');
});

test('bookings, waitlists, and the consequences of a freed place', async () => {
  const [here, waits, leaves] = [await reached(), await reached(), await reached()];
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  const ask = (what: string, customer: number) => previewed('POST', `/events/${id}/${what}`, { customer });
  assert.deepEqual(await ask('register', here), { event_registration_confirmed: 1 });
  assert.deepEqual(await ask('join_waitlist', waits), { waitlist_added: 1 });
  assert.deepEqual(await ask('join_waitlist', leaves), { waitlist_added: 1 });
  assert.deepEqual(await ask('leave_waitlist', leaves), {});
  assert.deepEqual(await ask('unregister', here), { event_registration_cancelled: 1, waitlist_promoted: 1 });
});

test('a preview writes neither calendar entries nor reminders, so it never waits for a message that is being sent', async () => {
  const customer = await reached();
  const { id } = await newEvent(world, place);
  const sending = await beside(world.databaseUrl);
  // Like the reader before it has locked the event, for which it waits as long as the preview holds it.
  await sending.query('BEGIN; SET LOCAL session_replication_role = replica');
  const keys = [world.harbour, id, customer];
  await sending.query('INSERT INTO calendar_entry (provider_id, event_id, customer_id) VALUES ($1, $2, $3)', keys);
  await sending.query(
    'INSERT INTO event_reminder (provider_id, event_id, customer_id, due_at) VALUES ($1, $2, $3, now())',
    keys,
  );
  const preview = await world.post(`/events/${id}/register?dry_run=true`, { as: world.machine, body: { customer } });
  await sending.end();
  assert.equal(preview.status, 200, preview.text);
  const types = preview.body.effects.map(({ detail }: any) => detail.type);
  assert.ok(types.includes('event_registration_confirmed'));
});

test('closing days, and reopening them', async () => {
  const customers = [await reached(), await reached()];
  const here = await newPlace(world);
  const { id } = await newEvent(world, here, { in: 24 * 30 });
  for (const customer of customers) await book(world, id, customer);
  const { body: event } = await world.get(`/events/${id}`, { as: world.machine });
  const body = { dates: [event.starts_at.slice(0, 10)], venues: [here.venue] };
  assert.deepEqual(await previewed('POST', '/business_closures/bulk_close', body), { event_cancelled: 2 });
  const { results } = await done(world, 'GET', `/business_closures?venue=${here.venue}`);
  const closed = results.find((one: any) => one.venue === here.venue);
  assert.deepEqual(await previewed('POST', `/business_closures/${closed.id}/reopen`, say), { event_reopened: 2 });
});

test('recurring reservations and their end', async () => {
  const customer = await reached();
  const { first } = await newWeekly(world, { weeks: 3 });
  assert.deepEqual(await previewed('POST', '/recurring_reservations', { customer, event: first }), {
    recurring_reservation_booked: 1,
  });
  const { results } = await done(world, 'GET', `/recurring_reservations?customer=${customer}`);
  assert.deepEqual(await previewed('POST', `/recurring_reservations/${results[0].id}/end`, {}), {
    event_registration_cancelled: 1,
  });
  assert.ok((await reserve(world, { customer, event: first })).status < 300);
});

test('changes of courses: added sessions, one that is moved, one that is cancelled, an enrollment and a whole series', async () => {
  const [one, two] = [await reached(), await reached()];
  const { series, sessions } = await newRun(world, { price: '0.00', sessions: 3 });
  assert.deepEqual(await previewed('POST', `/course_date_series/${series}/enroll`, { customer: one }), {
    course_enrolled: 1,
  });
  const { id } = await enrollFree(world, series, two);
  const more = { dates: weekly(world, 1, 24 * 60), cost: 'free' };
  assert.deepEqual(await previewed('POST', `/course_date_series/${series}/add_sessions`, more), {
    course_sessions_added: 2,
  });
  const [moved] = weekly(world, 1, 24 * 40);
  assert.deepEqual(await previewed('PATCH', `/course_sessions/${sessions[1]}`, moved), { course_session_moved: 2 });
  assert.deepEqual(await previewed('POST', `/course_sessions/${sessions[2]}/cancel`, {}), {
    course_session_cancelled: 2,
  });
  assert.deepEqual(await previewed('POST', `/course_enrollments/${id}/cancel`, {}), { course_enrollment_cancelled: 1 });
  assert.deepEqual(await previewed('POST', `/course_date_series/${series}/cancel`, {}), { course_cancelled: 1 });
});
