import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billedParts, partsOf, priceOfAdded, priceToJoin } from './price.ts';
import { fc } from '../../../../test/properties.ts';
import { joinable, type SessionToJoin } from './joining.ts';
import { refunded } from './refund.ts';
import { rightToMakeUp, type Missed } from './make-up.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const PAGE = 'docs/algorithms/courses.md';
const HOUR = 3_600_000;
const numbers = (text: string): number[] => (text === 'none' ? [] : text.split(' ').map(Number));
const yes = (text: string): boolean => text === 'yes';
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

for (const row of workedTable(PAGE, 'What each session costs'))
  test(`${row.price} for ${row.sessions} sessions is ${row.parts}`, () => {
    assert.deepEqual(partsOf(Number(row.price), Number(row.sessions)), numbers(row.parts));
  });

for (const row of workedTable(PAGE, 'What joining costs'))
  test(`joining for ${row.gets} of ${row.sessions} at ${row.price}, ${row['late price']}, costs ${row.costs}`, () => {
    const costs = priceToJoin({
      price: Number(row.price),
      sessions: Number(row.sessions),
      gets: numbers(row.gets),
      latePrice: row['late price'] as 'prorated',
    });
    assert.equal(costs, Number(row.costs));
  });

for (const row of workedTable(PAGE, 'Sessions that are added'))
  test(`a customer who paid ${row.paid} for ${row.sessions} sessions pays ${row['for each']} for each added one`, () => {
    assert.equal(priceOfAdded(Number(row.paid), Number(row.sessions)), Number(row['for each']));
  });

test('the parts of a price add up to it and differ by one at most, and so do those of customers who join for disjoint sessions', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 100 }), fc.nat(100), (price, sessions, cut) => {
      const parts = partsOf(price, sessions);
      assert.equal(sum(parts), price);
      assert.ok(Math.max(...parts) - Math.min(...parts) <= 1);
      assert.equal(sum(billedParts(price, sessions)), price);
      const positions = parts.map((_, n) => n + 1);
      const costs = (gets: number[]) => priceToJoin({ price, sessions, gets, latePrice: 'prorated' });
      assert.equal(costs(positions.slice(0, cut)) + costs(positions.slice(cut)), price);
    }),
  );
});

const WHY: Record<string, RegExp> = {
  late: /have begun|has begun/,
  over: /No session/,
  draft: /draft/,
  cancelled: /is cancelled/,
};

for (const row of workedTable(PAGE, 'Who can join'))
  test(`${row.series}, published ${row.published}, limit ${row.limit}, sessions at ${row.starts}: ${row.joins}`, () => {
    const sessions = row.starts.split(' ').map((text, n): SessionToJoin => ({
      event: n,
      position: n + 1,
      startsAt: Number(text.replace('x', '')) * HOUR,
      status: text.endsWith('x') ? 'cancelled' : 'active',
    }));
    const { left, refusal } = joinable(
      {
        published: yes(row.published),
        status: row.series as 'active',
        lateJoinLimit: row.limit === 'none' ? null : Number(row.limit),
        sessions,
      },
      0,
    );
    const [, why] = /^no: (.+)$/.exec(row.joins) ?? [];
    if (why) assert.match(refusal?.staff ?? '', WHY[why]);
    else {
      assert.equal(refusal, null);
      assert.equal(left.length, Number.parseInt(row.joins, 10));
    }
  });

for (const row of workedTable(PAGE, 'What is given back if an enrolment is cancelled'))
  test(`${row.rule}, begun ${row.begun}, late ${row.late}, staff ${row.staff}: ${row.refunded}`, () => {
    const begun = yes(row.begun);
    const late = numbers(row.late);
    const sessions = [1, 2, 3, 4].map((event) => ({
      event,
      freed: !(begun && event === 1),
      late: late.includes(event),
    }));
    const staffSay = row.staff === 'rule' ? null : yes(row.staff);
    assert.deepEqual(refunded(sessions, { rule: row.rule as 'nothing', begun, staffSay }), numbers(row.refunded));
  });

for (const row of workedTable(PAGE, 'What can be made up for'))
  test(`${Object.values(row).join(', ')}`, () => {
    const right = rightToMakeUp({
      makeUpDays: row.days === 'none' ? null : Number(row.days),
      cancelledGives: row.gives as Missed['cancelledGives'],
      sessionCancelled: row.session === 'cancelled',
      attendance: row.attendance as Missed['attendance'],
      enrolled: yes(row.enrolled),
      credited: yes(row.credited),
      madeUp: yes(row['made up']),
      on: '2026-10-05',
    });
    assert.equal('until' in right ? right.until : 'no', row.until);
  });
