import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../test/properties.ts';
import { safeReturn } from './return-to.ts';

const HOME = '/account/1/profile';

test('a page of our own and a waiting authorization may be returned to', () => {
  for (const own of [
    '/account/7/profile',
    '/account/7/sign-up?email=a%40b.example',
    '/dashboard',
    '/dashboard/calendar?week=2026-03-02',
    '/harbour-lane/events/7',
    '/harbour-lane/events/7/series?who=3',
    '/api/v2/auth/oauth/authorize/abc-DEF_1',
    '/api/v2/auth/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fapp.example%2Fcb',
  ]) {
    assert.equal(safeReturn(own, HOME), own);
  }
});

test('nothing that leads elsewhere, or that could be read as leading elsewhere, may be returned to', () => {
  const hostile = [
    '',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/account//evil.example',
    'https://evil.example',
    'HTTPS:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/account/7/\\..\\..\\evil',
    '/account/../../evil',
    '/account/7/../../api/v2/customers',
    '/account/./7',
    '/%2f%2fevil.example',
    '/account/%2e%2e/evil',
    '/account/7/%5cevil',
    '/account/7\r\nLocation: https://evil.example',
    '/account/7/%0d%0aset-cookie:x',
    '/account/7/profile\n',
    '\t/account/7/profile',
    ' /account/7/profile',
    '/account/7/profile#x',
    '/api/events/7',
    '/harbour-lane/events/7/other',
    '/harbour-lane/events/x',
    '/dashboard//evil.example',
    '/dashboard/../api/v2/customers',
    '/dashboard/%2e%2e/evil',
    '/dashboard@evil.example',
    '/log-in',
    '/log-out',
    '/set-up',
    '/account@evil.example/',
    '/account:80/',
    '/accounts/7',
    '/account',
    '/api/v2/customers',
    '/api/v2/auth/oauth/authorized',
    '/api/v2/auth/oauth/authorize/../token',
    '/api/v2/auth/oauth/token',
    '/account/ⅶ',
    '/account/7/profile?x=\u202e',
    '/account/7/"><script>',
    '/／evil.example',
    '/account/\u0000',
    '/account/7/' + 'a'.repeat(2000),
    '/account/7/%',
  ];
  for (const value of hostile) assert.equal(safeReturn(value, HOME), HOME, JSON.stringify(value));
  assert.equal(safeReturn(undefined, HOME), HOME);
  assert.equal(safeReturn(null, HOME), HOME);
});

test('whatever is asked for, a browser stays at our own origin and below our own paths', () => {
  const part = fc.constantFrom(
    '/',
    '//',
    '\\',
    'account',
    'dashboard',
    'api/v2/auth/oauth/authorize',
    '..',
    '.',
    '%2f',
    '@',
    ':',
    'evil.example',
    '?',
    '#',
    '\t',
    'https:',
    '7',
  );
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(part, { maxLength: 6 }).map((parts) => `/account/${parts.join('')}`),
  );
  fc.assert(
    fc.property(value, (v) => {
      const url = new URL(safeReturn(v, HOME), 'https://own.example');
      assert.equal(url.origin, 'https://own.example');
      assert.match(url.pathname, /^\/(account\/|dashboard(\/|$)|api\/v2\/auth\/oauth\/authorize(\/|$))/);
    }),
    runs(5000),
  );
});
