import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { DAY_MS, HoldWorld, NOON } from '../../../../test/worlds/hold-world.ts';
import { times } from '../../../../test/storm.ts';

let h: HoldWorld;
before(async () => {
  h = await HoldWorld.start();
});
beforeEach(() => h.world.setNow(NOON));
after(() => h.close());

const put = (what: string, body: object, query = '', as = h.world.machine) =>
  h.world.put(`/customer_memberships/bulk_${what}_holds${query}`, { as, body });
const finite = { hold_type: 'finite', start_date: '2026-06-20', end_date: '2026-06-29' };

test('many memberships are put on hold in one call; each has its own result, and a refused one is unchanged and says why', async () => {
  const pack = await h.m.pack(5);
  const [a, b, c, d] = await times(4, () => h.holder(pack, { expiration_date: '2026-12-31' }));
  await h.hold(b.owned, '2026-06-25', null);
  const { attendance } = await h.booked(a.customer, 12);
  const answer = await put('create', {
    customermembership_ids: [a.owned, b.owned, 999_999_999],
    customer_memberships: {
      [c.owned]: { end_date: '2026-07-05', extend_expirations: true },
      [d.owned]: { end_date: '2027-01-05' },
    },
    ...finite,
  });
  assert.equal(answer.status, 200, answer.text);
  const { customer_memberships: found, ...echoed } = answer.body;
  assert.deepEqual(echoed, { customermembership_ids: [a.owned, b.owned, 999_999_999], ...finite });
  const holds = (await h.get(`/customer_membership_holds?customer_membership=${a.owned},${c.owned}&sort=id`)).results;
  assert.deepEqual(
    holds.map((x: any) => [x.customer_membership, x.end_date]),
    [
      [a.owned, '2026-06-29'],
      [c.owned, '2026-07-05'],
    ],
  );
  assert.deepEqual(
    [found[a.owned], found[c.owned]],
    holds.map((x: any) => ({ status: 'ok', hold: x.id, error: null })),
  );
  assert.deepEqual(
    [b.owned, 999_999_999, d.owned].map((each) => [found[each].status, found[each].hold, found[each].error.field]),
    [
      ['error', null, 'start_date'],
      ['error', null, 'customer_membership'],
      ['error', null, 'end_date'],
    ],
  );
  assert.match(found[b.owned].error.message, /already on hold from Thursday, 25 June 2026 on/);
  assert.equal((await h.get(`/customer_memberships/${c.owned}`)).expiration_date, '2027-01-16');
  assert.equal((await h.get(`/attendances/${attendance}`)).status, 'not_registered');
});

test('a dry run of many holds shows the result of each, and writes nothing', async () => {
  const pack = await h.m.pack(5);
  const [a, b] = await times(2, () => h.holder(pack));
  const preview = await put('create', { customermembership_ids: [a.owned, b.owned], ...finite }, '?dry_run=true');
  assert.deepEqual(
    [
      preview.status,
      preview.body.effects
        .filter((e: any) => e.effect === 'hold_created')
        .map((e: any) => e.detail.customer_membership),
    ],
    [200, [a.owned, b.owned]],
    preview.text,
  );
  assert.equal((await h.get(`/customer_membership_holds?customer_membership=${a.owned},${b.owned}`)).count, 0);
});

test('the holds of many memberships are changed and ended in one call: for each membership, the current hold or the next one', async () => {
  const pack = await h.m.pack(5);
  const [a, b, c, d] = await times(4, () => h.holder(pack));
  const [on, next] = [
    await h.hold(a.owned, '2026-06-10', '2026-06-20'),
    await h.hold(b.owned, '2026-06-25', '2026-06-30'),
  ];
  const open = await h.hold(c.owned, '2026-06-10', null);
  h.world.setNow(NOON + 2 * DAY_MS);
  const answer = await put('edit', { customermembership_ids: [a.owned, b.owned, c.owned, d.owned], days_to_add: 3 });
  assert.equal(answer.status, 200, answer.text);
  const found = answer.body.customer_memberships;
  assert.deepEqual(
    [
      found[a.owned].hold,
      found[b.owned].hold,
      found[c.owned].error.field,
      found[d.owned].error.field,
      answer.body.days_to_add,
    ],
    [on, next, 'days_to_add', 'customer_membership', 3],
  );
  const ends = async () =>
    (await h.get(`/customer_membership_holds?ids=${on},${next},${open}&sort=id`)).results.map((x: any) => x.end_date);
  assert.deepEqual(await ends(), ['2026-06-23', '2026-07-03', null]);
  const own = await put('edit', {
    customermembership_ids: [a.owned],
    customer_memberships: { [b.owned]: { start_date: '2026-06-26' }, [c.owned]: { end_date: '2026-07-10' } },
    make_open_ended: true,
  });
  assert.deepEqual([own.body.make_open_ended, await ends()], [true, [null, null, '2026-07-10']], own.text);
  const ended = (await put('edit', { customermembership_ids: [a.owned, b.owned, c.owned], end_immediately: true })).body
    .customer_memberships;
  assert.deepEqual(
    [ended[a.owned].hold, ended[b.owned].hold, ended[c.owned].hold],
    [on, null, open],
    'what had not begun is taken out',
  );
  assert.deepEqual(await Promise.all([a, b, c].map((x) => h.statusOf(x.owned))), ['active', 'active', 'active']);
});

test('an invalid call is refused as a whole', async () => {
  const { owned } = await h.holder(await h.m.pack(5));
  const cases: [string, object, string][] = [
    ['create', { ...finite }, 'customermembership_ids'],
    ['create', { customermembership_ids: [owned], ...finite, end_date: undefined }, 'end_date'],
    ['create', { customermembership_ids: [owned], ...finite, hold_type: 'open_ended' }, 'end_date'],
    ['create', { customer_memberships: { nobody: {} }, ...finite }, 'customer_memberships.nobody'],
    [
      'create',
      { customer_memberships: { [owned]: { end_dat: '2026-07-01' } }, ...finite },
      `customer_memberships.${owned}.end_dat`,
    ],
    ['edit', { customermembership_ids: [owned], days_to_add: 1001 }, 'days_to_add'],
  ];
  for (const [what, body, field] of cases) {
    const answer = await put(what, body);
    assert.deepEqual([answer.status, Object.keys(answer.body.field_errors ?? {})], [400, [field]], answer.text);
  }
  assert.equal(
    (await put('create', { customermembership_ids: [owned], ...finite }, '', h.world.staff(['pos']))).status,
    403,
  );
});

test(
  'two hundred holds in one call take seconds, and concurrent requests for the same memberships wait or are refused',
  { timeout: 300_000 },
  async () => {
    const pack = await h.m.pack(5);
    const [one] = [await h.holder(pack)];
    await h.rows(
      `INSERT INTO customer_membership (provider_id, customer_id, membership_id, membership_type, bought_on,
        start_date, billed_price_minor)
     SELECT provider_id, customer_id, membership_id, membership_type, bought_on, start_date, billed_price_minor
     FROM customer_membership, generate_series(1, 200) WHERE id = $1`,
      [one.owned],
    );
    const all = (await h.rows('SELECT id::int FROM customer_membership WHERE customer_id = $1', [one.customer])).map(
      (r) => r.id,
    );
    const before = process.cpuUsage();
    const answer = await put('create', { customermembership_ids: all, ...finite });
    assert.equal(
      Object.values(answer.body.customer_memberships).filter((r: any) => r.status === 'ok').length,
      all.length,
      answer.text.slice(0, 500),
    );
    // The waiting time also depends on the load of the machine.
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 20_000_000, `${user + system} µs`);
  },
);
