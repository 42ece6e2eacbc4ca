import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { fc, runs } from '../../../test/properties.ts';
import { fill, sql, statement, raw } from '../../../kernel/base/db/sql.ts';
import { RISKS_OF } from './catalogue/members-at-risk.ts';
import { risksOf, sentenceOf, type MemberFacts } from './rules/members-at-risk.ts';
import { row } from '../../../test/schedule-world.ts';
import { seed } from '../../../test/seeds.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { workedTable } from '../../../test/worked-table.ts';

const TODAY = '2026-06-30';

let world: World;
before(async () => {
  world = await startWorld();
  // Writes and reads have the same day.
  world.stopNow();
});
after(() => world.close());

for (const row of workedTable('docs/algorithms/members-at-risk.md', 'Worked reasons')) {
  const facts: MemberFacts = {
    today: TODAY,
    memberSince: row['member since'],
    onHold: row['on hold'] === 'yes',
    holdEnds: row['hold ends'] || null,
    ends: row.ends || null,
    paymentFailed: row['payment failed'] === 'yes',
    hasBooking: row.booked === 'yes',
    lately: Number(row.lately),
    weekly: Number(row.weekly),
    now: Number(row.now),
    before: Number(row.before),
    lastVisit: row['last visit'] || null,
  };
  test(`${Object.values(row).join(' | ')}`, () => {
    assert.equal(risksOf(facts).join(', '), row.reasons);
    for (const risk of risksOf(facts)) assert.match(sentenceOf(risk, facts), /^[A-Z\d].*\.$/);
  });
}

const visits = fc.integer({ min: 0, max: 10 });
const day = (from: number, to: number) => fc.integer({ min: from, max: to }).map((n) => addDays(TODAY, n));
const anyFacts: fc.Arbitrary<MemberFacts> = fc.record({
  today: fc.constant(TODAY),
  memberSince: day(-70, 3),
  onHold: fc.boolean(),
  holdEnds: fc.option(day(0, 10)),
  ends: fc.option(day(-1, 20)),
  paymentFailed: fc.boolean(),
  hasBooking: fc.boolean(),
  lately: visits,
  weekly: visits,
  now: visits,
  before: visits,
  lastVisit: fc.option(day(-70, 0)),
});

test('the statement finds the same reasons as the rule', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFacts, { minLength: 1, maxLength: 50 }), async (members) => {
      const facts = sql`(SELECT (x->>'memberSince')::date AS member_since, (x->>'onHold')::boolean AS on_hold,
          (x->>'holdEnds')::date AS hold_ends, (x->>'ends')::date AS ends,
          (x->>'paymentFailed')::boolean AS payment_failed,
          (x->>'hasBooking')::boolean AS has_booking, (x->>'lately')::int AS lately, (x->>'weekly')::int AS weekly,
          (x->>'now')::int AS now, (x->>'before')::int AS before, (x->>'lastVisit')::date AS last_visit, n
        FROM jsonb_array_elements(${JSON.stringify(members)}::jsonb) WITH ORDINALITY AS m(x, n)) f`;
      const s = statement(sql`SELECT ${RISKS_OF}::text FROM ${facts} ORDER BY f.n`);
      const at = { now: Date.parse(`${TODAY}T12:00:00Z`), zone: 'UTC' };
      const found = await world.work(world.harbour, ({ tx }) => tx.send([{ statement: s, values: fill(s.holes, at) }]));
      assert.deepEqual(
        found[0].rows.map(([cell]) => cell!.slice(1, -1)),
        members.map((one) => risksOf(one).join()),
      );
    }),
    runs(50),
  );
});

/** Creates a member of the harbour, whose membership began this many days ago and ends in this many. */
async function member(began: number, over: Record<string, unknown> = {}): Promise<number> {
  const customer = await world.newCustomer();
  const membership = await seed(world, 'membership');
  await row(world, 'customer_membership', {
    customer_id: customer,
    membership_id: membership,
    membership_type: raw(`(SELECT type FROM membership WHERE provider_id = ${world.harbour} AND id = ${membership})`),
    billed_price_minor: 0,
    bought_on: dayOf(-began),
    start_date: dayOf(-began),
    ...over,
  });
  return customer;
}

const dayOf = (days: number): string => addDays(wallAt(world.now, 'America/Toronto').date, days);

const riskOf = async (customer: number, as = world.machine): Promise<any> => {
  const { status, body } = await world.get(`/reports/members_at_risk/data?customers=${customer}`, { as });
  assert.equal(status, 200);
  return body.rows[0] ?? null;
};

test('a member who never came and whose membership ends is listed with both reasons, in words', async () => {
  const ends = dayOf(5);
  const found = await riskOf(await member(20, { expiration_date: ends }));
  assert.deepEqual(found.risks, ['membership_ends', 'never_came']);
  assert.equal(found.reasons[0], `Their membership ends on ${ends}, and no other follows.`);
  assert.equal(await riskOf(await member(3, { expiration_date: dayOf(100) })), null);
});

test('names are only for staff who may see customers', async () => {
  const customer = await member(20, { expiration_date: dayOf(1) });
  assert.equal((await riskOf(customer, world.staff(['revenue']))).customer.name, null);
  assert.notEqual((await riskOf(customer, world.staff(['revenue', 'customers']))).customer.name, null);
});
