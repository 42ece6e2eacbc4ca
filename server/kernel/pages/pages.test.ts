import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fastify from 'fastify';
import { html } from '../base/markup/html.ts';
import { Limits } from '../api/limits/limits.ts';
import { PageClient } from '../../test/pages/page-client.ts';
import { page, type Site } from './visit.ts';
import { Problem } from '../base/problem.ts';
import { servePages, type PageRoute } from './pages.ts';
import { sessionOf } from './cookies.ts';
import { START } from '../../test/clock.ts';

const SITE: Site = { name: 'Club <&> Co', home: '/account/1', theme: null };
const counted: [string, number][] = [];
const metrics = { request: (name: string, status: number) => void counted.push([name, status]) };

const failing =
  (error: Error): PageRoute<Site>['get'] =>
  () => {
    throw error;
  };
const ROUTES: PageRoute<Site>[] = [
  {
    path: '/{site}/fine',
    charged: 'page',
    get: ({ token }) => page('Fine', html`<h1>Fine</h1><input name="form_token" value="${token}">`),
  },
  { path: '/{site}/broken', charged: 'page', get: failing(new Error('SELECT secret FROM table')) },
  { path: '/{site}/busy', charged: 'page', get: failing(Object.assign(new Error('locked'), { code: '55P03' })) },
  { path: '/{site}/missing', charged: 'page', get: failing(new Problem('not_found', 'Not found.')) },
];

const http = fastify();
let client: PageClient;
before(async () => {
  http.post('/api', (request, reply) => reply.send({ body: request.body }));
  servePages(http, {
    prefix: '/account',
    routes: ROUTES,
    site: async ({ site }) => (site === '1' ? SITE : null),
    limits: new Limits(false, () => START),
    metrics,
    now: () => START,
    publicUrl: undefined,
  });
  client = new PageClient(await http.listen({ port: 0, host: '127.0.0.1' }));
});
after(() => http.close());

test('a failure page shows a request number to ask about, and nothing of the cause', async () => {
  const answer = await client.get('/account/1/broken');
  assert.equal(answer.status, 500);
  assert.match(answer.text, /Something went wrong[^]*mention this number: <code>[\w-]+<\/code>/);
  assert.doesNotMatch(answer.text, /secret|SELECT|at .*\.ts/);
  assert.ok(answer.headers.get('content-security-policy'));
  const busy = await client.get('/account/1/busy');
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '1']);
  assert.equal((await client.get('/account/1/missing')).status, 404);
});

test('every page names its owner as text, and is counted by its route and not by its address', async () => {
  const answer = await client.get('/account/1/fine?secret=x');
  assert.match(answer.text, /<title>Fine – Club &lt;&amp;&gt; Co<\/title>/);
  assert.deepEqual(counted.at(-1), ['GET /account/{site}/fine', 200]);
});

test('the form cookie is created once, and the next page reuses it', async () => {
  const fresh = new PageClient(`http://127.0.0.1:${(http.server.address() as { port: number }).port}`);
  assert.equal((await fresh.get('/account/1/fine')).setCookies.length, 1);
  assert.equal((await fresh.get('/account/1/fine')).setCookies.length, 0);
  fresh.cookies.set('rollcall_form', 'short');
  assert.equal((await fresh.get('/account/1/fine')).setCookies.length, 1, 'what is no secret of ours is replaced');
});

test('the session of a request is read from its cookies, under the name that the address requires', () => {
  const secret = 'rcs_'.padEnd(47, 'x');
  assert.equal(sessionOf(`a=b; rollcall_session=${secret}`, false), secret);
  assert.equal(sessionOf(`__Host-rollcall_session=kept.${secret}`, true), secret);
  assert.equal(
    sessionOf(`rollcall_session=${secret}`, true),
    null,
    'one that another host of the domain could have set',
  );
  for (const nothing of [
    undefined,
    '',
    'rollcall_session=',
    'rollcall_session=a b',
    'rollcall_session=%00',
    `rollcall_session=${'x'.repeat(300)}`,
  ])
    assert.equal(sessionOf(nothing, false), null);
});

test('only the pages parse forms: the rest of the service parses bodies as before', async () => {
  const answer = await client.send('POST', '/api', {
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  });
  assert.deepEqual(JSON.parse(answer.text), { body: { a: 1 } });
  assert.equal(
    (
      await client.send('POST', '/api', {
        body: 'a=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).status,
    415,
  );
});
