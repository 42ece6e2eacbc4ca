/** The list of connected assistants, and switching them off: by the business, and by the person in their account. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AssistantWorld, say } from '../../../test/worlds/assistant-world.ts';
import { across, newApplication, tokensFor } from '../../../test/worlds/oauth-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
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
