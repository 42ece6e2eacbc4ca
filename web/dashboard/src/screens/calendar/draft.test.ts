import assert from 'node:assert/strict';
import { bodyOfChange, bodyOfNew, emptyDraft, ruleOf, wallsOf, type Draft } from './draft.ts';
import { test } from 'node:test';

const draft = (over: Partial<Draft> = {}): Draft => ({
  ...emptyDraft('2026-11-23'),
  offering: '4',
  name: 'Rowing',
  venue: '2',
  places: '12',
  ...over,
});

test('a new event is sent with the times of its venue, and empty fields as null', () => {
  assert.deepEqual(bodyOfNew(draft()), {
    offering_type: 4,
    name: 'Rowing',
    venue: 2,
    venue_room: null,
    instructors: [],
    max_occupancy: 12,
    waitlist_max_override: null,
    starts_at: '2026-11-23T18:00',
    ends_at: '2026-11-23T19:00',
  });
});

test('an event that ends before it starts ends on the next day', () => {
  assert.deepEqual(wallsOf({ date: '2026-11-30', start: '23:00', end: '01:00' }), {
    starts_at: '2026-11-30T23:00',
    ends_at: '2026-12-01T01:00',
  });
  assert.deepEqual(wallsOf({ date: '', start: '23:00', end: '' }), { starts_at: '', ends_at: '' });
});

test('an event repeats on the chosen weekdays, or on that of its date', () => {
  assert.equal(ruleOf(draft()), 'FREQ=WEEKLY;BYDAY=MO');
  assert.equal(
    ruleOf(draft({ weekdays: ['FR', 'MO'], until: '2027-06-30' })),
    'FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20270630',
  );
  assert.deepEqual(bodyOfNew(draft({ repeats: true })).recurrence, { rrule: 'FREQ=WEEKLY;BYDAY=MO' });
});

test('a change sends only the differences', () => {
  const before = draft();
  assert.deepEqual(bodyOfChange(before, before), {});
  assert.deepEqual(bodyOfChange({ ...before, end: '19:30', instructors: [3] }, before), {
    ends_at: '2026-11-23T19:30',
    instructors: [3],
  });
  assert.deepEqual(bodyOfChange({ ...before, places: '' }, before), { max_occupancy: null });
});
