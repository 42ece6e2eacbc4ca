import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialsOf, leftOf, verdictOf, type At, type Booked, type Facts, type Held } from './verdict.ts';

const at: At = {
  now: Date.parse('2026-11-23T18:00:00Z'),
  today: '2026-11-23',
  dateAt: (moment) => moment.slice(0, 10),
};
const booked = (starts_at: string, ends_at: string): Booked => ({ starts_at, ends_at, timezone: 'UTC' });
const tonight = booked('2026-11-23T18:30:00Z', '2026-11-23T19:30:00Z');
const running = booked('2026-11-23T17:30:00Z', '2026-11-23T18:30:00Z');
const tomorrow = booked('2026-11-24T18:30:00Z', '2026-11-24T19:30:00Z');
const pack = (over: Partial<Held> = {}): Held => ({
  status: 'active',
  start_date: '2026-11-01',
  expiration_date: '2026-12-31',
  unpaid_invoice: null,
  usage_summary: [{ remaining_count: 3 }],
  ...over,
});
const said = (facts: Partial<Facts>) => {
  const { kind, trouble, step } = verdictOf({ blocked: false, membership: null, next: null, last: null, ...facts }, at);
  return [kind, trouble, step];
};

test('a person who is booked today may come in, and is checked in next', () => {
  assert.deepEqual(said({ next: tonight, membership: pack() }), ['booked', null, 'check_in']);
  assert.deepEqual(said({ next: tonight }), ['booked', null, 'check_in'], 'a single class needs no membership');
  const last = pack({ usage_summary: [{ remaining_count: 0 }] });
  assert.deepEqual(said({ next: tonight, membership: last }), ['booked', null, 'check_in'], 'their last visit');
});

test('an objection to the membership is shown beside the booking', () => {
  assert.deepEqual(said({ next: tonight, membership: pack({ status: 'hold' }) }), ['booked', 'on_hold', 'check_in']);
});

test('a person who was checked in to a class that has not ended is here', () => {
  assert.deepEqual(said({ last: running, next: tomorrow }), ['here', null, 'take_back']);
  assert.equal(said({ last: booked('2026-11-23T15:00:00Z', '2026-11-23T16:00:00Z') })[0], 'uncovered');
});

test('without a booking, the membership decides: it pays for a class, or the reason names the next step', () => {
  assert.deepEqual(said({ membership: pack(), next: tomorrow }), ['covered', null, 'book']);
  assert.deepEqual(said({}), ['uncovered', 'none', 'sell']);
  for (const [over, trouble, step] of [
    [{ status: 'completed' }, 'ended', 'sell'],
    [{ expiration_date: '2026-11-22' }, 'ended', 'sell'],
    [{ status: 'hold' }, 'on_hold', 'resume'],
    [{ unpaid_invoice: 1 }, 'unpaid', 'pay'],
    [{ start_date: '2026-11-24' }, 'not_started', 'sell'],
    [{ usage_summary: [{ remaining_count: null }, { remaining_count: 0 }] }, 'used_up', 'sell'],
  ] as const)
    assert.deepEqual(said({ membership: pack(over) }), ['uncovered', trouble, step]);
});

test('a blocked person comes to what they have booked, and books nothing else', () => {
  assert.deepEqual(said({ blocked: true, next: tonight, membership: pack() }), ['booked', 'blocked', 'check_in']);
  assert.deepEqual(said({ blocked: true, next: tomorrow, membership: pack() }), ['blocked', 'blocked', 'lift']);
  assert.deepEqual(said({ blocked: true, last: running }), ['here', null, 'take_back']);
});

test('the tightest limit is what is left, and no limit is none', () => {
  const usage_summary = [
    { remaining_count: 8, max_uses: 10 },
    { remaining_count: 1, max_uses: 2 },
  ];
  assert.deepEqual(leftOf({ usage_summary }), { left: 1, all: 2 });
  assert.equal(leftOf({ usage_summary: [{ remaining_count: null, max_uses: null }] }), null);
  assert.equal(leftOf(null), null);
});

test('a person without a photo has the initials of their first and last name', () => {
  assert.deepEqual(['Ada Whitlock', 'Maria da Silva', 'Cher', '', 'émile Zola'].map(initialsOf), [
    'AW',
    'MS',
    'C',
    '',
    'ÉZ',
  ]);
});
