/** Tests of coverage: one definition, queried in every way. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import {
  selectBreadth,
  createMembership,
  isFor,
  leavesUses,
  membershipOf,
  potsFor,
  setAllotment,
  type Allotment,
  type PeriodLimit,
} from './index.ts';
import { newEvent, newOffering, newVenue } from '../../../test/schedule-world.ts';
import { PERIODS } from './rules/allotment.ts';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let category: number;
/** ids of three classes and a course */
let offerings: number[];
before(async () => {
  world = await startWorld();
  category = await seed(world, 'membership_category');
  offerings = [
    await newOffering(world),
    await newOffering(world),
    await newOffering(world, { schedule_type: 'appointment' }),
    await newOffering(world, { schedule_type: 'course' }),
  ];
});
after(() => world.close());

const SOLD = {
  visible_to_customers: true,
  purchasable_only_by_provider: false,
  new_customers_only: false,
  allow_repeat_purchases: true,
  name: 'Pass',
};
const total = (over: Partial<PeriodLimit> = {}): PeriodLimit => ({
  period: 'total',
  maxUses: 10,
  rollOver: 0,
  offeringTypes: [],
  ...over,
});

const allot = (id: number, allotment: Allotment) =>
  world.work(world.harbour, (work) => setAllotment(work, { id, type: 'pack' }, allotment));

async function pass(allotment: Partial<Allotment> = {}): Promise<number> {
  const id = await world.work(world.harbour, (work) =>
    createMembership(work, { ...SOLD, type: 'pack', category, one_time_fee: '10.00' }),
  );
  await allot(id, { types: ['event'], ignoreNoShows: false, limits: [total()], ...allotment });
  return id;
}

const grant = async (membership: number, registration_option: number, price = '0.00') => {
  const made = await world.post('/membership_registration_grants', {
    as: world.machine,
    body: { membership, registration_option, on_allotment_price: price },
  });
  assert.equal(made.status, 201, made.text);
  return made.body;
};

/** Returns the offerings that the membership is for, according to the database. */
async function covered(membership: number): Promise<number[]> {
  const { all, kept } = (await world.work(world.harbour, ({ tx }) =>
    tx.one<{ all: number[]; kept: number[] }>(sql`SELECT
      (SELECT coalesce(jsonb_agg(o.id ORDER BY o.id), '[]') FROM offering_type o
        WHERE o.provider_id = m.provider_id AND ${isFor('m', 'o')}) AS kept,
      (SELECT coalesce(jsonb_agg(offering_type_id ORDER BY offering_type_id), '[]') FROM membership_coverage c
        WHERE c.provider_id = m.provider_id AND c.membership_id = m.id) AS "all"
      FROM membership m WHERE provider_id = ${world.harbour} AND id = ${membership}`),
  ))!;
  assert.deepEqual(kept, all, 'what is kept beside the membership is what the definition says');
  return all.filter((id) => offerings.includes(id));
}

/** Returns them according to the list of memberships. */
const listed = async (membership: number, filter: string, as: string | undefined = world.machine): Promise<boolean> => {
  const answer = await world.get(`/memberships?ids=${membership}&${filter}`, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.count === 1;
};

test('without grants a membership is for everything that its allotment allows: events, courses, or both', async () => {
  const [yoga, rowing, massage, course] = offerings;
  assert.deepEqual(await covered(await pass()), [yoga, rowing, massage]);
  assert.deepEqual(await covered(await pass({ types: ['course'] })), [course]);
  assert.deepEqual(await covered(await pass({ types: ['event', 'course'] })), offerings);
});

test('a membership without an allotment is for nothing', async () => {
  const id = await world.work(world.harbour, (work) =>
    createMembership(work, { ...SOLD, type: 'pack', category, one_time_fee: '10.00' }),
  );
  assert.deepEqual(await covered(id), []);
});

test('with grants it is only for those offering types, until the last grant is removed', async () => {
  const [yoga, rowing, massage, course] = offerings;
  const id = await pass();
  const [first, second] = [await grant(id, rowing, '2.50'), await grant(id, course)];
  assert.equal(first.on_allotment_price.string, '2.50');
  assert.deepEqual(await covered(id), [rowing]);
  const moved = await world.patch(`/membership_registration_grants/${first.id}`, {
    as: world.machine,
    body: { registration_option: yoga },
  });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(await covered(id), [yoga]);
  for (const one of [first, second])
    assert.equal((await world.delete(`/membership_registration_grants/${one.id}`, { as: world.machine })).status, 204);
  assert.deepEqual(await covered(id), [yoga, rowing, massage]);
});

test('an offering type is granted once', async () => {
  const id = await pass();
  await grant(id, offerings[0]);
  const again = await world.post('/membership_registration_grants', {
    as: world.machine,
    body: { membership: id, registration_option: offerings[0], on_allotment_price: '0.00' },
  });
  assert.deepEqual(
    [again.status, again.body.code, Object.keys(again.body.field_errors)],
    [409, 'already_exists', ['registration_option']],
  );
});

test('an offering type without any uses left is not covered; extra uses are in addition to those of the period', async () => {
  const [yoga, rowing, massage] = offerings;
  assert.deepEqual(
    await covered(
      await pass({ limits: [total({ offeringTypes: [{ offeringType: yoga, maxUses: 0, isExtra: false }] })] }),
    ),
    [rowing, massage],
  );
  assert.deepEqual(
    await covered(
      await pass({
        limits: [total({ maxUses: 0, offeringTypes: [{ offeringType: yoga, maxUses: 3, isExtra: true }] })],
      }),
    ),
    [yoga],
  );
});

const limits: fc.Arbitrary<PeriodLimit[]> = fc
  .uniqueArray(
    fc.record({
      period: fc.constantFrom(...PERIODS.filter((p) => p !== 'billing_period')),
      maxUses: fc.option(fc.integer({ min: 0, max: 3 })),
      rollOver: fc.constant(0),
      own: fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 3 }),
          maxUses: fc.integer({ min: 0, max: 3 }),
          isExtra: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
    }),
    { selector: (l) => l.period, maxLength: 4 },
  )
  .map((all) =>
    all.map(({ own, ...limit }) => ({
      ...limit,
      offeringTypes: [...new Map(own.map((o) => [o.at, o])).values()].map(({ at, maxUses, isExtra }) => ({
        offeringType: offerings[at],
        isExtra,
        maxUses: isExtra ? Math.max(1, maxUses) : Math.min(maxUses, limit.maxUses ?? 3),
      })),
    })),
  );

const inOrder = (list: readonly PeriodLimit[]) =>
  list
    .map((l) => ({ ...l, offeringTypes: l.offeringTypes.toSorted((a, b) => a.offeringType - b.offeringType) }))
    .toSorted((a, b) => PERIODS.indexOf(a.period) - PERIODS.indexOf(b.period));

test('the database and the rule agree on every allotment, and the stored allotment equals the one that was set', async () => {
  const id = await pass();
  await fc.assert(
    fc.asyncProperty(
      limits,
      fc.constantFrom(['event'] as const, ['course'] as const, ['event', 'course'] as const),
      async (some, types) => {
        const allotment: Allotment = { types, ignoreNoShows: false, limits: some };
        await allot(id, allotment);
        const ofType = (n: number) => types.some((t) => (t === 'course') === (n === 3));
        assert.deepEqual(
          await covered(id),
          offerings.filter((offering, n) => ofType(n) && leavesUses(allotment, offering)),
        );
        const stored = (await world.work(world.harbour, ({ tx }) => membershipOf(tx, world.harbour, id)))!.allotment!;
        assert.deepEqual(stored, { ...allotment, limits: inOrder(some) });
      },
    ),
    runs(60),
  );
});

test('one more use is limited by its own uses and those of the period, an extra use only by its own', () => {
  const month: PeriodLimit = {
    period: 'month',
    maxUses: 10,
    rollOver: 2,
    offeringTypes: [
      { offeringType: 1, maxUses: 2, isExtra: false },
      { offeringType: 2, maxUses: 4, isExtra: true },
    ],
  };
  const common = { period: 'month', max: 10, rollOver: 2, counts: { except: [2] } };
  assert.deepEqual(potsFor({ limits: [month] }, 3), [common]);
  assert.deepEqual(potsFor({ limits: [month] }, 1), [
    { period: 'month', max: 2, rollOver: 0, counts: { only: [1] } },
    common,
  ]);
  assert.deepEqual(potsFor({ limits: [month] }, 2), [{ period: 'month', max: 4, rollOver: 0, counts: { only: [2] } }]);
  assert.deepEqual(potsFor({ limits: [{ ...month, maxUses: null, offeringTypes: [] }] }, 3), []);
  assert.deepEqual(
    potsFor({ limits: [month, { ...month, period: 'total', rollOver: 0, offeringTypes: [] }] }, 2).map((p) => p.period),
    ['month', 'total'],
  );
});

test('the list finds memberships for an event, and those for all of several offering types', async () => {
  const [yoga, rowing] = offerings;
  const id = await pass();
  await grant(id, yoga);
  const place = { venue: await newVenue(world), offering: yoga };
  const [inside, outside] = [await newEvent(world, place), await newEvent(world, { ...place, offering: rowing })];
  assert.equal(await listed(id, `permits_registration_for_event=${inside.id}`), true);
  assert.equal(await listed(id, `permits_registration_for_event=${inside.id}`, undefined), true);
  assert.equal(await listed(id, `permits_registration_for_event=${outside.id}`), false);
  assert.equal(await listed(id, 'permits_registration_for_event=999999'), false);
  assert.equal(await listed(id, `offering_type=${yoga}`), true);
  assert.equal(await listed(id, `offering_type=${yoga},${rowing}`), false);
  await grant(id, rowing);
  assert.equal(await listed(id, `offering_type=${yoga},${rowing},${yoga}`), true);
  const shown = await world.get(`/offering_types/${yoga}?fields=memberships.id`, {});
  assert.ok(
    shown.body.memberships.some((m: any) => m.id === id),
    shown.text,
  );
});

test('the list filters by every property of a membership', async () => {
  const id = await pass();
  for (const [name, value] of Object.entries({
    for_sale: true,
    visible_to_customers: true,
    allow_repeat_purchases: true,
    is_dropin: false,
    is_draft: false,
    archived: false,
    categories: category,
    type: 'pack,prepaid_plan',
  })) {
    assert.equal(await listed(id, `${name}=${value}`), true, name);
    const other = typeof value === 'boolean' ? !value : name === 'type' ? 'recurring_plan' : 999_999;
    assert.equal(await listed(id, `${name}=${other}`), false, `${name} is passed over`);
  }
  assert.equal(await listed(id, 'colour=1'), true);
  const strict = await world.get('/memberships?colour=1', {
    as: world.machine,
    headers: { prefer: 'handling=strict' },
  });
  assert.deepEqual([strict.status, Object.keys(strict.body.field_errors)], [400, ['colour']]);
});

test('every offering type has a registration option, which has the drop-in price or requires a membership', async () => {
  const members = await newOffering(world, { allows_dropins: false, dropin_price_minor: 1500 });
  const { body } = await world.get(`/registration_options/${members}?expand=offering_type`, {});
  assert.deepEqual(
    [body.object, body.id, body.offering_type.id, body.drop_in_price.string, body.requires_membership_grant, body.type],
    ['registration_option', members, members, '15.00', true, 'offering_type'],
  );
  const course = (await world.get(`/registration_options?offering_type=${offerings[3]}`, {})).body.results;
  assert.deepEqual(
    course.map((o: any) => [o.type, o.requires_membership_grant]),
    [['course', false]],
  );
  const hidden = await newOffering(world, { customer_visibility: 'private' });
  assert.deepEqual(
    [
      (await world.get(`/registration_options/${hidden}`)).status,
      (await world.get(`/registration_options/${hidden}`, { as: world.machine })).status,
    ],
    [404, 200],
  );
});

const breadth = (id: number) =>
  world
    .work(world.harbour, ({ tx }) =>
      tx.one<{ breadth: number }>(
        sql`SELECT ${selectBreadth('m')} AS breadth FROM membership m WHERE provider_id = ${world.harbour}
          AND id = ${id}`,
      ),
    )
    .then((row) => Number(row!.breadth));

test('a membership for named offering types is more specific than one for all, and less specific the more it names', async () => {
  const [named, all, both] = [await pass(), await pass(), await pass({ types: ['event', 'course'] })];
  await grant(named, offerings[0]);
  const found = [await breadth(named), await breadth(all), await breadth(both)];
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a - b),
  );
  assert.deepEqual([found[0], new Set(found).size], [1, 3]);
});

const limited = (max_uses: number) => ({
  types: ['event'],
  period_limits: [{ period: 'total', type: 'limited', max_uses, offering_type_limits: [] }],
});

test('concurrent changes of offering types, grants and allotments all apply to later bookings', async () => {
  const passes = await Promise.all([pass(), pass({ types: ['event', 'course'] })]);
  const changes = [
    () => newOffering(world),
    (i: number) => grant(passes[0], offerings[(i - 1) / 3]),
    (i: number) => world.put(`/memberships/${passes[1]}/allotment`, { as: world.machine, body: limited(i) }),
  ];
  await Promise.all(Array.from({ length: 12 }, (_, i) => changes[i % 3](i)));
  for (const id of passes) {
    await covered(id);
    assert.deepEqual((await world.get(`/memberships/${id}/allotment`, { as: world.machine })).body.types, ['event']);
  }
});
