import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, iso, newCustomers, newEvent, newInstructor, newPlace, type Place } from './schedule-world.ts';
import { sql } from '../kernel/base/db/sql.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld({ worker: true });
  place = await newPlace(world);
});
after(() => world.close());

interface Entry {
  action: string;
  actor: string;
  before: Record<string, any> | null;
  after: Record<string, any> | null;
}

const entries = (object: string, id: number): Promise<Entry[]> =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows<Entry>(
      sql`SELECT action, actor, before, after FROM audit_entry WHERE provider_id = ${world.harbour}
        AND object = ${object} AND object_id = ${id} ORDER BY id`,
    ),
  );
const as = () => world.machine;

test('the audit log includes objects that an action creates in addition to the one in its path', async () => {
  const [parent] = await newCustomers(world, 1);
  const child = (
    await world.post(`/customers/${parent}/add_child`, { as: as(), body: { first_name: 'Bo', last_name: 'Lind' } })
  ).body;
  const [made] = await entries('customer', child.id);
  assert.equal(made.action, 'POST /customers/{id}/add_child');
  assert.match(made.actor, /^machine_token:/);
  assert.equal(made.before, null);
  assert.equal(made.after!.first_name, 'Bo');
  assert.ok(!('search_text' in made.after!), 'a secret column is in the audit');
  const [changed] = await entries('customer', parent);
  assert.deepEqual([changed.before!.family_role, changed.after!.family_role], [null, 'manager']);
});

test('a change by external id is audited with the previous values', async () => {
  const body = {
    name: 'Rowing',
    venue: place.venue,
    offering_type: place.offering,
    starts_at: iso(world.now + 9e7),
    ends_at: iso(world.now + 93e6),
  };
  const { id } = (await world.put('/events/external_id:audit-1', { as: as(), body })).body;
  await world.put('/events/external_id:audit-1', { as: as(), body: { ...body, name: 'Sculling' } });
  const [made, changed, ...more] = await entries('event', id);
  assert.deepEqual([made.before, made.after!.name], [null, 'Rowing']);
  assert.deepEqual([changed.before!.name, changed.after!.name], ['Rowing', 'Sculling']);
  assert.deepEqual(more, []);
});

test('a write that changes nothing leaves no entry', async () => {
  const event = await newEvent(world, place);
  const known = (await entries('event', event.id)).length;
  const answer = await world.patch(`/events/${event.id}`, { as: as(), body: { name: event.name } });
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await entries('event', event.id)).length, known);
});

test('a dry run leaves no entry', async () => {
  const event = await newEvent(world, place);
  await world.patch(`/events/${event.id}?dry_run=true`, { as: as(), body: { name: 'Tried' } });
  assert.ok((await entries('event', event.id)).every((e) => e.after!.name !== 'Tried'));
});

test('each event that a change to a series affects has an audit entry, and so has the series', async () => {
  const first = await newEvent(world, place, { recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } });
  const { results } = (await world.get(`/events?series=${first.series}&fields=id`, { as: as() })).body;
  assert.equal(results.length, 3);
  await world.patch(`/events/${first.id}`, { as: as(), body: { name: 'Eights', applies_to: 'all' } });
  for (const { id } of results) {
    const last = (await entries('event', id)).at(-1)!;
    assert.deepEqual([last.before!.name, last.after!.name], ['Rowing', 'Eights']);
  }
  assert.equal((await entries('event_series', first.series)).at(-1)!.after!.template.name, 'Eights');
});

test('the work of a job for a bulk action is audited under the name of the job', async () => {
  const event = await newEvent(world, place);
  const { job } = (await world.post('/events/bulk_cancel', { as: as(), body: { events: { ids: [event.id] } } })).body;
  while ((await world.get(`/jobs/${job}`, { as: as() })).body.complete_items < 1);
  const last = (await entries('event', event.id)).at(-1)!;
  assert.equal(last.actor, 'job:bulk_cancel_events');
  assert.deepEqual([last.before!.status, last.after!.status], ['active', 'cancelled']);
});

test('marking attendance creates one audit entry, whichever endpoint is used', async () => {
  const [a, b] = await newCustomers(world, 2);
  const event = await newEvent(world, place);
  const [first, second] = [
    (await book(world, event.id, a)).body.attendance,
    (await book(world, event.id, b)).body.attendance,
  ];
  await world.post(`/events/${event.id}/confirm_attendance`, { as: as(), body: { customer: a } });
  await world.patch(`/attendances/${second}`, { as: as(), body: { status: 'attended' } });
  for (const id of [first, second]) {
    const [, mark, ...more] = await entries('attendance', id);
    assert.deepEqual([mark.before!.status, mark.after!.status, more], ['registered', 'attended', []]);
  }
});

test('a list that belongs to a row is audited with it, before and after', async () => {
  const [a, b] = [await newInstructor(world), await newInstructor(world)];
  const event = await newEvent(world, place, { instructors: [b.instructor] });
  await world.patch(`/events/${event.id}`, { as: as(), body: { instructors: [b.instructor, a.instructor] } });
  await world.patch(`/events/${event.id}`, { as: as(), body: { name: 'Eights' } });
  const [made, changed, named] = await entries('event', event.id);
  assert.deepEqual([made.before, made.after!.instructor_ids], [null, [b.instructor]]);
  assert.deepEqual(
    [changed.before!.instructor_ids, changed.after!.instructor_ids],
    [[b.instructor], [a.instructor, b.instructor]],
  );
  assert.ok(!('instructor_ids' in named.after!), 'who wrote no list is said to have');
});
