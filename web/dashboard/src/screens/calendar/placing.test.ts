import assert from 'node:assert/strict';
import { countLanes, piecesOf, resizedBy, shiftedBy, snap, timesFor, type Timed } from './placing.ts';
import { layOut } from './layout.ts';
import { parseWall, wallOf } from './wall.ts';
import { test } from 'node:test';

const at = (text: string): number => parseWall(text.slice(0, 10), text.slice(11))!;
const event = (id: number, from: string, to: string): Timed => ({ id, from: at(from), to: at(to) });
const day = (date: string) => ({ key: date, date, has: () => true });

test('a day shows its part of each event, and nothing of an event that ends as the day begins', () => {
  const night = event(1, '2026-11-23T23:00', '2026-11-24T01:30');
  const late = event(2, '2026-11-23T22:00', '2026-11-24T00:00');
  const shown = (date: string) => piecesOf(day(date), [night, late], null).map((p) => [p.event.id, p.top, p.bottom]);
  assert.deepEqual(shown('2026-11-23'), [
    [1, 1380, 1440],
    [2, 1320, 1440],
  ]);
  assert.deepEqual(shown('2026-11-24'), [[1, 0, 90]]);
  assert.deepEqual(shown('2026-11-25'), []);
});

test('an event that is being moved is shown at its new time, and only in its new column', () => {
  const one = event(1, '2026-11-23T10:00', '2026-11-23T11:00');
  const rooms = ['north', 'south', 'attic'].map((key) => ({ key, date: '2026-11-23', has: () => key !== 'attic' }));
  const moved = { ...shiftedBy(one, 30), out: 'south', into: 'attic' };
  assert.deepEqual(
    rooms.map((room) => piecesOf(room, [one], moved).map(({ top }) => top)),
    [[630], [], [630]],
  );
  assert.equal(piecesOf(day('2026-11-24'), [one], { ...shiftedBy(one, 1440), out: null, into: null })[0].moved, true);
});

test('500 events of a week are all placed, without many lanes and in few steps', () => {
  const many = Array.from({ length: 500 }, (_, i) => {
    const from = at('2026-11-23T06:00') + (i % 7) * 1440 + ((i * 7) % 60) * 15;
    return { id: i, from, to: from + 45 + (i % 4) * 15 };
  });
  const pieces = ['23', '24', '25', '26', '27', '28', '29'].map((d) => piecesOf(day(`2026-11-${d}`), many, null));
  assert.equal(pieces.flat().length, 500);
  assert.ok(Math.max(...pieces.map(countLanes)) < 12);
  let reads = 0;
  const read = (minute: number): number => (reads++, minute);
  for (const column of pieces)
    layOut(
      column.map(({ top, bottom }) => ({
        get from() {
          return read(top);
        },
        get to() {
          return read(bottom);
        },
      })),
    );
  assert.ok(reads < 500 * 40, `${reads} looks at their times`);
});

const planned = (zone: string, starts_at: string, ends_at: string) => ({
  id: 1,
  timezone: zone,
  starts_at,
  ends_at,
  from: wallOf(Date.parse(starts_at), zone),
  to: wallOf(Date.parse(ends_at), zone),
});

test('an event that moves across a clock change keeps its time of day and its elapsed duration', () => {
  const saturday = planned('America/Toronto', '2026-03-07T23:00:00Z', '2026-03-08T00:00:00Z');
  assert.deepEqual(timesFor(saturday, shiftedBy(saturday, 1440)), {
    starts_at: '2026-03-08T22:00:00.000Z',
    ends_at: '2026-03-08T23:00:00.000Z',
  });
  // Two hours from 1:00 end at 4:00 when 2:00 is skipped.
  const night = planned('America/Toronto', '2026-03-07T06:00:00Z', '2026-03-07T08:00:00Z');
  assert.deepEqual(timesFor(night, shiftedBy(night, 1440)), {
    starts_at: '2026-03-08T06:00:00.000Z',
    ends_at: '2026-03-08T08:00:00.000Z',
  });
});

test('unchanged times are not sent, so extending an event in the repeated hour does not move it', () => {
  const twice = planned('America/Toronto', '2026-11-01T06:30:00Z', '2026-11-01T07:30:00Z');
  assert.deepEqual(timesFor(twice, resizedBy(twice, 30)), { ends_at: '2026-11-01T08:00:00.000Z' });
  assert.deepEqual(timesFor(twice, twice), {});
});

test('an event lasts at least a quarter of an hour, and pointers move it by quarters of an hour', () => {
  const short = resizedBy(event(1, '2026-11-23T10:00', '2026-11-23T10:30'), -60);
  assert.equal(short.to - short.from, 15);
  assert.deepEqual([snap(7), snap(8), snap(-8)], [0, 15, -15]);
});
