import assert from 'node:assert/strict';
import { isOwn } from './own.ts';
import { test } from 'node:test';

test('an address is the dashboard’s own if scheme, host and port are the same', () => {
  const own = 'https://book.example.org/dashboard';
  assert.equal(isOwn(own, 'https://book.example.org'), true);
  assert.equal(isOwn('https://book.example.org:443/dashboard', 'https://book.example.org'), true);
  for (const other of ['http://book.example.org', 'https://book.example.org:8443', 'https://example.org'])
    assert.equal(isOwn(own, other), false, other);
});
