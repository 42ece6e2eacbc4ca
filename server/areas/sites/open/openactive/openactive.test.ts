/** Open data against the standard's own validators, and in the order that programs rely on. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRequire } from 'node:module';
import { book, newCustomers, newEvent, newOffering, newVenue, type Place } from '../../../../test/schedule-world.ts';
import { changesAfter, forgetPast, type After } from './changes.ts';
import { durationOf } from './session.ts';
import { sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { beside, until } from '../../../../test/storm.ts';

// Both are older than ES modules, and neither makes requests: `loadRemoteJson` is off by default.
const require = createRequire(import.meta.url);
const { validate } = require('@openactive/data-model-validator');
const { RpdeValidator } = require('@openactive/rpde-validator');

const HOUR = 3_600_000;
const ADDRESS = {
  street: '1 Quay',
  city: 'Toronto',
  region: 'ON',
  postal_code: 'M5J 2L7',
  country: 'CA',
  lat: 43.64,
  lng: -79.38,
};

let world: World;
let place: Place;
let home: string;
before(async () => {
  world = await startWorld({ worker: true });
  home = `/${(await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug}`;
  assert.equal((await fetch(feed())).status, 404, 'nobody publishes what they never said they would');
  assert.equal((await publish(true)).status, 200);
  place = {
    venue: await newVenue(world, { name: 'Quay Hall', physical_address: ADDRESS }),
    offering: await newOffering(world, {
      name: 'Tidal Yoga',
      description: 'Slow, by the water.',
      allows_dropins: true,
      dropin_price_minor: 1550,
      min_allowed_age: 16,
    }),
  };
});
after(() => world?.close());

interface Item {
  readonly state: 'updated' | 'deleted';
  readonly kind: string;
  readonly id: number;
  readonly modified: number;
  readonly data?: any;
}

const publish = (publishes_open_data: boolean) =>
  world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { name: 'Harbour', booking_site: { publishes_open_data } },
  });

const feed = () => `${world.url}${home}/openactive/scheduled-sessions`;

interface Page {
  readonly items: readonly Item[];
  readonly next: string;
  readonly license: string;
  readonly cache: string | null;
}

async function pageAt(url: string): Promise<Page> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200, url);
  return { ...((await answer.json()) as Omit<Page, 'cache'>), cache: answer.headers.get('cache-control') };
}

/** Follows the feed to its end, as an external program does. */
async function harvest(from: string): Promise<{ items: Item[]; end: string }> {
  const items: Item[] = [];
  for (let url = from; ;) {
    const page = await pageAt(url);
    if (page.items.length === 0) {
      assert.equal(page.next, url, 'the last page leads to itself');
      assert.equal(page.cache, 'private, max-age=8');
      return { items, end: url };
    }
    assert.equal(page.cache, 'private, max-age=3600');
    items.push(...page.items);
    url = page.next;
  }
}

/** Returns the item of an event after an address, as soon as it is there. */
const changeOf = (event: number, from: string, fits: (item: Item) => boolean = () => true): Promise<Item> =>
  until(
    `a change of ${event}`,
    async () => (await harvest(from)).items.findLast((item) => item.id === event && fits(item)) ?? null,
  );

/** Returns the failures of the model validator, except those that can't be avoided. */
async function failuresOf(data: object, options: object = {}): Promise<string[]> {
  const found: { type: string; severity: string; path: string; message: string }[] = await validate(data, options);
  return found
    .filter(({ severity }) => severity === 'failure')
    .filter(({ type, path }) => !path.includes('activity') || !NAMES_OF_ITS_OWN.has(type))
    .map(({ type, path, message }) => `${path} ${type}: ${message}`);
}

/**
 * A business names its own offerings, which the official list of activities doesn't have. So sessions refer to a list
 * of the business, which the validator advises against, and would have to fetch.
 */
const NAMES_OF_ITS_OWN = new Set(['use_official_activity_list', 'file_not_found', 'activity_not_in_activity_list']);

test('a session conforms to the models of OpenActive', async () => {
  const { id } = await newEvent(world, place, { name: 'Tidal Yoga' });
  const { data } = await changeOf(id, feed());
  assert.deepEqual(await failuresOf(data), []);
  assert.equal(data.superEvent.offers[0].price, 15.5);
  assert.equal(data.superEvent.offers[0].priceCurrency, 'CAD');
  assert.equal(data.maximumAttendeeCapacity, 4);
  assert.equal(data.duration, 'PT1H');
  assert.equal((await fetch(data.url)).status, 200);
  const scheme = (await (await fetch(data.superEvent.activity[0].inScheme)).json()) as { concept: { '@id': string }[] };
  assert.ok(scheme.concept.some((one) => one['@id'] === data.superEvent.activity[0]['@id']));
});

test('a session with places online too counts both, can be attended either way, and has both prices', async () => {
  const offering = await newOffering(world, { dropin_price_minor: 2000, online_dropin_price_minor: 800 });
  const online = await newVenue(world, { venue_type: 'online', name: 'Call' });
  const { id } = await newEvent(world, { ...place, offering }, { online_venue: online, online_max_occupancy: 3 });
  const { data } = await changeOf(id, feed());
  assert.deepEqual(await failuresOf(data), []);
  assert.equal(data.superEvent.eventAttendanceMode, 'https://schema.org/MixedEventAttendanceMode');
  assert.deepEqual(
    data.superEvent.offers.map((one: any) => one.price),
    [20, 8],
  );
  assert.deepEqual([data.maximumAttendeeCapacity, data.remainingAttendeeCapacity], [7, 7]);
});

test('the model validator finds what is missing', async () => {
  const { items } = await harvest(feed());
  const { superEvent, ...rest } = items.find(({ state }) => state === 'updated')!.data;
  const { name: _name, ...nameless } = superEvent;
  assert.notDeepEqual(await failuresOf({ ...rest, superEvent: nameless }), []);
});

test('a booking moves its session to the end of the feed, with one spot less', async () => {
  const { id } = await newEvent(world, { ...place, offering: await newOffering(world, { name: 'For everybody' }) });
  const before = await changeOf(id, feed());
  assert.equal(before.data.remainingAttendeeCapacity, 4);
  const { end } = await harvest(feed());
  const [ada] = await newCustomers(world, 1);
  assert.equal((await book(world, id, ada)).status, 200);
  const later = await changeOf(id, end);
  assert.ok(later.modified > before.modified);
  assert.equal(later.data.remainingAttendeeCapacity, 3);
  assert.equal((await harvest(feed())).items.filter((item) => item.id === id).length, 1);
});

test('a cancelled session is marked as cancelled, and one that is no longer visible is deleted', async () => {
  const offering = await newOffering(world, { name: 'Once open' });
  const [cancelled, hidden] = [await newEvent(world, place), await newEvent(world, { ...place, offering })];
  await changeOf(hidden.id, feed(), ({ state }) => state === 'updated');
  const { end } = await harvest(feed());
  const answers = [
    await world.post(`/events/${cancelled.id}/cancel`, { as: world.machine, body: {} }),
    await world.patch(`/offering_types/${offering}`, {
      as: world.machine,
      body: { name: 'Once open', customer_visibility: 'private' },
    }),
  ];
  for (const { status, text } of answers) assert.equal(status, 200, text);
  const off = await changeOf(cancelled.id, end);
  assert.match(off.data.eventStatus, /EventCancelled$/);
  assert.deepEqual(await failuresOf(off.data), []);
  const gone = await changeOf(hidden.id, end);
  assert.equal(gone.state, 'deleted');
  assert.equal('data' in gone, false);
});

test('a session at a venue that strangers are no longer shown is deleted, and the feed goes on', async () => {
  const closing = { ...place, venue: await newVenue(world, { name: 'Old Hall', physical_address: ADDRESS }) };
  const [there, elsewhere] = [await newEvent(world, closing), await newEvent(world, place)];
  await changeOf(there.id, feed(), ({ state }) => state === 'updated');
  await changeOf(elsewhere.id, feed());
  // A venue is archived when nothing is to come there any more; what was cancelled stays in the feed for a while.
  assert.equal((await world.post(`/events/${there.id}/cancel`, { as: world.machine, body: {} })).status, 200);
  const archived = await world.patch(`/venues/${closing.venue}`, {
    as: world.machine,
    body: { name: 'Old Hall', archived: true },
  });
  assert.equal(archived.status, 200, archived.text);
  assert.equal((await changeOf(there.id, feed(), ({ state }) => state === 'deleted')).data, undefined);
  assert.equal((await changeOf(elsewhere.id, feed())).state, 'updated');
});

test('a change that all sessions at a venue show moves all of them, and no others', async () => {
  const elsewhere = { ...place, venue: await newVenue(world, { name: 'Loft', physical_address: ADDRESS }) };
  const [one, two, other] = [
    await newEvent(world, elsewhere),
    await newEvent(world, elsewhere),
    await newEvent(world, place),
  ];
  await changeOf(other.id, feed());
  const { end } = await harvest(feed());
  const renamed = await world.patch(`/venues/${elsewhere.venue}`, { as: world.machine, body: { name: 'The Loft' } });
  assert.equal(renamed.status, 200, renamed.text);
  assert.equal((await changeOf(two.id, end)).data.superEvent.location.name, 'The Loft');
  const ids = (await harvest(end)).items.map(({ id }) => id);
  assert.ok(ids.includes(one.id));
  assert.equal(ids.includes(other.id), false);
});

test('appointments are not published', async () => {
  const offering = await newOffering(world, { name: 'Massage', schedule_type: 'appointment' });
  const hidden = await newEvent(world, { ...place, offering });
  const shown = await newEvent(world, place);
  await changeOf(shown.id, feed());
  assert.deepEqual(
    (await harvest(feed())).items.filter(({ id }) => id === hidden.id),
    [],
  );
});

test('the whole feed conforms to the rules of paged exchange', async () => {
  const log = await RpdeValidator(feed(), { pageLimit: 10 });
  const errors: { type: string; severity: string; message: string }[] = log.pages.flatMap((page: any) => page.errors);
  const wrong = errors.filter(({ severity }) => severity === 'failure');
  assert.deepEqual(wrong, []);
});

test('a program that invents a position in the feed learns what is valid', async () => {
  for (const query of ['afterTimestamp=1', 'afterId=1', 'afterTimestamp=x&afterId=1', 'afterTimestamp=-1&afterId=1'])
    assert.equal((await fetch(`${feed()}?${query}`)).status, 400, query);
});

test('each business describes its data, and the installation lists those that publish it', async () => {
  const [dataset, catalog] = [`${home}/openactive`, '/openactive'];
  const dataOf = async (path: string) => {
    const text = await (await fetch(world.url + path)).text();
    const [, json] = /<script type="application\/ld\+json">(\{"@context":\["https:.*?)<\/script>/.exec(text)!;
    return JSON.parse(json);
  };
  const described = await dataOf(dataset);
  assert.deepEqual(await failuresOf(described), []);
  assert.equal(described.distribution[0].contentUrl, feed());
  assert.ok((await dataOf(catalog)).dataset.includes(`${world.url}${dataset}`));
  assert.equal((await publish(false)).status, 200);
  for (const path of ['', '/activities', '/scheduled-sessions'])
    assert.equal((await fetch(`${world.url}${dataset}${path}`)).status, 404, path);
  assert.equal((await dataOf(catalog)).dataset.includes(`${world.url}${dataset}`), false);
  assert.equal((await publish(true)).status, 200);
});

test('sessions that ended over a week ago are deleted, and future ones stay', async () => {
  const { end } = await harvest(feed());
  const { id } = await newEvent(world, place, { in: 1 });
  const later = await newEvent(world, place, { in: 24 * 10 });
  await changeOf(later.id, end);
  await world.work(world.harbour, ({ tx, now }) => forgetPast(tx, now + 8 * 24 * HOUR));
  const ids = (await harvest(feed())).items.map((item) => item.id);
  assert.equal(ids.includes(id), false);
  assert.ok(ids.includes(later.id));
});

/** Creates as many session records as somebody planned for years. */
async function plan(sessions: number): Promise<void> {
  await world.work(world.harbour, async ({ tx, providerId }) => {
    await tx.run(sql`
      WITH made AS (
        INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, local_starts_at, local_ends_at,
          starts_at, ends_at)
        SELECT ${providerId}, ${place.offering}, ${place.venue}, 'Planned', 'UTC', at, at + interval '1 hour',
          at AT TIME ZONE 'UTC', (at + interval '1 hour') AT TIME ZONE 'UTC'
        FROM (SELECT timestamp '2030-01-01' + n * interval '1 hour' AS at
          FROM generate_series(1, ${sessions}) n) planned
        RETURNING provider_id, id, ends_at)
      INSERT INTO open_session (provider_id, event_id, modified, ends_at) SELECT provider_id, id, 1000000 + id, ends_at
        FROM made`);
  });
  const owner = await beside(world.databaseUrl);
  await owner.query('VACUUM ANALYZE open_session');
  await owner.end();
}

/** Returns the number of database pages that are read for one page of the feed. */
const pages = (after: After) =>
  world.work(world.harbour, async ({ tx, providerId }) => {
    let read = 0;
    const rows = async (statement: Sql) => {
      const [{ 'QUERY PLAN': plans }] = await tx.rows<{ 'QUERY PLAN': any }>(
        sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
      );
      read = plans[0].Plan['Shared Hit Blocks'] + plans[0].Plan['Shared Read Blocks'];
      return [];
    };
    await changesAfter({ rows } as never, providerId, after, 500);
    return read;
  });

test('a page deep in the feed costs as much as the first one', async () => {
  await plan(10_000);
  const { items } = await pageAt(`${feed()}?afterTimestamp=1000000&afterId=0`);
  const first = await pages({ modified: 1_000_000, id: 0 });
  const deep = await pages({ modified: items[0].modified + 8000, id: items[0].id + 8000 });
  assert.ok(deep <= first * 1.5, `${deep} pages instead of ${first}`);
  assert.ok(first < 100, `${first} pages`);
});

test('durations are in the format of the standard', () => {
  for (const [minutes, text] of [
    [60, 'PT1H'],
    [45, 'PT45M'],
    [90, 'PT1H30M'],
    [0, 'PT0M'],
    [1500, 'PT25H'],
  ] as const)
    assert.equal(durationOf(minutes * 60_000), text);
});
