import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { until } from '../../../../test/storm.ts';
import {
  book,
  feedEnd,
  feedSince,
  newCustomers,
  newEvent,
  newOffering,
  newPlace,
  newVenue,
  row,
  type Place,
} from '../../../../test/schedule-world.ts';
import { bulkJob } from '../../../platform/bulk/index.ts';
import { cancelEvents } from './bulk-cancel.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld({ worker: true });
  place = await newPlace(world);
});
after(() => world.close());

const as = () => world.machine;
const start = (ids: number[], query = '', more: object = {}) =>
  world.post(`/events/bulk_cancel${query}`, { as: as(), body: { events: { ids }, ...more } });
const results = async (action: number) =>
  (await world.get(`/bulk_actions/${action}/results`, { as: as() })).body.results;

const finished = (job: number): Promise<{ total_items: number; complete_items: number; result_url: string }> =>
  until('the job has come to its end', async () => {
    const { body } = await world.get(`/jobs/${job}`, { as: as() });
    return body.complete_items === body.total_items ? body : null;
  });

test('every event has its own result; one that was already cancelled has an error of its own', async () => {
  const [customer] = await newCustomers(world, 1);
  const [a, gone, b] = [await newEvent(world, place), await newEvent(world, place), await newEvent(world, place)];
  await book(world, a.id, customer);
  await world.post(`/events/${gone.id}/cancel`, { as: as(), body: {} });
  const from = await feedEnd(world);
  const started = await start([a.id, gone.id, b.id, a.id], '', {
    notify: { email: { send: true, message: 'Storm.' } },
  });
  assert.equal(started.status, 200, started.text);
  assert.equal(started.body.type, 'cancel_events');
  const job = await finished(started.body.job);
  assert.deepEqual([job.total_items, job.complete_items], [3, 3]);
  assert.ok(job.result_url.endsWith(`/api/v2/bulk_actions/${started.body.id}/results`));
  const said = await results(started.body.id);
  assert.deepEqual(
    said.map((r: any) => [r.primary_object, r.status]),
    [
      [a.id, 'success'],
      [gone.id, 'error'],
      [b.id, 'success'],
    ],
  );
  assert.match(said[1].error_message, /already cancelled/);
  const items = await feedSince(world, from);
  assert.deepEqual(
    items.map((i) => i.kind),
    [
      'bulk_action.created',
      'event.cancelled',
      'event_registration.cancelled',
      'event.cancelled',
      'bulk_action.finished',
    ],
  );
  assert.equal(items[1].payload.notify, 'Storm.');
});

test('several batches are all completed, and repeating them has no second effect', async () => {
  const events = [];
  for (let i = 0; i < 60; i++) events.push(await newEvent(world, place));
  const from = await feedEnd(world);
  const { body } = await start(events.map((e) => e.id));
  await finished(body.job);
  assert.ok((await results(body.id)).every((r: any) => r.status === 'success'));
  const feedItems = (await feedSince(world, from)).map((i) => i.kind);
  assert.deepEqual(feedItems, ['bulk_action.created', ...events.map(() => 'event.cancelled'), 'bulk_action.finished']);
  await world.work(world.harbour, (work) => bulkJob(cancelEvents).run(work, { bulk_action: body.id }));
  assert.equal((await feedSince(world, from)).length, feedItems.length);
  assert.equal((await finished(body.job)).complete_items, 60);
});

test('an interrupted batch leaves nothing behind and is repeated', async () => {
  const event = await newEvent(world, place);
  const job = await row(world, 'job', { total_items: 1, created_at: new Date(world.now).toISOString() });
  const action = await row(world, 'bulk_action', {
    type: 'cancel_events',
    job_id: job,
    created_at: new Date(world.now).toISOString(),
    parameters: '{"notify": null}',
  });
  await row(world, 'bulk_action_result', { bulk_action_id: action, primary_object: event.id });
  const run = () => world.work(world.harbour, (work) => bulkJob(cancelEvents).run(work, { bulk_action: action }));
  await assert.rejects(
    world.work(world.harbour, async (work) => {
      await bulkJob(cancelEvents).run(work, { bulk_action: action });
      throw new Error('the power went');
    }),
  );
  assert.equal((await world.get(`/events/${event.id}`, { as: as() })).body.status, 'active');
  assert.deepEqual(
    (await results(action)).map((r: any) => r.status),
    ['pending'],
  );
  await run();
  assert.equal((await world.get(`/events/${event.id}`, { as: as() })).body.status, 'cancelled');
});

test('an event of another business, or an unknown one, refuses the whole call', async () => {
  const mine = await newEvent(world, place);
  const [venue, offering] = [await newVenue(world, {}, world.meadow), await newOffering(world, {}, world.meadow)];
  const body = {
    name: 'Theirs',
    venue,
    offering_type: offering,
    starts_at: '2030-01-01T10:00',
    ends_at: '2030-01-01T11:00',
  };
  const theirs = (await world.post('/events', { as: world.meadowMachine, body })).body.id;
  for (const ids of [[mine.id, theirs], [999_999], []]) assert.equal((await start(ids)).status, 400);
  assert.equal((await world.get(`/events/${mine.id}`, { as: as() })).body.status, 'active');
  assert.equal((await world.get(`/events/${theirs}`, { as: world.meadowMachine })).body.status, 'active');
});

test('a dry run lists what would be lost and starts no job', async () => {
  const event = await newEvent(world, place);
  const before = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ n: number }>(sql`SELECT count(*) AS n FROM job WHERE provider_id = ${world.harbour}`),
  );
  const { body } = await start([event.id], '?dry_run=true');
  assert.deepEqual(
    body.effects.map((e: any) => [e.effect, e.id]),
    [['event_cancelled', event.id]],
  );
  const after = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ n: number }>(sql`SELECT count(*) AS n FROM job WHERE provider_id = ${world.harbour}`),
  );
  assert.deepEqual(after, before);
});

test('actions and their results are visible to staff of the business only', async () => {
  const event = await newEvent(world, place);
  const { body } = await start([event.id]);
  await finished(body.job);
  const [customer] = await newCustomers(world, 1);
  for (const path of [`/jobs/${body.job}`, `/bulk_actions/${body.id}`, `/bulk_actions/${body.id}/results`]) {
    assert.equal((await world.get(path, { as: as() })).status, 200);
    assert.equal((await world.get(path, { as: world.customer(customer) })).status, 403);
    assert.equal((await world.get(path, { as: world.meadowMachine })).status, 404);
  }
  assert.equal(
    (
      await world.post('/events/bulk_cancel', {
        as: world.staff(['attendances']),
        body: { events: { ids: [event.id] } },
      })
    ).status,
    403,
  );
});
