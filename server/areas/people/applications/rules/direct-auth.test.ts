import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directAuthRefusal, type DirectAuthStatus, type Step } from './direct-auth.ts';

test('direct authentication is requested, then decided, and has a key only once it is approved', () => {
  const possible: Record<Step, DirectAuthStatus[]> = {
    request: ['none', 'requested', 'refused'],
    approve: ['requested', 'refused'],
    refuse: ['requested', 'approved'],
    rotate: ['approved'],
  };
  for (const [step, from] of Object.entries(possible)) {
    for (const status of ['none', 'requested', 'approved', 'refused'] as const) {
      assert.equal(directAuthRefusal(step as Step, status) === null, from.includes(status), `${step} when ${status}`);
    }
  }
});
