import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import { RRuleTemporal } from 'rrule-temporal';
import { workedTable } from '../../../test/worked-table.ts';
import {
  describeRecurrence,
  formatRecurrence,
  occurrences,
  parseRecurrence,
  type Recurrence,
  type Schedule,
} from './recurrence.ts';
import { formatInstant } from './zone.ts';

const RECURRENCE = 'docs/algorithms/recurrence.md';

function ruleOf(text: string): Recurrence {
  const rule = parseRecurrence(text);
  if ('error' in rule) throw new Error(`${text}: ${rule.error}`);
  return rule;
}

function walls(text: string, schedule: Schedule): string[] {
  return Array.from(occurrences(ruleOf(text), schedule), ({ wall }) => wall);
}

for (const { rule, start, days } of workedTable(RECURRENCE, 'Which days')) {
  test(`${rule} from ${start} falls on ${days.slice(0, 40)}…`, () => {
    const expected = days.replace(', …', '').split(', ');
    const limit = days.endsWith('…') ? expected.length : Infinity;
    assert.deepEqual(
      walls(rule, { startWall: `${start}T09:00`, zone: 'America/New_York', limit }),
      expected.map((day) => `${day}T09:00:00`),
    );
  });
}

for (const row of workedTable(RECURRENCE, 'Clock changes')) {
  test(`${row.rule} from ${row.start} in ${row.zone} keeps its wall time across the clock change`, () => {
    const found = [...occurrences(ruleOf(row.rule), { startWall: row.start, zone: row.zone })];
    assert.deepEqual(
      found.map(({ wall }) => wall),
      row.planned.split(', '),
    );
    assert.deepEqual(
      found.map(({ instant }) => formatInstant(instant, row.zone)),
      row['takes place'].split(', '),
    );
  });
}

for (const { rule, says } of workedTable(RECURRENCE, 'Refused rules')) {
  test(`${rule} is refused with what to send instead`, () => assert.deepEqual(parseRecurrence(rule), { error: says }));
}

for (const { rule, reads } of workedTable(RECURRENCE, 'Descriptions')) {
  test(`${rule} reads "${reads}"`, () => assert.equal(describeRecurrence(ruleOf(rule)), reads));
}

// Guards against: Exhausting the service
test('a rule longer than any real one is refused before it is read', () => {
  assert.match(
    (parseRecurrence(`FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(300)}1`) as { error: string }).error,
    /at most 500 characters/,
  );
});

const NEVER = [
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31',
  'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31',
  'FREQ=MONTHLY;INTERVAL=12;BYMONTH=3',
  'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31;COUNT=3',
  'FREQ=YEARLY;BYDAY=1MO;BYMONTH=1;BYMONTHDAY=20',
];
for (const text of NEVER) {
  test(`${text} never happens and says so by ending`, () => {
    assert.deepEqual(walls(text, { startWall: '2026-01-31T10:00', zone: 'America/Toronto' }), []);
  });
}

test('a rare rule is found although most periods have no match', () => {
  const found = walls('FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29', {
    startWall: '2100-01-01T10:00',
    zone: 'UTC',
    limit: 2,
  });
  assert.deepEqual(found, ['2400-02-29T10:00:00', '2800-02-29T10:00:00']);
});

test('an endless rule ends with the year 9999', () => {
  const found = walls('FREQ=WEEKLY', { startWall: '9999-12-20T10:00', zone: 'America/Toronto' });
  assert.deepEqual(found, ['9999-12-20T10:00:00', '9999-12-27T10:00:00']);
});

test('an endless rule is computed only as far as requested', () => {
  const found = occurrences(ruleOf('FREQ=DAILY'), { startWall: '2026-01-05T10:00', zone: 'UTC' });
  assert.equal(found.next().value?.wall, '2026-01-05T10:00:00');
  assert.equal(found.next().value?.wall, '2026-01-06T10:00:00');
});

test('exceptions name a date or a planned wall time, and use up the count', () => {
  const schedule = { startWall: '2026-03-07T02:30', zone: 'America/Toronto' };
  assert.deepEqual(walls('FREQ=DAILY;COUNT=4', { ...schedule, exceptions: ['2026-03-08T02:30', '2026-03-10'] }), [
    '2026-03-07T02:30:00',
    '2026-03-09T02:30:00',
  ]);
  assert.equal(walls('FREQ=DAILY;COUNT=4', { ...schedule, exceptions: ['2026-03-08T03:30:00'] }).length, 4);
  assert.throws(() => walls('FREQ=DAILY', { ...schedule, exceptions: ['next Monday'] }), /Not a wall time/);
});

test('a limit counts the occurrences that are shown, and a limit of none shows nothing', () => {
  const schedule = { startWall: '2026-03-07T10:00', zone: 'UTC', exceptions: ['2026-03-07'] };
  assert.deepEqual(walls('FREQ=DAILY', { ...schedule, limit: 1 }), ['2026-03-08T10:00:00']);
  assert.deepEqual(walls('FREQ=DAILY', { ...schedule, limit: 0 }), []);
});

test('an invalid start and an unknown zone are refused', () => {
  assert.throws(() => walls('FREQ=DAILY;COUNT=1', { startWall: '2026-02-30T10:00', zone: 'UTC' }), /Not a wall time/);
  assert.throws(
    () => walls('FREQ=DAILY;COUNT=1', { startWall: '2026-02-03T10:00', zone: 'Mars/Olympus' }),
    /Unknown time zone/,
  );
});

test('lower case, a property name in front and a trailing semicolon are accepted', () => {
  assert.deepEqual(parseRecurrence('RRULE:freq=weekly;byday=mo;'), ruleOf('FREQ=WEEKLY;BYDAY=MO'));
});

const weekdays = fc.subarray(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], { minLength: 1 });
const ordinals = fc.subarray(['1MO', '-1FR', '3WE', '5SU', '-5TU', '2SA'], { minLength: 1 });
const monthDays = fc.subarray([1, 13, 15, 29, 30, 31, -1, -3, -31], { minLength: 1 });
const months = fc.subarray([1, 2, 3, 6, 11, 12], { minLength: 1 });
const part = (name: string, values: fc.Arbitrary<unknown[]>) =>
  fc.option(
    values.map((list) => `;${name}=${list.join(',')}`),
    { nil: '' },
  );
const bounds = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 40 }).map((n) => `;COUNT=${n}`),
  fc.constant(';UNTIL=20300615T120000Z'),
);
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));
const interval = fc.integer({ min: 1, max: 7 }).map((n) => `;INTERVAL=${n}`);
const weekStart = fc.constantFrom('', ';WKST=SU', ';WKST=WE');
const anyRule = fc.oneof(
  joined(
    fc.constant('FREQ=DAILY'),
    interval,
    part('BYMONTH', months),
    part('BYDAY', weekdays),
    part('BYMONTHDAY', monthDays),
    bounds,
  ),
  joined(fc.constant('FREQ=WEEKLY'), interval, part('BYMONTH', months), part('BYDAY', weekdays), weekStart, bounds),
  joined(
    fc.constant('FREQ=MONTHLY'),
    interval,
    part('BYMONTH', months),
    part('BYDAY', fc.oneof(weekdays, ordinals)),
    bounds,
  ),
  joined(fc.constant('FREQ=MONTHLY'), interval, part('BYMONTHDAY', monthDays), part('BYDAY', weekdays), bounds),
  joined(
    fc.constant('FREQ=YEARLY'),
    interval,
    months.map((list) => `;BYMONTH=${list.join(',')}`),
    part('BYDAY', fc.oneof(weekdays, ordinals)),
    bounds,
  ),
  joined(fc.constant('FREQ=YEARLY'), interval, part('BYMONTH', months), part('BYMONTHDAY', monthDays), bounds),
  joined(fc.constant('FREQ=YEARLY'), interval, part('BYDAY', fc.oneof(weekdays, ordinals)), bounds),
);
const anyStart = fc
  .integer({ min: Date.UTC(2024, 0), max: Date.UTC(2027, 0) })
  .map((ms) => new Date(ms).toISOString().slice(0, 10));
const FIVE_YEARS_ON = Date.UTC(2032, 0);

test('any rule that is printed is read back as the same rule', () => {
  fc.assert(
    fc.property(anyRule, (text) => assert.deepEqual(parseRecurrence(formatRecurrence(ruleOf(text))), ruleOf(text))),
  );
});

test('any rule yields the days that an independent implementation yields', () => {
  fc.assert(
    fc.property(anyRule, anyStart, (text, start) => {
      const startWall = `${start}T12:00:00`;
      const dtstart = Temporal.PlainDateTime.from(startWall).toZonedDateTime('UTC');
      const horizon = Temporal.Instant.fromEpochMilliseconds(FIVE_YEARS_ON - 1).toZonedDateTimeISO('UTC');
      const oracle = new RRuleTemporal({ rruleString: text, dtstart, maxIterations: 1_000_000 });
      const expected = oracle.between(dtstart, horizon, true);
      assert.deepEqual(
        walls(text, { startWall, zone: 'UTC', to: FIVE_YEARS_ON }),
        expected.map((moment) => moment.toPlainDateTime().toString({ smallestUnit: 'second' })),
      );
    }),
    runs(300),
  );
});

test('a window contains exactly the occurrences of the whole schedule that are within it', () => {
  const zones = fc.constantFrom('America/Toronto', 'Pacific/Apia', 'Europe/Berlin', 'Australia/Lord_Howe');
  const day = fc.integer({ min: 0, max: 2500 });
  fc.assert(
    fc.property(anyRule, anyStart, zones, day, day, (text, start, zone, after, length) => {
      const schedule = { startWall: `${start}T02:30:00`, zone };
      const from = Date.UTC(2024, 0) + after * 86_400_000;
      const to = from + length * 86_400_000;
      const all = [...occurrences(ruleOf(text), { ...schedule, to })];
      assert.deepEqual(
        [...occurrences(ruleOf(text), { ...schedule, from, to })],
        all.filter(({ instant }) => instant >= from),
      );
    }),
  );
});
