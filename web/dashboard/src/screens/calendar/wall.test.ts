import assert from 'node:assert/strict';
import { byIntl, byTemporal, DAY, dateOf, parseWall, textOf, timeOfDay } from './wall.ts';
import { test } from 'node:test';

const at = (text: string): number => parseWall(text.slice(0, 10), text.slice(11))!;
const CLOCKS = { byTemporal, byIntl };

test('a wall time is formatted and parsed back, and an invalid one is not parsed', () => {
  assert.equal(textOf(at('2026-11-23T18:30')), '2026-11-23T18:30');
  assert.equal(dateOf(at('2026-03-01T00:00') - 1), '2026-02-28');
  assert.equal(timeOfDay(at('2026-03-01T00:00') - 1), '23:59');
  assert.equal(timeOfDay(-1), '23:59');
  assert.equal(at('2026-03-02T00:00') - at('2026-03-01T00:00'), DAY);
  for (const [date, time] of [
    ['2026-02-30', '10:00'],
    ['tomorrow', '10:00'],
    ['2026-02-03', '25:00'],
    ['2026-02-03', 'noon'],
  ])
    assert.equal(parseWall(date, time), null);
});

for (const [name, { wallOf, instantOf }] of Object.entries(CLOCKS)) {
  test(`${name}: the clocks of a venue show what is planned there on either side of a clock change`, () => {
    for (const [zone, instant, wall] of [
      ['America/Toronto', '2026-03-08T06:59Z', '2026-03-08T01:59'],
      ['America/Toronto', '2026-03-08T07:00Z', '2026-03-08T03:00'],
      ['America/Toronto', '2026-11-01T05:30Z', '2026-11-01T01:30'],
      ['Europe/Berlin', '2026-10-25T00:30Z', '2026-10-25T02:30'],
      ['Australia/Lord_Howe', '2026-10-03T15:30Z', '2026-10-04T02:30'],
      ['Asia/Kathmandu', '2026-06-01T00:00Z', '2026-06-01T05:45'],
      ['Pacific/Kiritimati', '2026-12-31T10:00Z', '2027-01-01T00:00'],
    ]) {
      assert.equal(textOf(wallOf(Date.parse(instant), zone)), wall, `${zone} ${instant}`);
      assert.equal(instantOf(at(wall), zone), Date.parse(instant), `${zone} ${wall}`);
    }
  });

  test(`${name}: a repeated hour means its first occurrence, and a skipped hour moves forward`, () => {
    // In the night of November 1, 1:30 occurs at 5:30 and at 6:30 UTC.
    assert.equal(textOf(wallOf(Date.parse('2026-11-01T06:30Z'), 'America/Toronto')), '2026-11-01T01:30');
    assert.equal(instantOf(at('2026-11-01T01:30'), 'America/Toronto'), Date.parse('2026-11-01T05:30Z'));
    assert.equal(instantOf(at('2026-03-08T02:30'), 'America/Toronto'), Date.parse('2026-03-08T07:30Z'));
    assert.equal(instantOf(at('2026-03-29T02:15'), 'Europe/Berlin'), Date.parse('2026-03-29T01:15Z'));
  });
}

test('browsers with and without Temporal agree on every quarter of an hour around a clock change', () => {
  for (const [zone, day] of [
    ['America/Toronto', '2026-03-08'],
    ['America/Toronto', '2026-11-01'],
    ['Europe/Berlin', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Africa/Cairo', '2026-04-24'],
  ])
    for (let wall = at(`${day}T00:00`) - 120; wall < at(`${day}T00:00`) + DAY; wall += 15) {
      const instant = byTemporal.instantOf(wall, zone);
      assert.equal(byIntl.instantOf(wall, zone), instant, `${zone} ${textOf(wall)}`);
      assert.equal(byIntl.wallOf(instant, zone), byTemporal.wallOf(instant, zone), `${zone} ${instant}`);
    }
});
