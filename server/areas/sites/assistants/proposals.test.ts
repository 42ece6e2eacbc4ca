/** Changes that assistants propose: nothing happens without the person, who decides about exactly what they saw. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { across, type TestPerson } from '../../../test/worlds/oauth-world.ts';
import { AssistantWorld, dataIn, say } from '../../../test/worlds/assistant-world.ts';
import { effectKinds, EFFECT_TEXTS } from './effects.ts';
import { newEvent, newPlace, type Place } from '../../../test/schedule-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { seed, slug } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startSession } from '../../people/identity/index.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let a: AssistantWorld;
let place: Place;
before(async () => {
  world = await startWorld();
  a = await AssistantWorld.on(world);
  place = await newPlace(world);
});
after(() => world.close());

const handleIn = (text: string): string => /Handle: ([\w-]+)/.exec(text)![1];
const pageIn = (text: string): string => new URL(/(http\S+\/proposal\/\S+)/.exec(text)![1]).pathname;

const book = async (event: number, customer: number) => {
  const answer = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer, comped: true } });
  assert.equal(answer.status, 200, answer.text);
};

const booked = async (event: number): Promise<number[]> => {
  const { body } = await world.get(`/attendances?event=${event}&status=registered`, { as: world.machine });
  return body.results.map(({ customer }: { customer: number }) => customer);
};

const cancel = (client: Client, event: number): Promise<string> =>
  say(client, 'cancel_class', { event, message: 'We are sorry, the pool is closed.' });

/** The browser of somebody who is logged in, at the page of a proposal. */
class Reader {
  readonly #pages = new PageClient(world.url);
  readonly #page: string;
  text = '';
  status = 0;

  constructor(page: string) {
    this.#page = page;
  }

  static async of(person: TestPerson, page: string): Promise<Reader> {
    const reader = new Reader(page);
    const { token } = await across(world, (tx) =>
      startSession(tx, { userId: person.userId, secondFactor: false, agent: 'test', now: world.now }),
    );
    reader.#pages.cookies.set('rollcall_session', token, '/');
    await reader.look();
    return reader;
  }

  async look(): Promise<void> {
    ({ text: this.text, status: this.status } = await this.#pages.get(this.#page));
  }

  /** Presses one of the two buttons, and reads the page that follows. */
  async press(act: 'make' | 'decline'): Promise<void> {
    const [, seen] = /name="seen" value="([^"]+)"/.exec(this.text)!;
    const answer = await this.#pages.post(this.#page, { act, seen });
    this.text = answer.text;
    if (answer.status === 303) await this.look();
  }
}

test('a proposal changes nothing; the person confirms it on its page, and the audit names both', async () => {
  const event = await newEvent(world, place);
  const staff = await a.newStaff();
  const customer = await world.newCustomer({ first_name: 'Maya', last_name: 'King' });
  await book(event.id, customer);
  const client = await a.assistantFor(staff);
  const text = await say(client, 'cancel_class', { event: event.id, message: 'We are sorry, the pool is closed.' });
  assert.match(text, /^Nothing has changed yet/);
  const { effects } = dataIn(text);
  assert.ok(
    effects.some((one: any) => /class is cancelled/.test(one.text)),
    JSON.stringify(effects),
  );
  assert.ok(
    effects.some((one: any) => one.about?.includes('Maya King')),
    JSON.stringify(effects),
  );
  assert.deepEqual(await booked(event.id), [customer]);
  assert.match(await say(client, 'commit', { handle: handleIn(text) }), /has not confirmed it yet/);
  const page = await Reader.of(staff, pageIn(text));
  for (const shown of ['Otter proposes it for you', 'Maya King', 'We are sorry, the pool is closed.'])
    assert.ok(page.text.includes(shown), shown);
  assert.deepEqual(await booked(event.id), [customer]);
  await page.press('make');
  assert.match(page.text, /The change is made/);
  assert.deepEqual(await booked(event.id), []);
  assert.match(await say(client, 'commit', { handle: handleIn(text) }), /The change is made/);
  const { body } = await world.get('/audit_entries?page_size=20', { as: world.machine });
  const entry = body.results.find((one: any) => one.subject.id === event.id && /cancel/.test(one.action));
  assert.deepEqual([entry.application, entry.user], [a.app.id, staff.userId]);
});

test('if something has changed since the page was opened, it shows the new effects instead of making the change', async () => {
  const event = await newEvent(world, place);
  const staff = await a.newStaff();
  const text = await say(await a.assistantFor(staff), 'cancel_class', { event: event.id });
  const page = await Reader.of(staff, pageIn(text));
  const late = await world.newCustomer({ first_name: 'Noor', last_name: 'Late' });
  await book(event.id, late);
  await page.press('make');
  assert.match(page.text, /Something has changed since you opened this page/);
  assert.match(page.text, /Noor Late/);
  assert.deepEqual(await booked(event.id), [late]);
  await page.press('make');
  assert.match(page.text, /The change is made/);
  assert.deepEqual(await booked(event.id), []);
});

test('only the person can confirm, within 15 minutes, with the permissions that they have then', async () => {
  const event = await newEvent(world, place);
  const staff = await a.newStaff();
  const client = await a.assistantFor(staff);
  const text = await say(client, 'cancel_class', { event: event.id });
  const visitor = new PageClient(world.url);
  assert.equal((await visitor.get(pageIn(text))).status, 303);
  assert.equal((await Reader.of(await a.newStaff(), pageIn(text))).status, 404);
  assert.equal((await Reader.of(await a.newMember(), pageIn(text))).status, 404);
  assert.match(
    await say(await a.assistantFor(await a.newStaff()), 'commit', { handle: handleIn(text) }),
    /There is no such proposal/,
  );
  const declined = await Reader.of(staff, pageIn(text));
  await declined.press('decline');
  assert.match(declined.text, /Nothing has changed/);
  assert.match(await say(client, 'commit', { handle: handleIn(text) }), /The person declined/);
  const again = await say(client, 'cancel_class', { event: event.id });
  world.setNow(world.now + 16 * 60_000);
  const late = await Reader.of(staff, pageIn(again));
  assert.match(late.text, /This proposal has expired/);
  assert.ok(!late.text.includes('name="seen"'));
  world.resetNow();
  const demoted = await say(client, 'cancel_class', { event: event.id });
  await across(world, (tx) =>
    tx.run(sql`UPDATE staff SET permissions = ARRAY['instructor_attendances'] WHERE id = ${staff.staff}`),
  );
  const refused = await Reader.of(staff, pageIn(demoted));
  assert.match(refused.text, /This change isn(’|'|&#39;)t possible now/);
  const { body } = await world.get(`/events/${event.id}`, { as: world.machine });
  assert.equal(body.status, 'active');
});

test('customers book and cancel for themselves, and for nobody else', async () => {
  const event = await newEvent(world, place);
  const member = await a.newMember();
  const other = await world.newCustomer();
  await book(event.id, member.customer);
  const client = await a.assistantFor(member);
  const text = await say(client, 'cancel_booking', { event: event.id });
  const page = await Reader.of(member, pageIn(text));
  await page.press('make');
  assert.match(page.text, /The change is made/);
  assert.deepEqual(await booked(event.id), []);
  assert.match(await say(client, 'book', { event: event.id, customer: other }), /^Refused/);
  await assert.rejects(client.callTool({ name: 'cancel_class', arguments: { event: event.id } }), /There is no tool/);
  assert.match(
    await say(client, 'propose', { operation: 'POST /events/{id}/cancel', path: { id: event.id } }),
    /^There is no such operation/,
  );
});

test('the page shows how much money a change moves', async () => {
  const payment = await seed(world, 'payment');
  const staff = await a.newStaff();
  const text = await say(await a.assistantFor(staff), 'refund', { payment, amount: '3.00', reason: 'A mistake.' });
  const page = await Reader.of(staff, pageIn(text));
  assert.match(page.text, /One refund is made<br><span class="soft">\$3\.00/);
});

test('the changes of an assistant keep to its daily limits, for each person who connected it', async () => {
  const limit = async (body: object) => {
    const answer = await world.patch(`/applications/${a.app.id}`, { as: world.machine, body });
    assert.equal(answer.status, 200, answer.text);
  };
  const classWith = async (customers: number): Promise<number> => {
    const event = await newEvent(world, place);
    for (let i = 0; i < customers; i++)
      await book(event.id, await world.newCustomer({ email: `${slug()}@example.com` }));
    return event.id;
  };
  await limit({ daily_message_limit: 3, daily_amount_limit: '5.00' });
  const staff = await a.newStaff();
  const client = await a.assistantFor(staff);
  const [first, second] = [await cancel(client, await classWith(2)), await cancel(client, await classWith(2))];
  const pages = [await Reader.of(staff, pageIn(first)), await Reader.of(staff, pageIn(second))];
  // Both are open, and pressed at the same time.
  await Promise.all(pages.map((page) => page.press('make')));
  const [made, limited] = pages.toSorted((one, other) => one.status - other.status);
  assert.match(made.text, /The change is made/);
  assert.equal(limited.status, 409);
  assert.match(limited.text, /at most 3 messages for you in 24 hours/);
  assert.match(limited.text, /href="[^"]*\/dashboard\/\d+">Open the dashboard/);
  assert.match(await cancel(client, await classWith(2)), /^Refused: .* at most 3 messages in 24 hours/);
  // One message is left, and a change that sends none is not refused.
  assert.match(await cancel(client, await classWith(1)), /^Nothing has changed yet/);
  assert.match(await cancel(client, await classWith(0)), /^Nothing has changed yet/);
  const refund = async (amount: string) =>
    say(client, 'refund', { payment: await seed(world, 'payment'), amount, reason: 'A mistake.' });
  const [small, again] = [await refund('3.00'), await refund('3.00')];
  assert.match(await refund('5.01'), /^Refused: .* at most 5\.00 CAD in 24 hours/);
  const refunded = await Reader.of(staff, pageIn(small));
  await refunded.press('make');
  assert.match(refunded.text, /The change is made/);
  assert.match((await Reader.of(staff, pageIn(again))).text, /at most \$5\.00 for you in 24 hours/);
  const colleague = await a.newStaff();
  assert.match(await cancel(await a.assistantFor(colleague), await classWith(3)), /^Nothing has changed yet/);
  world.setNow(world.now + 24 * 3_600_000);
  const tomorrow = await a.assistantFor(staff);
  assert.match(await cancel(tomorrow, await classWith(2)), /^Nothing has changed yet/);
  world.resetNow();
  await limit({ daily_message_limit: null, daily_amount_limit: null });
});

test('no argument confirms for the person, and what can’t be tried is not proposed', async () => {
  const event = await newEvent(world, place);
  const staff = await a.newStaff();
  const client = await a.assistantFor(staff);
  const handle = handleIn(await say(client, 'cancel_class', { event: event.id }));
  for (const extra of [{ confirm: true }, { confirmed_by: 'the owner' }, { act: 'make' }])
    assert.match(await say(client, 'commit', { handle, ...extra }), /^Refused/);
  for (const operation of [
    'POST /machine_tokens',
    'POST /applications',
    'POST /partners/{id}/rotate_secret',
    'POST /gift_cards/redeem',
  ])
    assert.match(
      await say(client, 'propose', { operation, path: { id: 1 } }),
      /^There is no such operation/,
      operation,
    );
  assert.match(await say(client, 'propose', { operation: 'GET /venues' }), /^This operation changes nothing/);
  for (const options of [{ entrance: 'mcp/read', scope: 'read' }, { scope: 'read' }]) {
    const { tools } = await (await a.assistantFor(staff, options)).listTools();
    assert.ok(!tools.some(({ name }) => ['propose', 'commit', 'refund'].includes(name)));
  }
  const { body } = await world.get(`/events/${event.id}`, { as: world.machine });
  assert.equal(body.status, 'active');
});

test('an owner confirms what a machine token proposes', async () => {
  const event = await newEvent(world, place);
  const client = await a.connect(world.machine);
  const text = await say(client, 'cancel_class', { event: event.id });
  assert.equal((await Reader.of(await a.newStaff(['manage_events']), pageIn(text))).status, 404);
  const page = await Reader.of(await a.newStaff(), pageIn(text));
  assert.match(page.text, /A program of the business proposes it/);
  await page.press('make');
  assert.match(page.text, /Open the dashboard/);
  assert.doesNotMatch(page.text, /return to a program/);
  assert.match(await say(client, 'commit', { handle: handleIn(text) }), /The change is made/);
});

test('a client that can open a page for the person is asked to open the page of the proposal', async () => {
  const event = await newEvent(world, place);
  const staff = await a.newStaff();
  const client = new Client(
    { name: 'a test', version: '1' },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  const { access_token: token } = await a.tokens(staff);
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { url } = params as { url: string };
    const page = await Reader.of(staff, new URL(url).pathname);
    await page.press('make');
    return { action: 'accept' as const };
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  world.closing(client);
  const handle = handleIn(await say(client, 'cancel_class', { event: event.id }));
  assert.match(await say(client, 'commit', { handle }), /The person confirmed it/);
});

test('every name of an effect leads to a text', () => {
  const { effects, entries } = effectKinds();
  for (const key of [...Object.values(effects), ...Object.values(entries)])
    assert.ok(Object.hasOwn(EFFECT_TEXTS.languages.en, key), key);
});
