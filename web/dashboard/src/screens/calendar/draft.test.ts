import assert from 'node:assert/strict';
import {
  bodyOfChange,
  bodyOfNew,
  emptyDraft,
  endAfter,
  mergeDrafts,
  NEW_CLASS,
  ruleOf,
  toWallTimes,
  type Draft,
} from './draft.ts';
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
    online_venue: null,
    online_max_occupancy: null,
    starts_at: '2026-11-23T18:00',
    ends_at: '2026-11-23T19:00',
  });
});

test('an event that ends before it starts ends on the next day', () => {
  assert.deepEqual(toWallTimes({ date: '2026-11-30', start: '23:00', end: '01:00' }), {
    starts_at: '2026-11-30T23:00',
    ends_at: '2026-12-01T01:00',
  });
  assert.deepEqual(toWallTimes({ date: '', start: '23:00', end: '' }), { starts_at: '', ends_at: '' });
});

test('an event repeats on the chosen weekdays, or takes place once', () => {
  const rule = 'FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20270630';
  const weekly = draft({ weekdays: ['FR', 'MO'], until: '2027-06-30' });
  assert.equal(ruleOf(weekly), rule);
  assert.deepEqual(bodyOfNew(weekly).recurrence, { rrule: rule });
  assert.equal(bodyOfNew(draft()).recurrence, undefined);
});

test('a new class is sent with its first event, and allows single visits if they have a price', () => {
  const { offering_type, new_offering_type } = bodyOfNew(draft({ offering: NEW_CLASS, dropin: '18,00' }));
  assert.equal(offering_type, undefined);
  assert.deepEqual(new_offering_type, {
    name: 'Rowing',
    customer_visibility: 'public',
    allows_dropins: true,
    dropin_price: '18.00',
  });
  assert.equal(bodyOfNew(draft({ offering: NEW_CLASS })).new_offering_type?.allows_dropins, false);
});

test('an event keeps its length when its start changes', () => {
  const evening = { date: '2026-11-30', start: '18:00', end: '19:15' };
  assert.equal(endAfter(evening, '07:30'), '08:45');
  assert.equal(endAfter(evening, '23:30'), '00:45');
  assert.equal(endAfter({ ...evening, end: '' }, '07:30'), '');
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

test('what two people change in one event is merged, and only what both changed differently is a conflict', () => {
  const before = draft();
  const mine = { ...before, name: 'Sculling', places: '14', instructors: [3] };
  const theirs = { ...before, name: 'Sweeping', room: '8', instructors: [3] };
  assert.deepEqual(mergeDrafts(before, mine, theirs), {
    draft: { ...before, name: 'Sculling', places: '14', room: '8', instructors: [3] },
    conflicts: ['name'],
  });
  assert.deepEqual(mergeDrafts(before, before, theirs), { draft: theirs, conflicts: [] });
});
