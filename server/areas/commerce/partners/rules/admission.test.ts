import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admit, type AdmissionFacts, type Admits } from './admission.ts';

const NOBODY: AdmissionFacts = { isBlocked: false, isBooked: false, opensAt: null, isMember: false };

test('a door opens for a booking, a membership or any customer, as it is set, and for nobody who is blocked', () => {
  const cases: [Admits, Partial<AdmissionFacts>, string][] = [
    ['bookings', {}, 'not_booked'],
    ['bookings', { isMember: true }, 'not_booked'],
    ['bookings', { opensAt: 1 }, 'too_early'],
    ['bookings', { isBooked: true }, 'booking'],
    ['memberships', {}, 'nothing_valid'],
    ['memberships', { opensAt: 1 }, 'too_early'],
    ['memberships', { isMember: true, opensAt: 1 }, 'membership'],
    ['memberships', { isBooked: true, isMember: true }, 'booking'],
    ['customers', {}, 'customer'],
    ['customers', { isMember: true }, 'membership'],
    ['customers', { isBlocked: true, isBooked: true, isMember: true }, 'blocked'],
  ];
  for (const [admits, facts, expected] of cases) {
    const result = admit(admits, { ...NOBODY, ...facts });
    assert.equal('by' in result ? result.by : result.refused, expected, `${admits} ${JSON.stringify(facts)}`);
  }
});
