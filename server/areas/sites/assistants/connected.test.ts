/** The list of connected assistants, and switching them off: by the business, and by the person in their account. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AssistantWorld, say } from '../../../test/worlds/assistant-world.ts';
import {
  across,
  authorizeUrl,
  challengeOf,
  exchange,
  newApplication,
  tokensFor,
  verifier,
  type TestPerson,
} from '../../../test/worlds/oauth-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { newEvent, newPlace } from '../../../test/schedule-world.ts';
import { startSession } from '../../people/identity/index.ts';
import { until } from '../../../test/storm.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let a: AssistantWorld;
before(async () => {
  world = await startWorld();
  a = await AssistantWorld.on(world);
});
after(() => world.close());

const listed = async (query = '') => {
  const answer = await world.get(`/assistants?page_size=100${query}`, { as: world.machine });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.results;
};

const calls = (token: string, entrance = 'mcp') =>
  fetch(`${world.url}/${entrance}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  }).then(({ status }) => status);

test('the business lists each assistant once, with its person, its permissions and its last use, and nothing else', async () => {
  const staff = await a.newStaff();
  const member = await a.newMember();
  const { access_token } = await a.tokens(staff);
  await a.tokens(staff, { entrance: 'mcp/read' });
  await a.tokens(member, { scope: 'read' });
  await tokensFor(world, await newApplication(world), staff, { scope: 'read' });
  const before = await listed();
  assert.deepEqual(
    before
      .filter(({ staff: s, customer: c }: any) => s === staff.staff || c === member.customer)
      .map(({ name, staff: s, customer: c, proposes_changes: writes }: any) => [name, s, c, writes]),
    [
      ['Otter', staff.staff, null, true],
      ['Otter', null, member.customer, false],
    ],
  );
  const mine = () => listed().then((all) => all.find((one: any) => one.staff === staff.staff));
  world.setNow(world.now + 120_000);
  const used = Date.parse((await mine()).last_used_at);
  await say(await a.connect(access_token), 'day_overview');
  await until('the use is noted', async () => Date.parse((await mine()).last_used_at) > used);
  assert.equal(Date.parse((await mine()).last_used_at), world.now);
  const hidden = await a.newStaff(['customers']);
  const { access_token: theirs } = await tokensFor(world, await newApplication(world), hidden, { scope: 'read' });
  assert.equal((await world.get('/assistants', { as: theirs })).status, 403);
  world.resetNow();
});

test('the business switches off an assistant: its next call is refused, on every device, and the person is asked again', async () => {
  const staff = await a.newStaff();
  const other = await a.newStaff();
  const [first, second] = [await a.tokens(staff), await a.tokens(staff, { entrance: 'mcp/read' })];
  const kept = await a.tokens(other);
  const plain = await tokensFor(world, await newApplication(world), staff, { scope: 'read' });
  assert.deepEqual([await calls(first.access_token), await calls(second.access_token, 'mcp/read')], [200, 200]);
  const { id } = (await listed()).find((one: any) => one.staff === staff.staff);
  const gone = await world.delete(`/assistants/${id}`, { as: world.machine });
  assert.equal(gone.status, 204, gone.text);
  assert.deepEqual([await calls(first.access_token), await calls(second.access_token, 'mcp/read')], [401, 401]);
  assert.equal(await calls(kept.access_token), 200);
  assert.equal((await world.get('/customers', { as: plain.access_token })).status, 200);
  assert.equal((await world.get(`/assistants/${id}`, { as: world.machine })).status, 404);
  assert.equal((await world.delete(`/assistants/${id}`, { as: world.machine })).status, 404);
});

test('people see their own assistants in their account, how to connect one, and switch each off', async () => {
  const member = await a.newMember();
  const { access_token } = await a.tokens(member);
  const pages = new PageClient(world.url);
  const { token } = await across(world, (tx) =>
    startSession(tx, { userId: member.userId, secondFactor: false, agent: 'test', now: world.now }),
  );
  pages.cookies.set('rollcall_session', token, '/');
  const settings = `/account/${world.harbour}/profile/settings`;
  const { text } = await pages.get(settings);
  for (const shown of [
    'See everything you can see, and propose changes that you confirm',
    'Last used on',
    `${world.url}/mcp`,
    a.app.clientId,
  ])
    assert.ok(text.includes(shown), shown);
  assert.equal(await calls(access_token), 200);
  const gone = await pages.post(`/account/${world.harbour}/profile/disconnect`, { id: String(a.app.id) });
  assert.equal(gone.status, 303, gone.text);
  assert.equal(await calls(access_token), 401);
  assert.ok(!(await pages.get(settings)).text.includes('Last used on'));
});

/** Connects an assistant through the page of consent, with a choice of what it may do; returns the page and a token. */
async function connectWith(person: TestPerson, choice: string): Promise<{ page: string; token: string }> {
  const pages = new PageClient(world.url);
  const { token: session } = await across(world, (tx) =>
    startSession(tx, { userId: person.userId, secondFactor: false, agent: 'test', now: world.now }),
  );
  pages.cookies.set('rollcall_session', session, '/');
  const proof = verifier();
  const parameters = {
    scope: 'read_write',
    resource: `${world.url}/mcp`,
    code_challenge: challengeOf(proof),
    code_challenge_method: 'S256',
  };
  const ask = authorizeUrl(world, a.app, parameters);
  const asked = await pages.get(ask.pathname + ask.search);
  const consent = new URL(asked.headers.get('location')!, world.url).pathname;
  const { text: page } = await pages.get(consent);
  const request = consent.split('/').at(-1)!;
  const body = new URLSearchParams({ form_token: pages.token!, request, limits: 'asked' });
  const allowed = await pages.send('POST', `${consent.slice(0, consent.lastIndexOf('/'))}/allow?request=${request}`, {
    body: `${body}&${choice}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const next = allowed.headers.get('location') ?? /(\/api\/v2\/auth\/oauth\/authorize[^"]*)/.exec(allowed.text)![1];
  const { pathname, search } = new URL(next.replaceAll('&amp;', '&'), world.url);
  const back = new URL((await pages.get(pathname + search)).headers.get('location')!);
  const { body: tokens, status } = await exchange(world, a.app, back.searchParams.get('code'), {
    code_verifier: proof,
  });
  assert.equal(status, 200, JSON.stringify(tokens));
  return { page, token: tokens.access_token };
}

test('staff choose what an assistant may see, and where: it has that and no more, whatever they get later', async () => {
  const owner = await a.newStaff();
  const { page, token } = await connectWith(owner, 'groups=classes');
  for (const shown of [
    'Timetable and attendance',
    'Sales and payments',
    'Everything else, including settings and staff',
  ])
    assert.ok(page.includes(shown), shown);
  const client = await a.connect(token);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.ok(names.includes('roster') && names.includes('cancel_class'));
  assert.ok(!names.includes('customer_payments') && !names.includes('refund'));
  assert.match(await say(client, 'read', { operation: 'GET /payments' }), /^There is no such operation/);
  assert.match(
    await say(client, 'propose', { operation: 'POST /venues', body: { name: 'x' } }),
    /^There is no such operation/,
  );
});

test('an assistant that is limited to venues changes nothing elsewhere', async () => {
  const [here, there] = [await newPlace(world), await newPlace(world)];
  const owner = await a.newStaff();
  const { page, token } = await connectWith(owner, `groups=classes&groups=everything&venues=${here.venue}`);
  assert.ok(page.includes(`value="${there.venue}"`));
  const client = await a.connect(token);
  const [mine, other] = [await newEvent(world, here), await newEvent(world, there)];
  assert.match(await say(client, 'cancel_class', { event: mine.id }), /^Nothing has changed yet/);
  assert.match(await say(client, 'cancel_class', { event: other.id }), /^Refused/);
});

test('an assistant never has more than its person, whatever the form sends', async () => {
  const instructor = await a.newStaff(['attendances']);
  const { page, token } = await connectWith(instructor, 'groups=classes&groups=money&groups=everything&venues=1');
  assert.ok(!page.includes('Sales and payments'));
  const client = await a.connect(token);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.ok(!names.includes('customer_payments') && !names.includes('cancel_class'));
  assert.match(await say(client, 'read', { operation: 'GET /payments' }), /^There is no such operation/);
});
