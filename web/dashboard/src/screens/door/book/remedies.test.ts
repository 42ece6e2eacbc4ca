import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remediesOf } from './remedies.ts';

const NONE = { booked: false, sell: false, comped: false, waitlist: false, participate: false };
const remedies = (failed: readonly string[], current_status = 'not_registered') =>
  remediesOf({
    can_book: failed.length === 0,
    current_status,
    rules: [{ code: 'event_cancelled', passed: true }, ...failed.map((code) => ({ code, passed: false }))],
  });

test('what can be done about a refusal follows from every rule that says no', () => {
  const cases: [Parameters<typeof remedies>, Partial<typeof NONE>][] = [
    [[[]], {}],
    [[['membership_required']], { sell: true, comped: true }],
    [[['allotment_used_up']], { sell: true, comped: true }],
    [[['event_full']], { waitlist: true }],
    [[['event_full', 'payment_required']], { waitlist: true }],
    [[['event_full'], 'on_waitlist'], {}],
    // A sale helps nobody who is too young.
    [[['age_too_low', 'payment_required']], {}],
    [[['customer_not_participating']], { participate: true }],
    [[['membership_required'], 'registered'], { booked: true }],
    [[['event_full'], 'attended'], { booked: true }],
  ];
  for (const [given, wanted] of cases) assert.deepEqual(remedies(...given), { ...NONE, ...wanted }, String(given));
});
