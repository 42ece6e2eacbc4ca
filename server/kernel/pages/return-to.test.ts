import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../test/properties.ts';
import { safeReturn } from './return-to.ts';

const HOME = '/account/1/profile';

test('one of our own pages and a pending authorization are allowed as return addresses', () => {
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

test('an address that leads elsewhere, or could be read as leading elsewhere, is not allowed as a return address', () => {
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

/** Reserved names: no business can have them as its address, so nothing below them is a booking site. */
const KEPT = ['account', 'api', 'dashboard', 'log-in', 'log-out', 'set-up'];
const BELOW_A_SITE =
  /^(?:timetable|gift-cards|(?:memberships|courses|shop)(?:\/\d+)?|events\/\d+(?:\/series)?|book(?:\/(?:\d+|time\/[\w-]+))?)$/;

/** Returns the kind of our own page that a browser would open; null if it is none. */
function kindOf(pathname: string): string | null {
  const [first, ...rest] = pathname.slice(1).split('/');
  const below = rest.join('/');
  if (first === 'account') return rest.length > 0 ? 'account' : null;
  if (first === 'dashboard') return 'dashboard';
  if (first === 'api') return /^v2\/auth\/oauth\/authorize(?:\/[\w-]+)?$/.test(below) ? 'authorization' : null;
  const isSite = !KEPT.includes(first) && /^[a-z0-9-]+$/.test(first) && /[a-z]/.test(first);
  return isSite && (rest.length === 0 || BELOW_A_SITE.test(below)) ? 'site' : null;
}

// Guards against: Pages that are framed, run scripts, or lead people elsewhere
test('whatever address is given, a browser stays at our own origin and below our own paths', () => {
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
    'harbour-lane',
    'set-up',
    'timetable',
    'events/7',
  );
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(part, { maxLength: 6 }).map((parts) => `/account/${parts.join('')}`),
    fc.array(part, { maxLength: 3 }).map((parts) => `/${parts.join('')}`),
    fc.tuple(part, part).map((parts) => `/${parts.join('/')}`),
  );
  const kinds = new Set<string>();
  fc.assert(
    fc.property(value, (v) => {
      const returned = safeReturn(v, HOME);
      const url = new URL(returned, 'https://own.example');
      assert.equal(url.origin, 'https://own.example');
      // The browser opens exactly the checked address: it drops and resolves nothing.
      assert.equal(url.href, `https://own.example${returned}`);
      const kind = kindOf(url.pathname);
      assert.ok(kind !== null, returned);
      kinds.add(kind);
    }),
    runs(5000),
  );
  assert.deepEqual(
    [...kinds].toSorted(),
    ['account', 'authorization', 'dashboard', 'site'],
    'not everything was tried',
  );
});
