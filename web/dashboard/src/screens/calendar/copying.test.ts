import assert from 'node:assert/strict';
import { copiesOf, inTurn } from './copying.ts';
import { parseWall } from './wall.ts';
import { test } from 'node:test';
import type { CalendarEvent } from './events.ts';

const at = (text: string): number => parseWall(text.slice(0, 10), text.slice(11))!;
const event = (id: number, from: string, over: object = {}): CalendarEvent =>
  ({
    id,
    name: 'Rowing',
    status: 'active',
    schedule_type: 'class',
    series: null,
    max_occupancy: 8,
    venue: { id: 2, name: 'Pier 4' },
    venue_room: null,
    offering_type: { id: 4, background_color: '#123456' },
    instructors: [{ id: 7, name: 'Kim' }],
    from: at(from),
    to: at(from) + 60,
    ...over,
  }) as unknown as CalendarEvent;

const weeks = { from: '2026-10-19', to: '2026-10-26' };

test('each event of the week is copied to the same weekday and time, regardless of clock changes in between', () => {
  const [copy] = copiesOf(
    [event(1, '2026-10-21T18:00')],
    [],
    weeks,
    new Map([[1, { waitlist_max_override: 3, online_venue: null }]]),
  );
  assert.deepEqual(copy.body, {
    name: 'Rowing',
    offering_type: 4,
    venue: 2,
    venue_room: null,
    instructors: [7],
    max_occupancy: 8,
    waitlist_max_override: 3,
    starts_at: '2026-10-28T18:00',
    ends_at: '2026-10-28T19:00',
    external_id: 'copy-1-2026-10-28',
  });
  assert.equal(copy.there, null);
});

test('an existing event is not copied again: a copy, the same class, or the next event of a series', () => {
  const source = [
    event(1, '2026-10-21T18:00'),
    event(2, '2026-10-22T18:00', { series: 5 }),
    event(3, '2026-10-23T18:00'),
  ];
  const there = [
    event(11, '2026-10-28T18:00'),
    event(12, '2026-10-29T19:00', { series: 5 }),
    event(13, '2026-10-30T18:00', { status: 'cancelled' }),
  ];
  assert.deepEqual(
    copiesOf(source, there, weeks, new Map()).map((copy) => copy.there),
    [11, 12, null],
  );
});

test('cancelled events, appointments, courses and events of other weeks are skipped', () => {
  const others = [
    event(1, '2026-10-21T18:00', { status: 'cancelled' }),
    event(2, '2026-10-21T18:00', { schedule_type: 'appointment' }),
    event(3, '2026-10-21T18:00', { schedule_type: 'course' }),
    event(4, '2026-10-18T23:30'),
    event(5, '2026-10-26T00:00'),
  ];
  assert.deepEqual(copiesOf(others, [], weeks, new Map()), []);
});

test('many calls run a few at a time, and their results keep the order', async () => {
  let [running, most] = [0, 0];
  const doubled = await inTurn([5, 1, 4, 2, 3], 2, async (n) => {
    most = Math.max(most, ++running);
    for (let i = 0; i < n; i++) await Promise.resolve();
    running--;
    return n * 2;
  });
  assert.deepEqual(doubled, [10, 2, 8, 4, 6]);
  assert.equal(most, 2);
});
