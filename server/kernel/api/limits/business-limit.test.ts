import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Limits, POLICIES } from './limits.ts';
import { Problem } from '../../base/problem.ts';

test('all callers of a business share a limit, which customers cannot use up for its staff nor one business for another', () => {
  const limits = new Limits(true, () => 0);
  const ask = (providerId: number, mode: 'provider' | 'customer') => limits.takeBusiness({ providerId, mode });
  for (let n = 0; n < POLICIES.business.quota; n++) ask(1, 'customer');
  assert.throws(
    () => ask(1, 'customer'),
    (error: Problem) => error.code === 'rate_limited' && Number(error.headers['retry-after']) > 0,
  );
  ask(1, 'provider');
  ask(2, 'customer');
});
