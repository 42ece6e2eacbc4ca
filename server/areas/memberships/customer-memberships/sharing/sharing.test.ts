import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, feedEnd, feedSince, newCustomers, newEvent } from '../../../../test/schedule-world.ts';
import { chance, times, until } from '../../../../test/storm.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const SHARING = 'docs/algorithms/sharing.md';
const list = (cell: string): string[] =>
  cell
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

let world: World;
let m: MembershipWorld;
before(async () => {
  world = await startWorld({ worker: true });
  m = await MembershipWorld.of(world);
});
after(() => world.close());

const share = (owned: number, body: object, as = world.machine, query = '') =>
  world.post(`/customer_memberships/${owned}/share${query}`, { as, body });
const unshare = (owned: number, body: object, as = world.machine, query = '') =>
  world.post(`/customer_memberships/${owned}/unshare${query}`, { as, body });
const get = async (path: string, as = world.machine) => (await world.get(path, { as })).body;
const ok = (answer: { status: number; text: string; body: any }): any => {
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const set = (id: number, status: string) =>
  world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE customer_membership SET status = ${status},
  ended_at = CASE WHEN ${status}::text IN ('completed', 'cancelled') THEN now() END, cancellation_reason = CASE WHEN ${status}::text = 'cancelled' THEN 'cancelled' END WHERE id = ${id}`),
  );
const cancelled = (effects: any[]): number[] =>
  effects.filter((e) => e.effect === 'booking_cancelled').map((e) => e.id);
const events = (n: number): Promise<number[]> =>
  times(n, async (i) => (await newEvent(world, m.place, { in: 24 * (i + 1), max_occupancy: 50 })).id);

type Cast = Record<'Ann' | 'Ben' | 'Cleo' | 'Dan' | 'Eve', number>;

/** Creates Ann, who manages the family of Ben and Cleo, and Dan and Eve, who belong to no family. */
async function cast(): Promise<Cast> {
  const family = await world.work(
    world.harbour,
    async ({ tx }) =>
      (await tx.one<{ id: number }>(sql`INSERT INTO family (provider_id) VALUES (${world.harbour}) RETURNING id`))!.id,
  );
  const of = (family_role: 'manager' | 'child') => world.newCustomer({ family_id: family, family_role });
  const [dan, eve] = await newCustomers(world, 2);
  return { Ann: await of('manager'), Ben: await of('child'), Cleo: await of('child'), Dan: dan, Eve: eve };
}

/** Gives Ann a membership; returns its id. */
async function owned(people: Cast, over: Record<string, unknown> = {}, uses = 9): Promise<number> {
  return (await m.give(people.Ann, await m.pack(uses, over))).id;
}

workedTable(SHARING, 'Who may use it').forEach((row, i) => {
  test(`use ${i + 1}: shared with ${row['shared with'] || 'nobody'}, ${row['and with the family'] === 'yes' ? 'and with the family' : 'not with the family'}`, async () => {
    const people = await cast();
    const id = await owned(people);
    const names = list(row['shared with']) as (keyof Cast)[];
    const family = row['and with the family'] === 'yes';
    if (names.length > 0 || family) ok(await share(id, { customers: names.map((name) => people[name]), family }));
    const [event] = await events(1);
    const used = [];
    for (const [name, customer] of Object.entries(people))
      if ((await book(world, event, customer)).status === 200) used.push(name);
    assert.deepEqual(used, list(row['may use it']));
    assert.deepEqual(await get(`/customer_memberships/${id}/share_status`), {
      customer: people.Ann,
      family,
      shared: names.length > 0 || family,
    });
    const seen = [];
    for (const [name, customer] of Object.entries(people))
      if ((await get(`/customer_memberships?owned_or_shared_with_customer=${customer}`)).count === 1) seen.push(name);
    assert.deepEqual(seen, used);
  });
});

workedTable(SHARING, 'Who may share it').forEach((row, i) => {
  test(`sharing ${i + 1}: ${row.who} with ${row.with}, ${row.shareable === 'yes' ? 'shareable' : 'not shareable'}, ${row.state}`, async () => {
    const people = await cast();
    const id = await owned(people, { shareable: row.shareable === 'yes' });
    ok(await share(id, { customers: [people.Ben, people.Dan] }));
    await set(id, row.state);
    const as = row.who === 'staff' ? world.staff(['customers']) : world.customer(people[row.who as keyof Cast]);
    const answer = await share(id, { customers: [people[row.with as keyof Cast]] }, as);
    assert.equal(answer.status === 200 ? '' : answer.body.code, row.refused, answer.text);
    if (row.refused === '') assert.ok(answer.body.customers.includes(people[row.with as keyof Cast]));
  });
});

test('several customers use one pack: each use is debited for all, credited for all, and ends with the access of a customer', async () => {
  const people = await cast();
  const id = await owned(people, {}, 3);
  ok(await share(id, { customers: [people.Ben, people.Dan] }));
  const [one, two, three] = await events(3);
  const numbered: Record<string, number> = { 1: one, 2: two, 3: three };
  for (const { step, 'uses left': left, refused } of workedTable(SHARING, 'Uses of a pack of three')) {
    const [name, what, event] = step.split(' ');
    const customer = people[name as keyof Cast];
    const answer =
      what === 'books'
        ? await book(world, numbered[event], customer)
        : what === 'cancels'
          ? await world.post(`/events/${numbered[event]}/unregister`, { as: world.machine, body: { customer } })
          : await unshare(id, { customers: [customer] });
    assert.equal(
      answer.status === 200 || answer.status === 204 ? '' : answer.body.code,
      refused,
      `${step}: ${answer.text}`,
    );
    const usage = await get(`/customer_memberships/${id}/usage`);
    assert.equal(usage.usage_periods[0].remaining_count, Number(left), step);
  }
});

test('when more customers than uses book concurrently over HTTP, exactly as many succeed as there are uses', async () => {
  for (const seed of [1, 2, 3]) {
    const luck = chance(seed);
    const people = Object.values(await cast());
    const uses = 3 + luck.below(5);
    const id = (await m.give(people[0], await m.pack(uses))).id;
    ok(await share(id, { customers: people.slice(3), family: true }));
    const all = await events(6);
    const wishes = all
      .flatMap((event) => people.map((customer) => ({ event, customer })))
      .toSorted(() => luck.below(3) - 1);
    const answers = await times(wishes.length, (i) => book(world, wishes[i].event, wishes[i].customer));
    const got = answers.filter((answer) => answer.status === 200).length;
    assert.deepEqual([got, await m.used(id)], [uses, uses]);
    assert.ok(
      answers.every((answer) => answer.status === 200 || answer.body.code === 'allotment_used_up'),
      answers.map((a) => a.text).join('\n'),
    );
    // A cancellation credits the use for all: as many as were credited can be used again, by anyone.
    const booked = wishes.filter((_, i) => answers[i].status === 200);
    const back = 1 + luck.below(uses);
    await times(back, (i) =>
      world.post(`/events/${booked[i].event}/unregister`, {
        as: world.machine,
        body: { customer: booked[i].customer },
      }),
    );
    const again = await times(wishes.length, (i) => book(world, wishes[i].event, wishes[i].customer));
    assert.ok(again.filter((answer) => answer.status === 200).length >= back);
    assert.equal(await m.used(id), uses);
  }
});

test('a booking that races the end of sharing leaves either no booking or no membership: nothing is booked without a payer', async () => {
  const people = await cast();
  const id = await owned(people, {}, 20);
  const all = await events(8);
  await times(3, async (round) => {
    ok(await share(id, { customers: [people.Dan, people.Eve] }));
    await Promise.all([
      ...all.map((event) => book(world, event, round % 2 === 0 ? people.Dan : people.Eve)),
      unshare(id, { customers: [people.Dan, people.Eve] }).then(ok),
    ]);
  });
  ok(await unshare(id, { customers: [people.Dan, people.Eve] }));
  assert.equal(await m.used(id), 0);
  const left = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM attendance WHERE customer_id IN (${people.Dan}, ${people.Eve}) AND status = 'registered'`,
    ),
  );
  assert.equal(left!.n, 0);
});

test('ending sharing lists the bookings that it would cancel, cancels only those, and keeps them if the business has set so', async () => {
  const people = await cast();
  const id = await owned(people);
  ok(await share(id, { customers: [people.Ben, people.Dan] }));
  const [one, two] = await events(2);
  const attendance: number[] = [];
  for (const [event, customer] of [
    [one, people.Dan],
    [two, people.Dan],
    [two, people.Ben],
  ])
    attendance.push(ok(await book(world, event, customer)).attendance);
  const preview = ok(await unshare(id, { customers: [people.Dan] }, world.machine, '?dry_run=true'));
  assert.deepEqual(preview.effects[0], {
    effect: 'unshared',
    object: 'customermembership',
    id,
    detail: { customer: people.Dan },
  });
  assert.deepEqual(cancelled(preview.effects), attendance.slice(0, 2));
  assert.equal(await m.used(id), 3);
  assert.deepEqual(ok(await unshare(id, { customers: [people.Dan] })).customers, [people.Ben]);
  assert.equal(await m.used(id), 1);
  ok(
    await world.patch(`/providers/${world.harbour}`, {
      as: world.machine,
      body: { membership_settings: { bookings_without_membership: 'keep' } },
    }),
  );
  ok(await unshare(id, { customers: [people.Ben] }));
  assert.equal(await m.used(id), 1);
  ok(
    await world.patch(`/providers/${world.harbour}`, {
      as: world.machine,
      body: { membership_settings: { bookings_without_membership: 'cancel' } },
    }),
  );
});

test('customers who may still use it keep their bookings: members of the family that it is shared with, and those with whom it is shared individually', async () => {
  const people = await cast();
  const id = await owned(people);
  ok(await share(id, { customers: [people.Ben], family: true }));
  const [event] = await events(1);
  for (const customer of [people.Ben, people.Cleo]) ok(await book(world, event, customer));
  ok(await unshare(id, { customers: [people.Ben] }));
  assert.equal(await m.used(id), 2);
  ok(await share(id, { customers: [people.Ben] }));
  ok(await unshare(id, { family: true }));
  assert.equal(await m.used(id), 1);
});

test('customers may end sharing for themselves, and for nobody else', async () => {
  const people = await cast();
  const id = await owned(people, { shareable: true });
  ok(await share(id, { customers: [people.Ben, people.Dan] }));
  assert.equal((await unshare(id, { customers: [people.Ben] }, world.customer(people.Ben))).status, 200);
  assert.deepEqual(ok(await unshare(id, { customers: [people.Dan] }, world.customer(people.Dan))).customers, []);
  assert.equal((await unshare(id, { customers: [people.Dan] }, world.customer(people.Dan))).status, 404);
  ok(await share(id, { customers: [people.Dan] }));
  assert.equal((await unshare(id, { family: true }, world.customer(people.Dan))).status, 403);
  assert.equal(
    (await unshare(id, { customers: [people.Dan] }, world.customer(people.Ann))).body.code,
    'parameter_invalid',
    'Ann does not see Dan: the business shared it with him',
  );
});

test('sharing and its end are recorded in the feed and in the audit; repeating either changes nothing', async () => {
  const people = await cast();
  const id = await owned(people);
  const since = await feedEnd(world);
  const preview = ok(await share(id, { customers: [people.Dan], family: true }, world.machine, '?dry_run=true'));
  assert.deepEqual(
    preview.effects.map((e: any) => e.effect),
    ['shared', 'shared_with_family'],
  );
  for (let i = 0; i < 2; i++) ok(await share(id, { customers: [people.Dan, people.Dan], family: true }));
  for (let i = 0; i < 2; i++) ok(await unshare(id, { customers: [people.Dan] }));
  const of = { customer_membership: id, customer: people.Ann, customers: [people.Dan] };
  assert.deepEqual(
    (await feedSince(world, since)).map((f) => [f.kind, f.payload]),
    [
      ['customer_membership.shared', { ...of, family: true }],
      ['customer_membership.unshared', { ...of, family: false }],
    ],
  );
  const { results } = await get(`/audit_entries?object=customermembership&object_id=${id}`);
  assert.deepEqual(
    results
      .slice(0, 2)
      .map((e: any) => [e.action, e.before.shared_with, e.after.shared_with, e.after.shared_with_family]),
    [
      ['POST /customer_memberships/{id}/unshare', [people.Dan], [], true],
      ['POST /customer_memberships/{id}/share', [], [people.Dan], true],
    ],
  );
});

test('invalid sharing is refused by name, and nobody shares a membership that they may not see', async () => {
  const people = await cast();
  const id = await owned(people);
  const [theirs] = await times(1, () => world.newCustomer({}, world.meadow));
  for (const body of [
    {},
    { customers: [] },
    { customers: [theirs] },
    { customers: [999_999] },
    { customers: [people.Dan], families: true },
  ])
    assert.equal((await share(id, body)).status, 400, JSON.stringify(body));
  for (const body of [{ customers: [people.Dan] }, { family: true }])
    assert.equal((await share(id, body, world.meadowMachine)).status, 404);
  assert.equal((await share(id, { family: true }, world.customer(people.Dan))).status, 404);
  assert.equal((await share(id, { family: true }, world.staff(['attendances']))).status, 403);
  assert.equal(
    (await world.get(`/customer_memberships/${id}/share_status`, { as: world.customer(people.Dan) })).status,
    404,
  );
  assert.equal(
    (
      await get(
        `/customer_memberships/${id}/share_status?expand=customer&fields=customer.id,shared`,
        world.customer(people.Ann),
      )
    ).customer.id,
    people.Ann,
  );
});

test('a membership is shared with the families of all holders, and of all later buyers', async () => {
  const people = await cast();
  const pack = await m.pack(9);
  const with_ = (query = '', as = world.machine) =>
    world.post(`/memberships/${pack}/share_with_families${query}`, { as, body: {} });
  const [first, over] = [await m.give(people.Ann, pack), await m.give(people.Dan, pack)];
  await set(over.id, 'completed');
  assert.equal((await with_()).body.code, 'conflict');
  assert.equal(
    (await world.patch(`/memberships/${pack}`, { as: world.machine, body: { shareable: true } })).status,
    200,
  );
  const preview = await with_('?dry_run=true');
  assert.deepEqual([preview.status, preview.body.effects[0].detail], [200, { customer_memberships: 1 }]);
  assert.equal((await get(`/customer_memberships/${first.id}/share_status`)).family, false);
  const since = await feedEnd(world);
  assert.equal((await with_()).status, 204);
  const family = async (id: number) => (await get(`/customer_memberships/${id}/share_status`)).family;
  await until('what is held is shared', () => family(first.id));
  assert.equal(await family(over.id), false);
  const later = await m.give(people.Eve, pack);
  assert.equal(await family(later.id), true);
  await until('all is told', async () =>
    (await feedSince(world, since)).some((f) => f.kind === 'bulk_action.finished'),
  );
  const feedItems = (await feedSince(world, since)).filter((f) => /shared/.test(f.kind));
  assert.deepEqual(
    feedItems.map((f) => [f.kind, f.payload.customer_membership ?? f.payload.membership]),
    [
      ['membership.shared_with_families', pack],
      ['customer_membership.shared', first.id],
    ],
  );
  assert.equal((await with_()).status, 204);
  assert.equal((await get(`/memberships/${pack}?fields=shared_with_families`)).shared_with_families, true);
  assert.equal(
    (await world.patch(`/memberships/${pack}`, { as: world.machine, body: { shareable: false } })).status,
    200,
  );
  assert.equal(
    await family((await m.give(people.Eve, pack)).id),
    false,
    'not shareable: those who buy it from now on share it with nobody',
  );
  assert.equal(await family(first.id), true, 'who shares it already goes on');
  assert.equal((await with_('', world.staff(['customers']))).status, 403);
});

test('a sale at the very moment in which a membership begins to be shared with families is shared too', async () => {
  const pack = await m.pack(9, { shareable: true });
  const people = await newCustomers(world, 12);
  const [sold] = await Promise.all([
    times(people.length, (i) => m.give(people[i], pack)),
    world.post(`/memberships/${pack}/share_with_families`, { as: world.machine, body: {} }),
  ]);
  await until('each is shared', async () =>
    (
      await Promise.all(sold.map(async ({ id }) => (await get(`/customer_memberships/${id}/share_status`)).family))
    ).every(Boolean),
  );
});
