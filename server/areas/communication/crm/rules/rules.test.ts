import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { decide, decideAll, type Condition, type Facts } from './conditions.ts';
import { dueAt, parseDelay } from './delay.ts';
import { familyAfter, type Place } from '../../../people/customers/rules/merge.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import { LONGEST_CHAIN, refuseRun, RUNS_A_DAY } from './chain.ts';
import { slugOf } from './slug.ts';
import { customerOf } from './trigger.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const DOC = 'docs/algorithms/workflows.md';
const MERGING = 'docs/algorithms/merging.md';
const TORONTO = 'America/Toronto';

for (const { from, delay, due } of workedTable(DOC, 'Worked delays')) {
  test(`${delay} from ${from} is ${due}`, () => {
    const parsed = parseDelay(delay);
    assert.equal(parsed === null ? 'refused' : formatInstant(dueAt(Date.parse(from), parsed, TORONTO), TORONTO), due);
  });
}

test('a longer delay is never due earlier, in any zone and at any clock change', () => {
  const zone = fc.constantFrom('America/Toronto', 'Europe/London', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC');
  fc.assert(
    fc.property(fc.integer({ min: 1.2e12, max: 2e12 }), fc.nat(60), fc.nat(60), zone, (at, days, more, where) => {
      const due = (n: number) => dueAt(at, parseDelay(`P${n}D`)!, where);
      assert.ok(due(days) >= at && due(days + more) >= due(days));
    }),
  );
});

test('no text makes reading a delay fail, and a valid delay is at most two years', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^P[0-9YMWDTHS]{0,20}$/)), (text) => {
      const delay = parseDelay(text);
      if (delay === null) return;
      assert.ok(dueAt(0, delay, 'UTC') <= 733 * 86_400_000, text);
    }),
  );
});

const TODAY: Facts = {
  today: '2026-06-30',
  enteredOn: '2026-06-01',
  labels: [],
  status: null,
  change: null,
  visitDays: [],
  upcomingBooking: false,
  birth: null,
  venue: null,
  answers: new Map(),
  memberships: [],
};

const none = (text: string) => (text === 'none' ? null : text);

function factsOf(known: string): Facts {
  const [name, value] = known.split(': ');
  switch (name) {
    case '':
      return TODAY;
    case 'labels':
      return { ...TODAY, labels: value.split(' ') };
    case 'change': {
      const [from, to] = value.split('>');
      return { ...TODAY, change: { from: none(from), to: none(to) } };
    }
    case 'status':
      return { ...TODAY, status: value };
    case 'visits':
      return { ...TODAY, visitDays: value.split(' ') };
    case 'upcoming':
      return { ...TODAY, upcomingBooking: value === 'yes' };
    case 'birth':
      return { ...TODAY, birth: value };
    case 'venue':
      return { ...TODAY, venue: Number(value) };
    case 'answer': {
      const [field, ...given] = value.split(' ');
      return { ...TODAY, answers: new Map([[Number(field), given]]) };
    }
    case 'memberships':
      return { ...TODAY, memberships: value.split(' ').map(Number) };
    default:
      throw new Error(`the table knows "${name}"`);
  }
}

for (const { known, condition, holds } of workedTable(DOC, 'Worked conditions')) {
  test(`with ${known || 'nothing known'}, ${condition} ${holds === 'yes' ? 'holds' : 'does not hold'}`, () => {
    assert.equal(decide(JSON.parse(condition) as Condition, factsOf(known)).holds, holds === 'yes');
  });
}

test('exactly one of two opposite comparisons is true for any numbers', () => {
  const opposite = [
    ['equals', 'not_equals'],
    ['less_than', 'at_least'],
    ['more_than', 'at_most'],
  ] as const;
  fc.assert(
    fc.property(fc.nat(20), fc.nat(20), fc.constantFrom(...opposite), (visits, count, [a, b]) => {
      const facts = {
        ...TODAY,
        visitDays: Array.from({ length: visits }, (_, i) => `2026-06-${String(i + 1).padStart(2, '0')}`),
      };
      const [one, other] = ([a, b] as const).map(
        (operator) => decide({ condition_type: 'visits', operator, count, days: 30 }, facts).holds,
      );
      assert.notEqual(one, other);
    }),
  );
});

test('a record has the verdict of every condition, including those after one that does not hold', () => {
  const verdicts = decideAll(
    [
      { condition_type: 'customer_label', operator: 'equals', label: 'vip' },
      { condition_type: 'upcoming_booking', operator: 'equals', value: false },
    ],
    TODAY,
  );
  assert.deepEqual(
    verdicts.map((v) => [v.holds, v.facts]),
    [
      [false, { labels: [] }],
      [true, { upcoming_booking: false }],
    ],
  );
});

for (const row of workedTable(DOC, 'Worked chains')) {
  test(`workflow ${row.workflow} behind "${row.chain}" with ${row['runs in a day']} runs is stopped by ${row['stopped by']}`, () => {
    const chain = row.chain.split(' ').filter(Boolean).map(Number).toReversed();
    const refused = refuseRun({ workflow: Number(row.workflow), chain, runsToday: Number(row['runs in a day']) });
    const said = { nothing: null, circle: /^A circle/, chain: /^A chain of 8/, often: /^It ran 20 times/ }[
      row['stopped by']
    ];
    if (said === null) assert.equal(refused, null);
    else assert.match(refused!, said!);
  });
}

test('whatever triggers what, no chain gets longer than its limit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 30, maxLength: 60 }), (tries) => {
      const chain: number[] = [];
      for (const workflow of tries) if (refuseRun({ workflow, chain, runsToday: 0 }) === null) chain.unshift(workflow);
      assert.ok(chain.length <= LONGEST_CHAIN && new Set(chain).size === chain.length);
      assert.ok(refuseRun({ workflow: 99, chain: [], runsToday: RUNS_A_DAY }) !== null);
    }),
  );
});

test('only items about one existing customer trigger anything', () => {
  assert.equal(customerOf({ kind: 'attendance.attended', payload: { customer: 7 } }), 7);
  assert.equal(customerOf({ kind: 'event.cancelled', payload: { event: 7 } }), null);
  assert.equal(customerOf({ kind: 'waitlist.broadcast', payload: { customers: [7] } }), null);
  assert.equal(customerOf({ kind: 'customer.merged', payload: { customer: 7, into: 8 } }), null);
  assert.equal(customerOf({ kind: 'crm_workflow.webhook_called', payload: { customer: 7 } }), null);
});

const placeOf = (text: string): Place => {
  const [family, role] = text.split(' ');
  return family === '-' ? { family: null, role: null } : { family: Number(family), role: role as Place['role'] };
};

for (const row of workedTable(MERGING, 'Worked families')) {
  test(`family: kept ${row.kept}, merged ${row.merged}: ${row.afterwards}`, () => {
    const after = familyAfter(placeOf(row.kept), placeOf(row.merged));
    if ('refused' in after) return assert.equal(row.afterwards, 'refused');
    assert.deepEqual(after, {
      place: placeOf(row.afterwards),
      bringsFamily: row["others of the merged one's family"] === 'come along',
    });
  });
}

test('a slug is derived from the name, and is valid', () => {
  assert.deepEqual(['Très fidèle!', '  On -- trial ', 'VIP 2', '会員', '', '_'].map(slugOf), [
    'tres_fidele',
    'on_trial',
    'vip_2',
    null,
    null,
    null,
  ]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) =>
      assert.match(slugOf(name) ?? 'none', /^[a-z0-9]+(_[a-z0-9]+)*$/),
    ),
  );
});
