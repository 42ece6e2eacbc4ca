/** Cells of one installation over HTTP: whichever cell receives a request, the cell of the business answers it. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { once } from 'node:events';
import { createProvider } from '../../areas/platform/providers/index.ts';
import { createMachineToken } from '../../areas/people/identity/index.ts';
import { beside, times, until } from '../storm.ts';
import { POLICIES } from '../../kernel/api/limits/limits.ts';
import { openStream } from '../outside/event-stream.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { startCells, type Cells } from './cells-world.ts';
import type { CellNetwork } from '../../scale/cells/network.ts';
import type { World } from '../world.ts';

let all: Cells;
let one: World;
let two: World;
before(async () => {
  all = await startCells({ env: () => ({ RATE_LIMIT: 'on' }) });
  [one, two] = all.cells.map(({ world }) => world);
});
after(() => all?.close());

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}
/** Sends a request like fetch, which doesn't let callers choose the host. */
async function ask(url: string, headers: Record<string, string> = {}, method = 'GET', body?: Buffer): Promise<Got> {
  const request = http.request(url, { method, headers, agent: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode!, headers: response.headers, text: Buffer.concat(parts).toString() };
}
const slugOf = async (world: World): Promise<string> =>
  (await world.get(`/providers/${world.harbour}?fields=booking_site.slug`, { as: world.machine })).body.booking_site
    .slug;

test('a business is reached through every cell, by any of its names, with the same response', async () => {
  for (const [asked, home] of [
    [one, two],
    [two, one],
  ]) {
    const slug = await slugOf(home);
    const bearer = { authorization: `Bearer ${home.machine}` };
    for (const [path, headers] of [
      ['/api/v2/venues', bearer],
      [`/api/v2/providers/${home.harbour}`, bearer],
      ['/api/v2/providers', { 'service-provider-id': String(home.harbour) }],
      [`/${slug}`, {}],
      [`/${slug}/timetable`, {}],
      [`/account/${home.harbour}/log-in`, {}],
      [`/account/${home.harbour}/theme.css`, {}],
    ] as [string, Record<string, string>][]) {
      const [there, here] = [await ask(asked.url + path, headers), await ask(home.url + path, headers)];
      assert.equal(there.status, 200, `${path}: ${there.text}`);
      assert.equal(there.headers['content-type'], here.headers['content-type']);
      if (path.startsWith('/api/')) assert.equal(there.text, here.text.replaceAll(home.url, asked.url), path);
      else assert.ok(there.text.includes(`Harbour ${home === one ? 1 : 2}`) || path.endsWith('.css'), path);
    }
  }
});

test('the custom domain of a business leads to its cell', async () => {
  await two.app.db.transaction(two.harbour, (tx) =>
    tx.run(sql`UPDATE provider SET site_domain = 'book.harbour.example', site_domain_verified_at = now()`),
  );
  await until('the first cell has heard of it', async () => {
    const { text } = await ask(`${one.url}/`, { host: 'book.harbour.example' });
    return text.includes('Harbour 2');
  });
});

test('a row created a moment ago is found immediately', async () => {
  for (let n = 0; n < 3; n++) {
    const id = await two.app.db.acrossTenants('a test makes a business', (tx) =>
      createProvider(tx, { name: `Bay ${n}`, timezone: 'Europe/London', currency: 'GBP', country: 'GB' }),
    );
    const { token } = await two.app.db.transaction(id, (tx) => createMachineToken(tx, id, { name: 'new' }));
    const { status, body } = await one.get(`/providers/${id}`, { as: token });
    assert.equal(status, 200);
    assert.equal(body.name, `Bay ${n}`);
    assert.equal((await ask(`${one.url}/bay-${n}`)).status, 200);
  }
  // A token that no cell knows is refused here, as usual.
  assert.equal((await one.get('/venues', { as: 'rcm_nobody' })).status, 401);
  assert.equal((await ask(`${one.url}/nobody-has-this`)).status, 404);
});

test('an address or domain of a business in another cell is refused as taken', async () => {
  const slug = await slugOf(two);
  const taken = await one.patch(`/providers/${one.harbour}`, { as: one.machine, body: { booking_site: { slug } } });
  assert.equal(taken.status, 400, taken.text);
  assert.match(taken.body.field_errors['booking_site.slug'][0], /Another business has this address/);
  const free = await one.patch(`/providers/${one.harbour}`, {
    as: one.machine,
    body: { booking_site: { slug: 'harbour-one' } },
  });
  assert.equal(free.status, 200, free.text);
  const id = await one.app.db.acrossTenants('a test makes a business', (tx) =>
    createProvider(tx, {
      name: 'Harbour 2',
      timezone: 'Europe/London',
      currency: 'GBP',
      country: 'GB',
      cells: one.app.installation.cells,
    }),
  );
  const { body } = await one.get(`/providers/${id}?fields=booking_site.slug`, { provider: id });
  assert.equal(body.booking_site.slug, `${slug}-2`);
});

test('a cell that is slow to list its addresses delays nobody else who creates a business', async () => {
  const make = (name: string, cells: Pick<CellNetwork, 'askAll'>) =>
    one.app.db.acrossTenants('a test makes a business', (tx) =>
      createProvider(tx, {
        name,
        timezone: 'Europe/London',
        currency: 'GBP',
        country: 'GB',
        cells: cells as CellNetwork,
      }),
    );
  const slow = Promise.withResolvers<never[]>();
  let asked = false;
  const waits = make('Slow Bay', { askAll: () => ((asked = true), slow.promise) });
  await until('the slow cell is asked', async () => asked);
  const quick = await make('Slow Bay', one.app.installation.cells!);
  slow.resolve([]);
  const slugs = [];
  for (const id of [quick, await waits])
    slugs.push((await one.get(`/providers/${id}?fields=booking_site.slug`, { provider: id })).body.booking_site.slug);
  assert.deepEqual(slugs, ['slow-bay', 'slow-bay-2']);
});

test('bodies arrive as sent, including those without a length, and refusals arrive even if the body was not read', async () => {
  const made = await one.post('/venues', {
    as: two.machine,
    body: { name: 'Hall', timezone: 'Europe/London', venue_type: 'online' },
  });
  assert.equal(made.status, 201, made.text);
  const changed = await one.patch(`/venues/${made.body.id}`, { as: two.machine, body: { name: 'Grand Hall' } });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await two.get(`/venues/${made.body.id}`, { as: two.machine })).body.name, 'Grand Hall');
  const headers = { authorization: `Bearer ${two.machine}`, 'content-type': 'application/json' };
  const request = http.request(`${one.url}/api/v2/venues`, { method: 'POST', headers, agent: false });
  request.write('{"name":"In ');
  request.end('parts","timezone":"UTC","venue_type":"online"}');
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  assert.equal(response.statusCode, 201);
  const { body } = await two.get('/venues', { as: two.machine });
  assert.ok(body.results.some(({ name }: { name: string }) => name === 'In parts'));
  // Refused by the other cell before it was read.
  const stranger = { 'service-provider-id': String(two.harbour), authorization: 'Bearer rcm_nobody' };
  assert.equal((await ask(`${one.url}/api/v2/venues`, stranger, 'POST', Buffer.alloc(50_000, 'x'))).status, 401);
});

test('a stream is forwarded as it happens, and ends on both sides when the client disconnects', async () => {
  const client = await openStream(`${one.url}/api/v2/feed_items/stream`, { authorization: `Bearer ${two.machine}` });
  assert.equal(client.status, 200);
  const { streams } = await openCount(two);
  assert.equal(streams, 1);
  client.leave();
  await until('the other cell has noticed', async () => (await openCount(two)).streams === 0);
});

async function openCount(world: World): Promise<{ streams: number }> {
  const { text } = await ask(`${world.url}/metrics`);
  return { streams: Number(/^rollcall_streams_open (\d+)/m.exec(text)?.[1] ?? NaN) };
}

/** Returns the number of requests that the caller has left. */
const left = ({ headers }: Got): number => Number(/;r=(\d+)/.exec(String(headers.ratelimit))![1]);

// Guards against: Pretending to be another cell, or the caller of a request that a cell carries
test('the cell that answers counts the request against the actual caller, and no client can name another caller', async () => {
  const { quota } = POLICIES.address;
  const path = `/api/v2/providers/${two.harbour}`;
  // From outside, none of these headers changes who the caller is.
  const said: Record<string, string>[] = [
    {},
    { 'x-forwarded-for': '203.0.113.9' },
    { 'rollcall-cell-for': '1 203.0.113.9 https rollcall.example', 'rollcall-cell': '2.1.abc' },
  ];
  const each = 20;
  await times(each, () =>
    Promise.all(said.flatMap((headers) => [one, two].map(({ url }) => ask(url + path, headers)))),
  );
  const least = left(await ask(one.url + path));
  assert.ok(least <= quota - each * said.length * 2, `${least} left of ${quota}`);
});

test('a cell that is unreachable is reported to people and programs, and the other cells continue', async () => {
  const { front } = all.cell(2);
  front.shut();
  try {
    const answer = await one.get('/venues', { as: two.machine });
    assert.equal(answer.status, 503);
    assert.equal(answer.body.code, 'unavailable');
    assert.equal(answer.headers.get('retry-after'), '1');
    const page = await ask(`${one.url}/account/${two.harbour}/log-in`, { accept: 'text/html' });
    assert.equal(page.status, 503);
    assert.match(String(page.headers['content-type']), /text\/html/);
    // A person whom an application sends to log in uses a browser too.
    const begun = await ask(`${one.url}/api/v2/auth/oauth/authorize?state=s`, {
      accept: 'text/html',
      'service-provider-id': String(two.harbour),
    });
    assert.equal(begun.status, 503);
    assert.match(begun.text, /href="\/api\/v2\/auth\/oauth\/authorize\?state=s">Try again</);
    assert.equal((await one.get('/venues', { as: one.machine })).status, 200);
    assert.equal((await ask(`${one.url}/healthz`)).status, 200);
  } finally {
    front.reopen();
  }
  assert.equal((await one.get('/venues', { as: two.machine })).status, 200, 'with the next request');
});

test('a business that has moved is reached at its new cell from the first request after the move', async () => {
  const owners = await Promise.all([one, two].map((world) => beside(world.databaseUrl)));
  try {
    // Both cells have the rows of the business, as during a move; here only those that say where it lives.
    const moved = two.meadow;
    await owners[0].query(
      `INSERT INTO provider (provider_id, name, timezone, currency) VALUES ($1, 'Meadow moved', 'UTC', 'GBP')`,
      [moved],
    );
    const name = async (world: World) => {
      const { status, body } = await world.get(`/providers/${moved}`, { provider: moved });
      return status === 200 ? body.name : status;
    };
    await owners[1].query(`INSERT INTO cell_business (provider_id, state, cell) VALUES ($1, 'leaving', 1)`, [moved]);
    assert.equal(await name(two), 503);
    await owners[1].query(`UPDATE cell_business SET state = 'left' WHERE provider_id = $1`, [moved]);
    await until('the second cell sends it on', async () => (await name(two)) === 'Meadow moved');
    assert.equal(await name(one), 'Meadow moved');
  } finally {
    await Promise.all(owners.map((owner) => owner.end()));
  }
});
