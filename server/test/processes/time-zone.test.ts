/** The service on a machine in another time zone: times belong to businesses and venues, never to the machine. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fill, install, serve, type Installed, type Served } from './durable.ts';
import { postTo } from './booking-storm.ts';
import { serveHere, type ServedHere } from './serve-here.ts';

let database: Installed;
let here: ServedHere;
let far: Served;
before(async () => {
  database = await install();
  await fill(database, 2, { n: 3, places: 5 });
  [here, far] = await Promise.all([serveHere(database.url), serve(database.url, { TZ: 'Pacific/Kiritimati' })]);
});
after(async () => {
  await far?.end('SIGKILL');
  await here?.close();
  await database?.remove();
});

const read = async ({ url }: { url: string }, path: string): Promise<any> => {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${database.token}` } });
  assert.equal(answer.status, 200, path);
  // Links contain the address of the service that responds.
  return JSON.parse((await answer.text()).replaceAll(url, ''));
};

const make = async (path: string, body: object) => {
  const answer = await postTo(far.url, database.token, `/${path}`, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};

test('a service on a machine fourteen hours ahead stores and returns the same times and days', async () => {
  const venue = await make('venues', { name: 'Boathouse', venue_type: 'physical', timezone: 'America/Toronto' });
  const offering = (await read(here, '/api/v2/offering_types')).results[0].id;
  const event = await make('events', {
    name: 'Early row',
    venue: venue.id,
    offering_type: offering,
    max_occupancy: 4,
    starts_at: '2027-01-20T06:30',
    ends_at: '2027-01-20T07:30',
  });
  assert.deepEqual([event.starts_at, event.ends_at], ['2027-01-20T06:30:00-05:00', '2027-01-20T07:30:00-05:00']);
  const person = await make('customers', { first_name: 'Mo', last_name: 'Reyes', date_of_birth: '1990-02-28' });
  const born = `/customers/${person.id}?fields=date_of_birth`;
  assert.deepEqual(await read(here, `/api/v2${born}`), { date_of_birth: '1990-02-28' });
  for (const path of [
    '/events?sort=start',
    '/events?local_starts_at_gte=2027-01-20T00:00&local_starts_at_lte=2027-01-20T23:59',
    born,
    '/reports/attendances/data',
    '/feed_items?page_size=5',
  ])
    assert.deepEqual(await read(far, `/api/v2${path}`), await read(here, `/api/v2${path}`), path);
});
