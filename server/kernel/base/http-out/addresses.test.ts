import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import { AllowedRanges, isPublic } from './addresses.ts';
import { readConfig } from '../../../config.ts';
import { urlProblem } from './out-url.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2400:cb00::1',
];

const FORBIDDEN = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:a00:1',
  '::127.0.0.1',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1%1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '0x7f.0.0.1',
  '2130706433',
  '1.1.1.1/0',
  ' 1.1.1.1',
];

// Guards against: A business makes the service call addresses inside the network
test('only addresses of the public internet are public', () => {
  assert.deepEqual(
    PUBLIC.filter((a) => !isPublic(a)),
    [],
  );
  assert.deepEqual(FORBIDDEN.filter(isPublic), []);
});

const byte = fc.integer({ min: 0, max: 255 });
const v4 = fc.tuple(byte, byte, byte, byte);
const group = (n: number) => n.toString(16);

// Guards against: A business makes the service call addresses inside the network
test('no IPv6 form of an IPv4 address is public, regardless of the address', () => {
  fc.assert(
    fc.property(v4, ([a, b, c, d]) => {
      const [high, low] = [group(a * 256 + b), group(c * 256 + d)];
      for (const form of [
        `::ffff:${a}.${b}.${c}.${d}`,
        `::ffff:${high}:${low}`,
        `::ffff:0:${high}:${low}`,
        `::${high}:${low}`,
        `64:ff9b::${high}:${low}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::1`,
        `fe80::${high}:${low}`,
      ]) {
        assert.equal(isPublic(form), false, form);
      }
    }),
  );
});

/** The private ranges, computed without lists. */
const isPrivate = ([a, b]: number[]) =>
  a === 0 ||
  a === 10 ||
  a === 127 ||
  a >= 224 ||
  (a === 172 && b >= 16 && b < 32) ||
  (a === 192 && b === 168) ||
  (a === 169 && b === 254) ||
  (a === 100 && b >= 64 && b < 128);

test('no private address is public, wherever in its range it is', () => {
  fc.assert(
    fc.property(v4.filter(isPrivate), (parts) => !isPublic(parts.join('.'))),
    runs(500),
  );
  fc.assert(
    fc.property(v4, (parts) => !isPublic(parts.join('.')) || !isPrivate(parts)),
    runs(2000),
  );
});

test('any text is either an address or not public', () => {
  fc.assert(fc.property(fc.string(), (text) => !isPublic(text)));
});

test('the operator allows exactly the given ranges, and a mapped address counts as the one that it maps', () => {
  const allowed = new AllowedRanges(['10.1.0.0/16', '127.0.0.1', 'fd00::/8']);
  assert.deepEqual(
    ['10.1.0.0', '10.1.255.255', '127.0.0.1', '::ffff:10.1.2.3', 'fd12::1'].filter((a) => !allowed.has(a)),
    [],
  );
  assert.deepEqual(
    ['10.0.255.255', '10.2.0.0', '127.0.0.2', '::1', 'fe80::1', 'fd12::1%eth0', 'x'].filter((a) => allowed.has(a)),
    [],
  );
  assert.equal(new AllowedRanges().has('127.0.0.1'), false);
  for (const wrong of [
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    'private',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/-1',
    'fe80::%1/10',
  ]) {
    assert.throws(() => readConfig({ OUTBOUND_ALLOW: `127.0.0.1, ${wrong}` }), /OUTBOUND_ALLOW holds/, wrong);
    assert.throws(() => new AllowedRanges([wrong]), /is not an address range/, wrong);
  }
  assert.deepEqual(readConfig({ OUTBOUND_ALLOW: ' 10.0.0.0/8 ,127.0.0.1/32,' }).outboundAllow, [
    '10.0.0.0/8',
    '127.0.0.1/32',
  ]);
});

test('a URL is checked for its scheme, its port, and forbidden parts', () => {
  const fine = [
    'https://example.com',
    'https://example.com:8443/hooks?team=3',
    'http://example.com/',
    'https://[2606:4700::1]/',
    'https://example.com:1024/',
    'http://example.com:443/',
  ];
  assert.deepEqual(
    fine.filter((url) => urlProblem(url) !== null),
    [],
  );
  const wrong: [string, RegExp][] = [
    ['', /Must be a URL/],
    ['example.com', /Must be a URL/],
    ['https://', /Must be a URL/],
    ['//example.com', /Must be a URL/],
    ['https://exa mple.com', /Must be a URL/],
    ['ftp://example.com', /must start with/],
    ['file:///etc/passwd', /must start with/],
    ['gopher://example.com', /must start with/],
    ['javascript:alert(1)', /must start with/],
    ['data:text/plain,x', /must start with/],
    ['https://user@example.com', /user name or password/],
    ['https://user:word@example.com', /user name or password/],
    ['https://:word@example.com', /user name or password/],
    ['https://example.com/#x', /fragment/],
    ['https://example.com/#', /fragment/],
    ...[22, 25, 110, 445, 1, 1023, 5432, 6379, 9200, 11211, 2375].map((port): [string, RegExp] => [
      `https://example.com:${port}/`,
      new RegExp(`port ${port}\\.`),
    ]),
  ];
  for (const [url, why] of wrong) assert.match(urlProblem(url) ?? 'no problem', why, url);
});
