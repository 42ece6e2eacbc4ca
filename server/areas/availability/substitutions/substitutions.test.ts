/** Requesting a substitute, offering to be one, and deciding, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { act, setApproval, setPermissions, taughtBy, teacher, wanted } from './test/world.ts';
import { block } from '../../../test/worlds/hours-world.ts';
import { feedEnd, feedSince, newEvent, newInstructor, newPlace } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const read = async (request: number) =>
  (await world.get(`/substitute_requests/${request}`, { as: world.machine })).body;

const forMe = async (as: string): Promise<[number, boolean][]> =>
  (await world.get('/substitute_requests/for_me', { as })).body.results.map((one: any) => [
    one.substitute_request,
    one.offered,
  ]);

/** Returns the messages that were sent to each person about a request or an event, ordered by kind. */
const mailed = async (...staff: number[]): Promise<[string, number][]> => {
  const rows = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ kind: string; staff: number }>(
      sql`SELECT kind, staff_id AS staff FROM message WHERE provider_id = ${world.harbour} AND staff_id = ANY(${staff}::bigint[]) AND kind LIKE 'substitute_%' ORDER BY id`,
    ),
  );
  return rows.map((row) => [row.kind, row.staff]);
};

/** Creates a staff member who manages events. */
async function manager() {
  const { staff } = await newInstructor(world);
  await setPermissions(world, staff, ['manage_events']);
  return { staff, token: world.staff(['manage_events'], staff) };
}

test('a request is shown at the event and to instructors who could teach it, who make offers, and a manager chooses one', async () => {
  await setApproval(world, true);
  const boss = await manager();
  const { request, event, offering, away } = await wanted(world, { message: 'I have a cold.' });
  const [free, unable] = [await teacher(world, offering), await teacher(world)];
  assert.deepEqual(
    [await forMe(free.token), await forMe(unable.token), await forMe(away.token), await forMe(boss.token)],
    [[[request, false]], [], [], []],
  );
  assert.deepEqual(await mailed(boss.staff, away.staff), [['substitute_wanted', boss.staff]]);
  const shown = await world.get(`/events/${event}?fields=substitute_wanted`, { as: world.machine });
  assert.equal(shown.body.substitute_wanted, true);

  const preview = await act(world, request, 'offer', free.token, {}, '?dry_run=true');
  assert.deepEqual(preview.body.effects[0].effect, 'substitute_request.offered', preview.text);
  const since = await feedEnd(world);
  const offered = await act(world, request, 'offer', free.token);
  assert.deepEqual([offered.status, offered.body.status, offered.body.offers], [200, 'open', [free.instructor]]);
  assert.equal((await act(world, request, 'offer', free.token)).status, 200);
  assert.deepEqual(
    (await feedSince(world, since)).map(({ kind }) => kind),
    ['substitute_request.offered'],
    'to offer twice is to offer once',
  );
  assert.deepEqual(await forMe(free.token), [[request, true]]);
  assert.deepEqual((await mailed(boss.staff)).at(-1), ['substitute_offered', boss.staff]);
  assert.deepEqual(await taughtBy(world, event), [away.instructor], 'nothing changes before a manager decides');

  const refused = await act(world, request, 'approve', boss.token, { instructor: unable.instructor });
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['instructor']], refused.text);
  assert.equal((await act(world, request, 'approve', free.token, { instructor: free.instructor })).status, 403);
  const trial = await act(world, request, 'approve', boss.token, { instructor: free.instructor }, '?dry_run=true');
  const effects = trial.body.effects.map(({ effect }: any) => effect);
  assert.ok(effects.includes('request_filled') && effects.includes('event_changed'), trial.text);
  assert.deepEqual(
    trial.body.effects
      .filter(({ effect }: any) => effect === 'message_sent')
      .map(({ detail }: any) => [detail.type, detail.people])
      .toSorted(),
    [
      ['event_teaching_assigned', 1],
      ['event_teaching_removed', 1],
    ],
  );
  const approved = await act(world, request, 'approve', boss.token, { instructor: free.instructor });
  assert.deepEqual([approved.body.status, approved.body.substitute], ['filled', free.instructor], approved.text);
  assert.deepEqual(await taughtBy(world, event), [free.instructor]);
  assert.equal((await act(world, request, 'withdraw', away.token)).body.code, 'already_ended');
  const over = await world.get(`/events/${event}?fields=substitute_wanted`, { as: world.machine });
  assert.equal(over.body.substitute_wanted, false);
});

test('if no manager has to decide, the first to offer teaches, and the other instructors remain', async () => {
  await setApproval(world, false);
  const { request, event, offering, away } = await wanted(world);
  const [other, first, second] = [
    await teacher(world, offering),
    await teacher(world, offering),
    await teacher(world, offering),
  ];
  await world.patch(`/events/${event}`, {
    as: world.machine,
    body: { instructors: [away.instructor, other.instructor] },
  });
  const both = await Promise.all([first, second].map(({ token }) => act(world, request, 'offer', token)));
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
  const [substitute] = [first, second].filter((_, i) => both[i].status === 200);
  assert.deepEqual(
    (await taughtBy(world, event)).toSorted((a, b) => a - b),
    [other.instructor, substitute.instructor].toSorted((a, b) => a - b),
  );
});

test('an instructor who can’t teach the event can’t offer to, and learns why', async () => {
  await setApproval(world, true);
  const { request, event, offering, away } = await wanted(world);
  const { body } = await world.get(`/events/${event}`, { as: world.machine });
  const [unable, busy] = [await teacher(world), await teacher(world, offering)];
  await block(world, { instructor: busy.instructor }, body.starts_at.slice(0, 10), '00:00-00:00');
  for (const [who, why] of [
    [unable, /Isn’t an instructor of this offering type/],
    [busy, /Some of this time is blocked/],
    [away, /already teaches this event/],
  ] as const) {
    const answer = await act(world, request, 'offer', who.token);
    assert.deepEqual([answer.status, answer.body.code], [409, 'substitute_unavailable'], answer.text);
    assert.match(answer.body.message, why);
  }
  assert.deepEqual(await forMe(busy.token), []);
});

test('an offer or a request is withdrawn by the person themself or by a manager', async () => {
  await setApproval(world, true);
  const { request, offering, away } = await wanted(world);
  const [helper, nosy] = [await teacher(world, offering), await teacher(world, offering)];
  await act(world, request, 'offer', helper.token);
  const meddling = { instructor: helper.instructor };
  assert.equal((await act(world, request, 'take_back_offer', nosy.token, meddling)).status, 403);
  assert.deepEqual((await act(world, request, 'take_back_offer', helper.token)).body.offers, []);
  assert.deepEqual((await act(world, request, 'offer', world.machine, meddling)).body.offers, [helper.instructor]);
  assert.equal((await act(world, request, 'withdraw', nosy.token)).status, 403);
  assert.equal((await act(world, request, 'withdraw', away.token)).body.status, 'withdrawn');
  assert.deepEqual((await mailed(helper.staff)).at(-1), ['substitute_withdrawn', helper.staff]);
  assert.equal((await act(world, request, 'offer', helper.token)).body.code, 'already_ended');
});

test('an instructor who offered finds the request and can withdraw the offer, even if they are no longer qualified', async () => {
  await setApproval(world, true);
  const { request, offering } = await wanted(world);
  const helper = await teacher(world, offering);
  assert.equal((await act(world, request, 'offer', helper.token)).status, 200);
  const left = await world.patch(`/offering_types/${offering}`, { as: world.machine, body: { instructors: [] } });
  assert.equal(left.status, 200, left.text);
  assert.deepEqual(await forMe(helper.token), [[request, true]]);
  assert.deepEqual((await act(world, request, 'take_back_offer', helper.token)).body.offers, []);
  assert.deepEqual(await forMe(helper.token), []);
});

test('a manager declines with a message to the instructor, who may ask again', async () => {
  await setApproval(world, true);
  const { request, event, away } = await wanted(world);
  const again = () => world.post('/substitute_requests', { as: away.token, body: { event } });
  assert.equal((await again()).body.code, 'already_exists');
  const answer = 'Please teach it: nobody else is free.';
  const declined = await act(world, request, 'decline', world.machine, { answer });
  assert.deepEqual([declined.body.status, declined.body.answer], ['declined', answer], declined.text);
  assert.deepEqual(await mailed(away.staff), [['substitute_declined', away.staff]]);
  assert.equal((await again()).status, 201);
});

test('instructors of the event can ask before it starts, and staff who manage events can ask on their behalf', async () => {
  const place = await newPlace(world);
  const [own, other] = [await teacher(world), await teacher(world)];
  const { id: event } = await newEvent(world, place, { instructors: [own.instructor] });
  const ask = (as: string, body: object = { event }) => world.post('/substitute_requests', { as, body });
  assert.equal((await ask(other.token)).body.code, 'not_teaching');
  assert.equal((await ask(other.token, { event, instructor: own.instructor })).status, 403);
  assert.equal((await ask(world.machine)).body.field_errors.instructor.length, 1);
  assert.equal((await ask(world.customer(await world.newCustomer()))).status, 403);
  assert.equal((await ask(world.staff(['store']))).status, 403);
  assert.equal((await ask(world.machine, { event, instructor: own.instructor })).status, 201);
  const { id: over } = await newEvent(world, place, { in: -2, instructors: [own.instructor] });
  assert.equal((await ask(own.token, { event: over })).body.code, 'event_started');
  const { id: gone } = await newEvent(world, place, { in: 48, instructors: [own.instructor] });
  await world.post(`/events/${gone}/cancel`, { as: world.machine, body: {} });
  assert.equal((await ask(own.token, { event: gone })).body.code, 'already_cancelled');
});

test('a change of the event can end a request, and undoing that change restores it', async () => {
  const { request, event, away, offering } = await wanted(world);
  const { instructor } = await teacher(world, offering);
  const teach = (instructors: number[]) =>
    world.patch(`/events/${event}`, { as: world.machine, body: { instructors } });
  const status = async () => (await read(request)).status;
  await teach([instructor]);
  assert.equal(await status(), 'ended');
  assert.equal((await act(world, request, 'withdraw', away.token)).body.code, 'already_ended');
  await teach([away.instructor]);
  assert.equal(await status(), 'open');
  await world.post(`/events/${event}/cancel`, { as: world.machine, body: {} });
  assert.equal(await status(), 'ended');
  await world.post(`/events/${event}/reopen`, { as: world.machine, body: {} });
  assert.equal(await status(), 'open');
  const listed = async (query: string) =>
    (await world.get(`/substitute_requests?event=${event}&${query}`, { as: away.token })).body.results.length;
  assert.deepEqual(
    [await listed('status=open'), await listed('status=ended'), await listed('mine=true'), await listed('mine=false')],
    [1, 0, 1, 0],
  );
});

test('instructors who could teach it are asked, and may offer', async () => {
  const { request, event, away, offering } = await wanted(world);
  assert.equal((await act(world, request, 'withdraw', away.token)).status, 200);
  const [free, unable, mute, elsewhere] = [
    await teacher(world, offering),
    await teacher(world),
    await teacher(world, offering),
    await teacher(world, offering),
  ];
  await setPermissions(world, mute.staff, ['pos']);
  const { venue } = await newPlace(world);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE staff SET venue_ids = ${[venue]} WHERE provider_id = ${world.harbour} AND id = ${elsewhere.staff}`,
    ),
  );
  const again = await world.post('/substitute_requests', { as: away.token, body: { event } });
  assert.equal(again.status, 201, again.text);
  const asked = await mailed(free.staff, unable.staff, mute.staff, elsewhere.staff, away.staff);
  assert.deepEqual(asked, [['substitute_asked', free.staff]]);
});

test('staff who are limited to venues neither see nor decide requests at other venues', async () => {
  const { request, venue } = await wanted(world);
  const { staff } = await newInstructor(world);
  const { venue: elsewhere } = await newPlace(world);
  const at = (id: number) => world.staff(['manage_events'], staff, world.harbour, [id]);
  assert.equal((await act(world, request, 'decline', at(elsewhere))).status, 404);
  assert.equal((await act(world, request, 'decline', at(venue))).status, 200);
});

test('customers don’t learn that an instructor asks for a substitute', async () => {
  const { event } = await wanted(world);
  const { body } = await world.get(`/events/${event}?fields=id,substitute_wanted`, {});
  assert.deepEqual(body, { id: event, substitute_wanted: false });
});
