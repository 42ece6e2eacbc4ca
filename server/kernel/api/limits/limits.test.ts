// Guards against: Getting more requests by using more tokens
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantOf } from '../../work/access/grant.ts';
import { Limits, POLICIES } from './limits.ts';

const limits = () => new Limits(true, () => 1_000_000);
const token = (credential: string, userId: number | null, kind: 'person' | 'machine' = 'person') =>
  grantOf({ credential, kind, profiles: [], userId });
const left = (headers: Record<string, string>): number => Number(/;r=(\d+)/.exec(headers.ratelimit)![1]);

test("a person has one allowance, however many tokens and applications they use, and nobody else's is reduced", () => {
  const own = limits();
  const first = left(own.take(token('authorization:1', 7), '203.0.113.1'));
  assert.equal(left(own.take(token('authorization:2', 7), '203.0.113.2')), first - 1);
  assert.equal(left(own.take(token('authorization:3', 8), '203.0.113.1')), first);
  const machine = left(own.take(token('machine_token:1', null, 'machine'), '203.0.113.1'));
  assert.equal(left(own.take(token('machine_token:2', null, 'machine'), '203.0.113.1')), machine);
});

const assistant = (applicationId: number, userId = 7) =>
  grantOf({ credential: 'authorization:1', kind: 'person', profiles: [], userId, applicationId, entrance: 'mcp' });

test('an assistant that repeats itself stops only itself: neither its person, nor their other assistants, nor the business', () => {
  const own = limits();
  const person = left(own.take(token('authorization:2', 7), '203.0.113.1'));
  for (let n = 0; n < POLICIES.assistant.quota; n++) own.take(assistant(1), '203.0.113.1');
  assert.throws(() => own.take(assistant(1), '203.0.113.1'), { code: 'rate_limited' });
  own.take(assistant(2), '203.0.113.1');
  own.take(assistant(1, 8), '203.0.113.1');
  assert.equal(left(own.take(token('authorization:2', 7), '203.0.113.1')), person - 1);
  for (let n = 0; n < POLICIES.assistants.quota; n++) own.takeAssistants({ providerId: 1 });
  assert.throws(() => own.takeAssistants({ providerId: 1 }), { code: 'rate_limited' });
  own.takeAssistants({ providerId: 2 });
  own.takeBusiness({ providerId: 1, mode: 'provider' });
  own.takeBusiness({ providerId: 1, mode: 'customer' });
});

test('one IPv6 network has one allowance, however its addresses are written', () => {
  const own = limits();
  const first = left(own.take(null, '2001:db8::7'));
  assert.equal(left(own.take(null, '2001:db8:0:0:ffff:ffff:ffff:1')), first - 1);
  assert.equal(left(own.take(null, '2001:db8:0:0:5::')), first - 2);
  assert.equal(left(own.take(null, '2001:db8:0:1::7')), first);
  const four = left(own.take(null, '198.51.100.4'));
  assert.equal(left(own.take(null, '::ffff:198.51.100.4')), four - 1);
  assert.equal(
    left(own.takePage('credentials', '2001:db8::1')) - 1,
    left(own.takePage('credentials', '2001:db8:0:0:9::1')),
  );
});
