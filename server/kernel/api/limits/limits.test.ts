// Guards against: Getting more requests by using more tokens
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantOf } from '../../work/access/grant.ts';
import { Limits } from './limits.ts';

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
