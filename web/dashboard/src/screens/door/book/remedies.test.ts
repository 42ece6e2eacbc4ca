import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remediesOf, type Remedies } from './remedies.ts';

const NONE: Remedies = { booked: false, sell: null, comped: false, owed: null, waitlist: false, participate: false };
const remedies = (
  failed: readonly string[],
  current_status = 'not_registered',
  suggested_action: string | null = null,
) =>
  remediesOf({
    can_book: failed.length === 0,
    current_status,
    suggested_action,
    rules: [
      { code: 'event_cancelled', passed: true, facts: {} },
      ...failed.map((code) => ({ code, passed: false, facts: {} })),
    ],
  });

test('a booking without a payer is paid at the desk, charged to the account, or free', () => {
  const owed = {
    code: 'payment_required',
    passed: true,
    facts: { total_price: '$24.86', charged_to_account: true },
  };
  const said = (failed: readonly string[], current_status = 'not_registered') =>
    remediesOf({
      can_book: failed.length === 0,
      current_status,
      suggested_action: null,
      rules: [owed, ...failed.map((code) => ({ code, passed: false, facts: {} }))],
    });
  assert.deepEqual(said([]), { ...NONE, sell: 'anything', comped: true, owed: '$24.86' });
  assert.deepEqual(said(['event_full']), { ...NONE, sell: 'membership', waitlist: true });
  assert.deepEqual(said(['age_too_low']), NONE);
  assert.deepEqual(said([], 'registered'), { ...NONE, booked: true });
});

test('the remedies for a refusal follow from all rules that fail', () => {
  const cases: [Parameters<typeof remedies>, Partial<Remedies>][] = [
    [[[]], {}],
    [[['payment_required']], { sell: 'anything', comped: true }],
    // Drop-ins are not sold.
    [[['membership_required']], { sell: 'membership', comped: true }],
    [[['allotment_used_up']], { sell: 'membership', comped: true }],
    [[['event_full']], { waitlist: true }],
    // Customers need a membership to join the waitlist, unless they can pay when they get the place.
    [[['event_full', 'membership_required']], { sell: 'membership' }],
    [[['event_full', 'payment_required'], 'not_registered', 'join_waitlist'], { sell: 'membership', waitlist: true }],
    [[['event_full'], 'on_waitlist'], {}],
    // A sale is no remedy for a customer who is too young.
    [[['age_too_low', 'payment_required']], {}],
    [[['customer_not_participating']], { participate: true }],
    [[['membership_required'], 'registered'], { booked: true }],
    [[['event_full'], 'attended'], { booked: true }],
  ];
  for (const [given, wanted] of cases) assert.deepEqual(remedies(...given), { ...NONE, ...wanted }, String(given));
});
