import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formToken, isFormToken, isOwnOrigin } from './csrf.ts';

test('a token is valid for the secret that it was derived from, and for no other', () => {
  const token = formToken('mine');
  assert.ok(isFormToken(token, 'mine'));
  assert.ok(!isFormToken(token, 'yours'));
  assert.ok(!isFormToken(token, null));
});

test('no two tokens look alike, and all are valid', () => {
  const tokens = Array.from({ length: 50 }, () => formToken('mine'));
  assert.equal(new Set(tokens).size, 50);
  assert.equal(new Set(tokens.map((t) => t.slice(43))).size, 50);
  assert.ok(tokens.every((t) => isFormToken(t, 'mine')));
});

test('a damaged or missing token is refused', () => {
  const token = formToken('mine');
  for (const wrong of [
    null,
    '',
    token.slice(1),
    `${token}A`,
    `${token.slice(0, -4)}AAAA`,
    token.toUpperCase(),
    '='.repeat(86),
    'é'.repeat(86),
  ])
    assert.ok(!isFormToken(wrong, 'mine'), String(wrong));
});

test('a form of another site is recognized by what the browser reports', () => {
  const own = 'https://own.example';
  for (const from of [
    { fetchSite: 'same-origin', origin: own },
    { fetchSite: 'none', origin: undefined },
    { fetchSite: undefined, origin: own },
    { fetchSite: undefined, origin: undefined },
  ]) {
    assert.ok(isOwnOrigin(from, own), JSON.stringify(from));
  }
  const foreign = [
    { fetchSite: 'cross-site', origin: own },
    { fetchSite: 'same-site', origin: own },
    { fetchSite: 'same-origin', origin: 'https://evil.example' },
    { fetchSite: undefined, origin: 'null' },
    { fetchSite: undefined, origin: 'http://own.example' },
    { fetchSite: undefined, origin: 'https://own.example.evil.example' },
    { fetchSite: '', origin: own },
  ];
  for (const from of foreign) assert.ok(!isOwnOrigin(from, own), JSON.stringify(from));
});
