import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { isConnectionLoss } from './loss.ts';

const thrown = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};
const coded = (code: string) => Object.assign(new Error('x'), { code });

test('a lost connection is distinguished from a refusal of the database and from a bug in the program', () => {
  for (const code of [
    'ECONNRESET',
    'EPIPE',
    'EAI_AGAIN',
    '08006',
    '57P01',
    '53300',
    'ERR_STREAM_DESTROYED',
    'ERR_SOCKET_CLOSED',
  ])
    assert.equal(isConnectionLoss(coded(code)), true, code);
  for (const message of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])
    assert.equal(isConnectionLoss(new Error(message)), true, message);
  for (const code of ['23505', '40P01', '57014', 'ERR_INVALID_ARG_TYPE'])
    assert.equal(isConnectionLoss(coded(code)), false, code);
  assert.equal(isConnectionLoss(thrown(() => hash('sha1', undefined as never))), false);
  assert.equal(isConnectionLoss(new TypeError('Cannot read "connection" of undefined')), false);
  assert.equal(isConnectionLoss(undefined), false);
});
