import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressKey, canonicalAddress, hasDomain } from './mail-address.ts';
import { isMailAddress } from '../mail/address.ts';

/** Spellings of one address, the canonical one first. */
const ALIKE: readonly (readonly [kept: string, ...others: string[]])[] = [
  ['jörg@example.com', 'jo\u0308rg@example.com', 'jörg\u200b@example.com', '\ufeffjörg@example.com '],
  [
    'zoe@example.com',
    'zo\u200be@example.com',
    'z\u00adoe@example.com',
    '\u202azoe@example.com\u202c',
    'zoe@example.com.',
  ],
  ['info@müller.de', 'info@xn--mller-kva.de', 'info@mu\u0308ller.de', 'info@MÜLLER.de', 'info@XN--MLLER-KVA.DE'],
  ['οδος@example.gr', 'ΟΔΟΣ@example.gr'],
  ['ada@例え.jp', 'ada@xn--r8jz45g.jp', 'ada@例え。jp'],
];

test('spellings of one address that look alike and deliver alike are one', () => {
  for (const [kept, ...others] of ALIKE)
    for (const one of [kept, ...others]) {
      assert.equal(canonicalAddress(one), kept, JSON.stringify(one));
      assert.ok(isMailAddress(canonicalAddress(one)));
    }
  assert.equal(addressKey('JO\u0308RG@Example.com'), addressKey('jörg@example.com'));
});

test('an address in its canonical spelling stays as it is, and so does an invalid one', () => {
  for (const one of ['Ada.King+news@Example.com', 'a@1.2.3', 'a_b@c_d.example', 'no address', '', '@', 'a@'])
    assert.equal(canonicalAddress(one), one);
});

test('an address with letters that no domain can have is invalid, and so is one with invisible characters', () => {
  assert.equal(hasDomain('a@exa\u2028mple.é'), false);
  assert.equal(isMailAddress('a@ex%ample.é'), false);
  assert.equal(isMailAddress('zo\u200be@example.com'), false);
  assert.equal(isMailAddress('zoe@exam\u200bple.com'), false);
});
