import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import { workedTable } from '../../../test/worked-table.ts';
import * as zone from './zone.ts';

const TIME = 'docs/algorithms/time.md';
const ZONES = [
  'America/Toronto',
  'Europe/London',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Europe/Berlin',
  'UTC',
];
const anyZone = fc.constantFrom(...ZONES);
// From 1936 (Newfoundland was last), all of these zones have offsets in whole minutes, so the zone database and ours
// must agree exactly.
const anyMs = fc.integer({ min: Date.UTC(1936, 0), max: Date.UTC(2120, 0) });
const anySecond = anyMs.map((ms) => Math.floor(ms / 1000) * 1000);
// Random instants hardly ever fall next to a clock change: these always do.
const nearChange = fc.tuple(anyZone, anyMs, fc.integer({ min: -100_000, max: 100_000 })).map(([name, ms, seconds]) => {
  const change = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name).getTimeZoneTransition('next');
  return { name, ms: (change?.epochMilliseconds ?? Math.floor(ms / 1000) * 1000) + seconds * 1000 };
});

for (const row of workedTable(TIME, 'Offsets')) {
  test(`${row.instant} is printed for ${row.zone} as ${row.printed}`, () => {
    assert.equal(zone.formatInstant(Date.parse(row.instant), row.zone), row.printed);
    assert.equal(zone.formatWall(Date.parse(row.instant), row.zone), row.printed.slice(0, 19));
  });
}

for (const row of workedTable(TIME, 'Wall times')) {
  test(`the wall time ${row['wall time']} in ${row.zone} is ${row.kind} and means ${row.earlier}`, () => {
    assert.equal(zone.wallKind(row['wall time'], row.zone), row.kind);
    assert.equal(zone.formatInstant(zone.instantOfWall(row['wall time'], row.zone), row.zone), row.earlier);
    assert.equal(zone.formatInstant(zone.instantOfWall(row['wall time'], row.zone, 'later'), row.zone), row.later);
  });
}

for (const row of workedTable(TIME, 'Start of a day')) {
  test(`${row.date} starts in ${row.zone} at ${row.starts}`, () => {
    assert.equal(zone.formatInstant(zone.startOfDay(row.date, row.zone), row.zone), row.starts);
  });
}

for (const row of workedTable(TIME, 'Accepted instants')) {
  test(`a caller in Toronto who sends "${row.text}" means ${row.instant}`, () => {
    const expected = row.instant === 'refused' ? null : Date.parse(row.instant);
    assert.equal(zone.parseInstant(row.text, 'America/Toronto'), expected);
  });
}

for (const row of workedTable(TIME, 'Ages')) {
  test(`somebody born ${row.born} is ${row.age} on ${row.on}`, () =>
    assert.equal(zone.ageOn(row.born, row.on), Number(row.age)));
}

test('offsets agree with the zone database at any instant', () => {
  fc.assert(
    fc.property(anyZone, anyMs, (name, ms) => {
      assert.equal(
        zone.offsetAt(ms, name),
        Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name).offsetNanoseconds / 6e10,
      );
    }),
    runs(500),
  );
});

test('offsets agree with the zone database next to clock changes', () => {
  fc.assert(
    fc.property(nearChange, ({ name, ms }) => {
      assert.equal(
        zone.offsetAt(ms, name),
        Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name).offsetNanoseconds / 6e10,
      );
    }),
    runs(500),
  );
});

test('an instant printed for a zone is read back as the same instant', () => {
  fc.assert(
    fc.property(anySecond, anyZone, anyZone, (ms, printedFor, readIn) => {
      assert.equal(zone.parseInstant(zone.formatInstant(ms, printedFor), readIn), ms);
    }),
  );
  fc.assert(
    fc.property(nearChange, ({ name, ms }) => assert.equal(zone.parseInstant(zone.formatInstant(ms, name), 'UTC'), ms)),
  );
});

test('instants of any supported year are read back, even in local mean time', () => {
  const year1To9999 = fc.integer({ min: Date.UTC(100, 0) / 1000, max: Date.UTC(9999, 11, 30) / 1000 });
  fc.assert(
    fc.property(year1To9999, anyZone, (seconds, name) => {
      assert.equal(zone.parseInstant(zone.formatInstant(seconds * 1000, name), 'UTC'), seconds * 1000);
    }),
  );
});

test('the wall time of an instant means that instant again unless clocks skipped or repeated it', () => {
  fc.assert(
    fc.property(nearChange, ({ name, ms }) => {
      const wall = zone.formatWall(ms, name);
      const kind = zone.wallKind(wall, name);
      assert.notEqual(kind, 'gap');
      assert.equal(zone.formatWall(zone.instantOfWall(wall, name), name), wall);
      if (kind === 'unique') assert.equal(zone.instantOfWall(wall, name), ms);
      else assert.ok([zone.instantOfWall(wall, name), zone.instantOfWall(wall, name, 'later')].includes(ms));
    }),
    runs(500),
  );
});

test('any wall time next to a clock change means the instant that the zone database returns', () => {
  fc.assert(
    fc.property(nearChange, ({ name, ms }) => {
      const wall = zone.formatWall(ms, 'UTC');
      const expected = Temporal.PlainDateTime.from(wall).toZonedDateTime(name, { disambiguation: 'compatible' });
      assert.equal(zone.instantOfWall(wall, name), expected.epochMilliseconds);
    }),
    runs(500),
  );
});

test('a day starts when the zone database says, in every zone and on every date', () => {
  fc.assert(
    fc.property(nearChange, ({ name, ms }) => {
      const date = zone.wallAt(ms, name).date;
      assert.equal(zone.startOfDay(date, name), Temporal.PlainDate.from(date).toZonedDateTime(name).epochMilliseconds);
    }),
    runs(500),
  );
});

test('only exact names of the IANA database are zones', () => {
  for (const name of [...ZONES, 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    assert.equal(zone.isZone(name), true, name);
  for (const name of ['+02:00', 'Z', '', 'america/toronto', 'utc', 'Mars/Olympus', 'America/Toronto ', '-05'])
    assert.equal(zone.isZone(name), false, name);
  assert.throws(() => zone.offsetAt(0, 'Mars/Olympus'), /Unknown time zone/);
});

test('the parts of a wall time name its date, time and weekday', () => {
  assert.deepEqual(zone.wallAt(Date.parse('2026-01-05T04:30:15.999Z'), 'America/Toronto'), {
    date: '2026-01-04',
    time: '23:30:15',
    year: 2026,
    month: 1,
    day: 4,
    hour: 23,
    minute: 30,
    second: 15,
    dayOfWeek: 7,
  });
});

test("PostgreSQL's timestamps in UTC are read to the millisecond", () => {
  assert.equal(zone.parsePgInstant('2026-01-05 13:00:00+00'), Date.parse('2026-01-05T13:00:00Z'));
  assert.equal(zone.parsePgInstant('2026-01-05 13:00:00.123456+00'), Date.parse('2026-01-05T13:00:00.123Z'));
  assert.equal(zone.parsePgInstant('2026-01-05 13:00:00.5+00'), Date.parse('2026-01-05T13:00:00.500Z'));
  assert.equal(zone.parsePgInstant('1969-12-31 23:59:59.999999+00'), -1);
  assert.equal(zone.parsePgInstant('0001-01-01 00:00:00+00'), Date.parse('0001-01-01T00:00:00Z'));
  assert.equal(zone.parsePgInstant('9999-12-31 23:59:59+00'), Date.parse('9999-12-31T23:59:59Z'));
});

test('a PostgreSQL timestamp in another form is refused instead of misread', () => {
  const others = [
    '2026-01-05 13:00:00-05',
    '2026-01-05 13:00:00+05:30',
    '2026-01-05 13:00:00',
    'infinity',
    '-infinity',
    '',
    '10000-01-05 13:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '2026-01-05T13:00:00+00',
    '2026-01-05 13:00:00.+00',
  ];
  for (const text of others) assert.throws(() => zone.parsePgInstant(text), RangeError, text);
});

test('a date must be in the strict form and exist', () => {
  for (const date of ['2026-01-05', '2024-02-29', '0001-01-01', '9999-12-31']) assert.equal(zone.parseDate(date), date);
  for (const text of [
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
    '2026-1-5',
    '2026-01-05 ',
    '2026-01-05T00:00',
  ]) {
    assert.equal(zone.parseDate(text), null, text);
  }
});

test('adding days follows the calendar and never leaves the supported years', () => {
  const anyDate = fc.integer({ min: -700_000, max: 2_000_000 }).map(zone.dateOfDayNumber);
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -10_000, max: 10_000 }), (date, n) => {
      assert.equal(zone.addDays(date, n), Temporal.PlainDate.from(date).add({ days: n }).toString());
      assert.equal(zone.daysBetween(date, zone.addDays(date, n)), n);
      assert.equal(zone.weekdayOf(date), Temporal.PlainDate.from(date).dayOfWeek);
    }),
  );
  assert.throws(() => zone.addDays('9999-12-31', 1), RangeError);
  assert.throws(() => zone.addDays('2026-02-30', 1), RangeError);
});

test('an invalid wall time is refused', () => {
  for (const text of ['2026-02-31T10:00', '2026-01-05T24:00:00', '2026-01-05', '2026-01-05T10:00:00Z', 'noon']) {
    assert.throws(() => zone.instantOfWall(text, 'UTC'), /Not a wall time/, text);
  }
});
