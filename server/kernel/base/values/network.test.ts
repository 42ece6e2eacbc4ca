import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chargedNetwork, coarseNetwork } from './network.ts';

test('one household counts as one network, and the displayed part of an address locates nobody', () => {
  assert.equal(chargedNetwork('203.0.113.9'), '203.0.113.9');
  assert.equal(chargedNetwork('::ffff:203.0.113.9'), '203.0.113.9');
  assert.equal(chargedNetwork('::ffff:cb00:7109'), '203.0.113.9');
  assert.equal(chargedNetwork('2001:db8:1:2::5'), chargedNetwork('2001:db8:1:2:ffff::1'));
  assert.notEqual(chargedNetwork('2001:db8:1:2::5'), chargedNetwork('2001:db8:1:3::5'));
  assert.equal(chargedNetwork('2001:db8::7'), chargedNetwork('2001:db8:0:0:9::1'));
  assert.equal(chargedNetwork('::1'), '0:0:0:0');
  assert.notEqual(chargedNetwork('2001::1'), chargedNetwork('2001:0:0:1::1'));
  assert.equal(coarseNetwork('203.0.113.9'), '203.0.113.0/24');
  assert.equal(coarseNetwork('2001:db8::1'), '2001:db8:0::/48');
  assert.equal(coarseNetwork('nonsense'), null);
});
