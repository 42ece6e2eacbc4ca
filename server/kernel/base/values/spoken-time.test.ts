import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanText, spoken } from './spoken-time.ts';

const ZONE = 'America/Toronto';

test('a span that ends on another day names that day', () => {
  assert.equal(spanText(Date.parse('2026-10-02T22:00Z'), Date.parse('2026-10-02T23:00Z'), ZONE), '18:00 to 19:00');
  assert.equal(
    spanText(Date.parse('2026-10-03T03:30Z'), Date.parse('2026-10-03T04:30Z'), ZONE),
    '23:30 to Saturday, 3 October 2026, 00:30',
  );
});

test('instants in a sentence become local times, and nothing else changes', () => {
  assert.equal(
    spoken('Booking opens at 2026-10-02T18:00:00-04:00.', ZONE),
    'Booking opens at Friday, 2 October 2026, 18:00.',
  );
  assert.equal(
    spoken('From 2026-10-02T22:00:00Z to 2026-10-02T23:00:00Z.', ZONE),
    'From Friday, 2 October 2026, 18:00 to Friday, 2 October 2026, 19:00.',
  );
  assert.equal(spoken('Open from the age of 8 on 2026-10-02.', ZONE), 'Open from the age of 8 on 2026-10-02.');
});
