import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, until } from '../../../test/storm.ts';
import { book, iso, newCustomers, newEvent, newPlace } from '../../../test/schedule-world.ts';
import { parseXml } from '../../../test/matrix/parse-xml.ts';
import { PERMISSIONS } from '../../people/staff/index.ts';
import { answerAt, follow, parametersAt } from '../../../test/checks/openapi-refs.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ worker: true });
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const list = async (query: string, as = world.machine): Promise<any> => {
  const answer = await world.get(`/feed_items?${query}`, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const numbered = () =>
  until(
    'everything has its number',
    async () => (await owner.query('SELECT FROM feed_item WHERE seq IS NULL')).rowCount === 0,
  );
const last = async (): Promise<number> => (await numbered(), (await list('sort=-id&limit=1')).results[0]?.id ?? 0);
const rename = async (venue: number, n: number): Promise<void> => {
  for (let i = 0; i < n; i++) await world.patch(`/venues/${venue}`, { as: world.machine, body: { name: `Quay ${i}` } });
};
const newVenue = async (): Promise<number> =>
  (
    await world.post('/venues', {
      as: world.machine,
      body: { name: 'Quay', venue_type: 'physical', timezone: 'America/Toronto' },
    })
  ).body.id;

test('the types that can be followed are listed with the properties of their payloads', async () => {
  const { body } = await world.get('/feed_item_types?page_size=100', { as: world.staff(['developer']) });
  assert.ok(body.count > 100);
  const pages = Math.ceil(body.count / 100);
  const all: any[] = [];
  for (let page = 1; page <= pages; page++)
    all.push(...(await world.get(`/feed_item_types?page_size=100&page=${page}`, { as: world.machine })).body.results);
  assert.equal(all.length, body.count);
  const found = all.find(({ type }: any) => type === 'venue.created');
  assert.deepEqual([found.resource, found.payload.includes('venue')], ['venue', true]);
  const narrow = await world.get('/feed_item_types?page_size=2&page=2', { as: world.machine });
  assert.deepEqual(
    narrow.body.results.map(({ type }: any) => type),
    body.results.slice(2, 4).map(({ type }: any) => type),
  );
  assert.equal((await world.get('/feed_item_types', { as: world.staff(['customers']) })).status, 403);
});

test('a feed item has its number, its time in the zone of the business, and its object', async () => {
  const from = await last();
  const began = world.now;
  const venue = await newVenue();
  const { body: room } = await world.post('/venue_rooms', { as: world.machine, body: { venue, name: 'Dock' } });
  await numbered();
  const { count, next, previous, results } = await list(`after=${from}`);
  assert.deepEqual([count, next, previous], [2, null, null]);
  assert.deepEqual(
    results.map((r: any) => [r.object, r.id, r.type]),
    [
      ['feed_item', from + 1, 'venue.created'],
      ['feed_item', from + 2, 'venue_room.created'],
    ],
  );
  assert.deepEqual(Object.entries(results[1].resources), [
    ['venue_room', room.id],
    ['venue', venue],
  ]);
  assert.deepEqual(results[1].payload, { venue_room: room.id, venue });
  assert.match(results[0].timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00$/);
  const at = Date.parse(results[0].timestamp);
  assert.ok(at > began - 1000 && at <= world.now, results[0].timestamp);
  assert.deepEqual((await world.get(`/feed_items/${from + 2}`, { as: world.machine })).body, results[1]);
});

test('`resources` has one object of each name, the one that it happened to, and the payload has all of them', async () => {
  const [gone, kept] = await newCustomers(world, 2);
  const from = await last();
  assert.equal((await world.post(`/customers/${gone}/merge`, { as: world.machine, body: { into: kept } })).status, 200);
  await numbered();
  const [merged] = (await list(`after=${from}&types=customer.merged`)).results;
  assert.deepEqual(merged.resources, { customer: gone });
  assert.deepEqual(merged.payload, { customer: gone, into: kept });
});

test('the document describes `resources` as ids by name', async () => {
  const { body: document } = await world.get('/openapi.json', { as: undefined });
  const schema = answerAt(document, 'GET', '/feed_items/{id}', 200);
  const { type, additionalProperties } = follow(document, schema.properties.resources);
  assert.deepEqual({ type, additionalProperties }, { type: 'object', additionalProperties: { type: 'integer' } });
});

test('a client that follows the next links gets everything once, in order, and the count is the number of remaining items', async () => {
  const from = await last();
  await rename(await newVenue(), 24);
  const end = await last();
  const got: number[] = [];
  let path: string | null = `/feed_items?after=${from}&limit=7`;
  const counts: number[] = [];
  while (path) {
    const { body }: any = await world.get(path, { as: world.machine });
    got.push(...body.results.map((r: any) => r.id));
    counts.push(body.count);
    path = body.next && body.next.replace(`${world.url}/api/v2`, '');
  }
  assert.deepEqual(
    got,
    Array.from({ length: end - from }, (_, i) => from + 1 + i),
  );
  assert.deepEqual(counts, [25, 18, 11, 4]);
  const newest: any = await list(`after=${from}&sort=-id&limit=20`);
  assert.deepEqual(
    newest.results.map((r: any) => r.id),
    got.toReversed().slice(0, 20),
  );
  assert.match(newest.next, new RegExp(`before=${end - 19}\\b`));
  const rest = await world.get(newest.next.replace(`${world.url}/api/v2`, ''), { as: world.machine });
  assert.deepEqual(
    rest.body.results.map((r: any) => r.id),
    got.slice(0, 5).toReversed(),
  );
});

test('each filter finds exactly the matching items', async () => {
  const from = await last();
  const [one, other] = [await newVenue(), await newVenue()];
  await rename(one, 2);
  await world.newCustomer();
  await numbered();
  const ids = async (query: string): Promise<string[]> =>
    (await list(`after=${from}&${query}`)).results.map((r: any) => `${r.type} ${Object.values(r.resources)[0]}`);
  assert.deepEqual(await ids('types=venue.updated'), [`venue.updated ${one}`, `venue.updated ${one}`]);
  assert.deepEqual((await ids('types=venue.created,customer.created')).length, 3);
  assert.deepEqual(await ids(`object=venue&object_id=${other}`), [`venue.created ${other}`]);
  assert.deepEqual((await ids(`object=customer`)).length, 1);
  assert.deepEqual(await ids(`occurred_at_gte=${encodeURIComponent(iso(world.now + 60_000))}`), []);
  assert.equal(
    (
      await ids(
        `occurred_at_lte=${encodeURIComponent(iso(world.now + 60_000))}&occurred_at_gte=${encodeURIComponent(iso(world.now - 60_000))}`,
      )
    ).length,
    5,
  );
  const wrong = await world.get('/feed_items?types=venue.moved', { as: world.machine });
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'parameter_invalid']);
  assert.match(wrong.body.field_errors.types[0], /venue\.created/);
});

test('the types are those that the areas declare, also in the document', async () => {
  const { body: document } = await world.get('/openapi.json', { as: undefined });
  const parameter = parametersAt(document, 'GET', '/feed_items').find((p) => p.name === 'types')!;
  assert.deepEqual(follow(document, parameter.schema.items).enum, [...world.app.registry.feed.keys()].toSorted());
});

// Guards against: The feed reveals more than its reader may know
test('only developers and super admins of the whole business read the feed, and only their own business’s', async () => {
  await newVenue();
  const at = await last();
  const others = [
    world.staff(PERMISSIONS.filter((p) => p !== 'super_admin' && p !== 'developer')),
    world.customer(await world.newCustomer()),
    undefined,
    world.staff(['developer'], null, world.harbour, [1]),
  ];
  for (const as of others) {
    for (const path of ['/feed_items', `/feed_items/${at}`, '/feed_items/stream'])
      assert.ok([401, 403].includes((await world.get(path, { as })).status), path);
  }
  for (const permission of ['developer', 'super_admin'] as const) {
    for (const path of ['/feed_items', `/feed_items/${at}`, '/feed_items/stream'])
      assert.equal((await world.get(path, { as: world.staff([permission]) })).status, 200);
  }
  assert.equal((await world.get(`/feed_items/${at}`, { as: world.meadowMachine })).status, 404);
  assert.equal((await world.get(`/feed_items/${at + 1000}`, { as: world.machine })).status, 404);
  assert.deepEqual((await list('', world.meadowMachine)).results, []);
});

test('XML has the same content as JSON', async () => {
  await newVenue();
  const path = `/feed_items/${await last()}`;
  const json = (await world.get(path, { as: world.machine })).body;
  const xml = await world.get(`${path}?format=xml`, { as: world.machine });
  assert.deepEqual(
    parseXml(xml.text),
    JSON.parse(JSON.stringify(json, (_name, value) => (typeof value === 'number' ? String(value) : value))),
  );
});

test('filters use indexes that begin with them, and a page deep in the feed costs as much as the first one', async () => {
  await owner.query(
    `INSERT INTO feed_item (provider_id, seq, kind, object, object_id, payload, occurred_at)
    SELECT $1, 1000000 + n, CASE WHEN n % 1000 = 0 THEN 'venue_room.created' ELSE 'venue.updated' END, 'venue', n % 500,
      '{}', now() FROM generate_series(1, 30000) n`,
    [world.meadow],
  );
  await owner.query('VACUUM ANALYZE feed_item');
  const plan = async (where: string): Promise<string> =>
    (
      await owner.query(
        `EXPLAIN SELECT seq FROM feed_item WHERE provider_id = ${world.meadow} AND seq > 1000000 AND ${where}
          ORDER BY seq LIMIT 100`,
      )
    ).rows
      .map((r) => r['QUERY PLAN'])
      .join('\n');
  assert.match(await plan(`kind = ANY('{venue_room.created}')`), /_provider_id_kind_seq_idx/);
  assert.match(await plan(`object = 'venue' AND object_id = ANY('{7}')`), /_provider_id_object_object_id_seq_idx/);
  assert.match(await plan('seq > 1029000'), /_provider_id_seq_idx/);
});

/** Returns the feed items of a business after a number, in order. */
const told = async (from: number): Promise<string[]> => (
  await numbered(),
  (await list(`after=${from}&limit=1000`)).results.map(
    (r: any) =>
      `${r.type} ${Object.entries(r.resources)
        .map(([name, id]) => `${name}:${id}`)
        .join(' ')}`,
  )
);

test('a recurring plan is recorded with its events, and so are changing it from a day on and ending it', async () => {
  const place = await newPlace(world);
  const from = await last();
  const [starts_at, ends_at] = ['2031-01-06T18:00:00', '2031-01-06T19:00:00'];
  const made = await world.post('/events', {
    as: world.machine,
    body: {
      name: 'Rowing',
      venue: place.venue,
      offering_type: place.offering,
      starts_at,
      ends_at,
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
    },
  });
  assert.equal(made.status, 201, made.text);
  const { series } = made.body;
  const events = (await world.get(`/events?series=${series}`, { as: world.machine })).body.results
    .map((e: any) => e.id)
    .toSorted((a: number, b: number) => a - b);
  assert.equal(events.length, 3);
  assert.deepEqual(await told(from), [
    `event_series.created event_series:${series}`,
    ...events.map((id: number) => `event.created event:${id}`),
  ]);
  const split = await last();
  assert.equal(
    (
      await world.patch(`/events/${events[1]}`, {
        as: world.machine,
        body: { name: 'Eights', applies_to: 'following' },
      })
    ).status,
    200,
  );
  const after = await told(split);
  const next = Number(/event_series.created event_series:(\d+)/.exec(after.join('\n'))![1]);
  assert.deepEqual(
    after.toSorted(),
    [
      `event_series.changed event_series:${series}`,
      `event_series.created event_series:${next}`,
      `event_series.changed event_series:${next}`,
      `event.changed event:${events[1]}`,
      `event.changed event:${events[2]}`,
    ].toSorted(),
  );
  const end = await last();
  assert.equal(
    (await world.post(`/events/${events[1]}/cancel`, { as: world.machine, body: { applies_to: 'all' } })).status,
    200,
  );
  assert.deepEqual(await told(end), [
    `event.cancelled event:${events[1]}`,
    `event.cancelled event:${events[2]}`,
    `event_series.ended event_series:${next}`,
  ]);
});

test('a waitlist spot is recorded from its beginning to its end, however it ends', async () => {
  const place = await newPlace(world);
  const [first, second, third] = await newCustomers(world, 3);
  const event = (await newEvent(world, place, { max_occupancy: 1 })).id;
  await book(world, event, first);
  const from = await last();
  const spots: number[] = [];
  for (const customer of [second, third])
    spots.push((await world.post(`/events/${event}/join_waitlist`, { as: world.machine, body: { customer } })).body.id);
  await world.patch(`/events/${event}`, { as: world.machine, body: { max_occupancy: 2 } });
  await world.post(`/events/${event}/cancel`, { as: world.machine, body: {} });
  const all = await told(from);
  const about = all.filter((line) => line.includes('waitlist'));
  const attendances = spots.map((spot) =>
    Number(new RegExp(`waitlist.joined waitlist_spot:${spot} attendance:(\\d+)`).exec(all.join('\n'))![1]),
  );
  assert.deepEqual(about, [
    `waitlist.joined waitlist_spot:${spots[0]} attendance:${attendances[0]} event:${event} customer:${second}`,
    `waitlist.joined waitlist_spot:${spots[1]} attendance:${attendances[1]} event:${event} customer:${third}`,
    `waitlist.promoted waitlist_spot:${spots[0]} attendance:${attendances[0]} event:${event} customer:${second}`,
    `waitlist.ended waitlist_spot:${spots[1]} attendance:${attendances[1]} event:${event} customer:${third}`,
  ]);
});
