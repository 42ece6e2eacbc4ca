import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { freeSlug, isReserved, isSlug, slugOf } from './slug.ts';

test('the name of a business becomes a readable address', () => {
  for (const [name, slug] of [
    ['Harbour Lane Studio', 'harbour-lane-studio'],
    ['Café Müller & Söhne', 'cafe-muller-sohne'],
    ['Straße 9', 'strasse-9'],
    ["Lena's Yoga", 'lenas-yoga'],
    ['  --  ', null],
    ['瑜伽', null],
    ['24', null],
    ['Docs', null],
  ] as const)
    assert.equal(slugOf(name), slug, name);
});

test('no business gets an address of the service itself', () => {
  for (const own of [
    'account',
    'api',
    'dashboard',
    'docs',
    'set-up',
    'log-in',
    'log-out',
    'second-factor',
    'forgot-password',
    'check-mail',
  ])
    assert.ok(isReserved(own), own);
  assert.equal(slugOf('Set Up'), null);
});

test('any name gives a valid address or none', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'grapheme' }), (name) => {
      const slug = slugOf(name);
      assert.ok(slug === null || (isSlug(slug) && !isReserved(slug)));
    }),
  );
});

test('a taken address gets a number, and stays valid', () => {
  assert.equal(freeSlug('studio', new Set(['studio', 'studio-2'])), 'studio-3');
  const long = 'a'.repeat(60);
  const next = freeSlug(long, new Set([long]));
  assert.ok(isSlug(next) && next.endsWith('-2'), next);
});
