import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalAddress, hasDomain } from '../mail-address.ts';
import { composed } from './composed.ts';

/** Marks in the order that takes longest to sort: normalizing them all would take minutes. */
const MARKS = '\u0315'.repeat(250_000) + '\u0327'.repeat(250_000);

test('a text is composed if it can be as short as required', () => {
  assert.equal(composed('Zoe\u0308', 4), 'Zoë');
  assert.equal(composed('a\u0327\u0301', 1), '\u00e1\u0327');
});

test('a text that is too long in any form is not normalized, nor is such an address', () => {
  for (const text of [`a${MARKS}`, 'e\u0301'.repeat(3000)]) {
    assert.equal(composed(text, 1000), text);
    assert.equal(canonicalAddress(`${text}@example.com`), `${text}@example.com`);
    assert.equal(canonicalAddress(`a@${text}.example`), `a@${text}.example`);
    assert.equal(hasDomain(`a@${text}.example`), false);
  }
});
