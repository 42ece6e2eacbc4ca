/** The business that a request is for, as its head names it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  mayNameInBody,
  namesIn,
  namesInBody,
  nameOfSecret,
  routingWords,
  type RoutingWords,
} from '../../scale/cells/routing.ts';
import { CellAway } from '../../kernel/work/unit/other-cells.ts';
import { Router } from '../../scale/cells/router.ts';
import { AREAS } from '../../app.ts';

const WORDS: RoutingWords = routingWords(AREAS, {
  aliases: { headers: ['service', 'studio'], credentials: ['Bearer', 'Token'] },
  publicUrl: 'https://rollcall.example:8443',
});
const at = (url: string, headers: Record<string, string> = {}, host = 'rollcall.example'): string[] =>
  namesIn({ url, headers, host }, WORDS);
const jwt = (claims: object): string => `Bearer h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const bearer = (token: string): string => nameOfSecret('token', token);

test('the head of a request names the business that it is for', () => {
  const cases: [string, Record<string, string>, string[]][] = [
    // pages
    ['/', {}, []],
    ['/harbour', {}, ['slug:harbour']],
    ['/harbour-lane/timetable?day=today', {}, ['slug:harbour-lane']],
    ['/account/12', {}, ['business:12']],
    ['/account/12/log-in?x=1', {}, ['business:12']],
    ['/account/012', {}, ['business:012']],
    ['/images/12/abc/320.webp', {}, ['business:12']],
    ['/calendars/12-c5-abc.ics', {}, ['business:12', 'slug:calendars']],
    ['/payment_messages/12/3', {}, ['business:12']],
    ['/sandbox/12/3/4/t', {}, ['business:12', 'slug:sandbox']],
    [`/unsubscribe/${'a1'.repeat(16)}`, {}, [`message:${'a1'.repeat(16)}`, 'slug:unsubscribe']],
    ['/unsubscribe/a', {}, ['slug:unsubscribe']],
    ['/domains/check?domain=Book.Harbour.example', {}, ['host:book.harbour.example']],
    ['/dashboard/today', {}, []],
    ['/docs', {}, []],
    ['/log-in', { cookie: 'a=b; __Host-rollcall_session=kept.rcs2_abc' }, ['cell:2']],
    ['/log-in', { cookie: 'rollcall_session=rcs12_abc' }, ['cell:12']],
    ['/log-in', { cookie: 'rollcall_session=rcs_abc' }, []],
    ['/harbour', { cookie: 'rollcall_session=rcs2_abc' }, ['slug:harbour', 'cell:2']],
    // the interface
    ['/api/v2/venues', {}, []],
    ['/api/v2/venues', { 'service-provider-id': '12' }, ['business:12']],
    ['/api/v2/venues', { 'studio-provider-id': '12' }, ['business:12']],
    ['/api/v2/venues', { 'service-provider-id': 'x' }, []],
    ['/api/v2/providers/12', {}, ['business:12']],
    ['/api/v2/providers/12/register_customer', {}, ['business:12']],
    ['/api/v2/venues', { authorization: 'Bearer rcm_abc' }, [bearer('rcm_abc')]],
    [
      '/api/v2/venues',
      { authorization: 'Token rcm_abc', 'service-provider-id': '12' },
      [bearer('rcm_abc'), 'business:12'],
    ],
    ['/api/v2/venues', { authorization: jwt({ business: 12, cell: 3 }) }, ['business:12', 'cell:3']],
    [
      '/api/v2/venues',
      { authorization: jwt({ business: 12, cell: 3 }), 'service-provider-id': '5' },
      ['business:5', 'business:12', 'cell:3'],
    ],
    ['/api/v2/venues', { authorization: jwt({ cell: 3 }), 'service-provider-id': '5' }, ['business:5', 'cell:3']],
    ['/api/v2/venues', { authorization: 'Bearer a.b.c' }, []],
    ['/api/v2/venues', { authorization: 'Bearer' }, []],
    ['/api/v2/auth/oauth/authorize?client_id=rca_x&scope=openid', {}, ['client:rca_x']],
    ['/api/v2/auth/oauth/token', { authorization: `Basic ${btoa('rca_x:secret')}` }, ['client:rca_x']],
    ['/api/v2/auth/oauth/token', { authorization: 'Basic !' }, []],
    ['/api/v2/auth/oauth/authorize/abcdefghij-_1', {}, ['interaction:abcdefghij-_1']],
    // the process
    ['/healthz', { 'service-provider-id': '12' }, []],
    ['/metrics', { authorization: 'Bearer rcm_abc' }, []],
    ['/.cells/questions/directory', { 'service-provider-id': '12' }, []],
  ];
  for (const [url, headers, names] of cases)
    assert.deepEqual(at(url, headers), names, `${url} ${JSON.stringify(headers)}`);
});

test('a custom host names a business; hosts of the installation and of machines name none', () => {
  assert.deepEqual(at('/', {}, 'book.harbour.example'), ['host:book.harbour.example']);
  for (const host of ['rollcall.example', 'localhost', '10.0.0.1', '[::1]', 'cell1'])
    assert.deepEqual(at('/', {}, host), []);
});

test('a body is read only for the application, and only where tokens are requested', () => {
  assert.ok(mayNameInBody('POST', '/api/v2/auth/oauth/token'));
  assert.ok(!mayNameInBody('POST', '/api/v2/venues'));
  assert.ok(!mayNameInBody('GET', '/api/v2/auth/oauth/token'));
  assert.deepEqual(namesInBody('grant_type=x&client_id=rca_x', 'application/x-www-form-urlencoded'), ['client:rca_x']);
  assert.deepEqual(namesInBody('{"client_id":"rca_x"}', 'application/json; charset=utf-8'), ['client:rca_x']);
  assert.deepEqual(namesInBody('{"direct_auth_key":"rcd_x"}', 'application/json'), [nameOfSecret('key', 'rcd_x')]);
  for (const body of ['', '{', '[]', 'null', '"x"', '{"client_id":1}'])
    assert.deepEqual(namesInBody(body, 'application/json'), []);
});

async function seek(name: string): Promise<number | null> {
  if (name === 'message:away') throw new CellAway(2, 'no connection');
  return name === 'message:abc' ? 3 : null;
}

function routerOf(
  known: Record<string, number>,
  { later = {}, left = [] as string[], leaves = [] as string[], movedAt = 0, isWhole = true } = {},
) {
  const told = new Map(Object.entries(known));
  let received = 0;
  const directory = {
    cellOf: (name: string) => told.get(name) ?? null,
    hasLeft: (name: string) => left.includes(name),
    isLeaving: (name: string) => name === 'business:7',
    hear: async () => {
      received++;
      for (const [name, cell] of Object.entries(later)) told.set(name, cell as number);
    },
    hearOwn: async () => {
      for (const name of leaves) told.set(name, 3);
    },
    isLivingHere: (name: string) => told.get(name) === 1,
    hasMovedSince: (at: number) => movedAt > at,
    isWhole,
  };
  return { router: new Router(1, [2, 3], directory, seek), heard: () => received };
}
const HERE = { kind: 'here' };
const inCell = (cell: number) => ({ kind: 'cell', cell });

test('the first name that a cell has announced decides', async () => {
  const { router, heard } = routerOf({ 'business:12': 2, 'slug:harbour': 1, 'host:a.example': 3 });
  assert.deepEqual(await router.find([]), HERE);
  assert.deepEqual(await router.find(['token:x', 'business:12']), inCell(2));
  assert.deepEqual(await router.find(['slug:harbour', 'business:12']), HERE);
  assert.deepEqual(await router.find(['host:a.example', 'cell:2']), inCell(3));
  assert.deepEqual(await router.find(['cell:2']), inCell(2));
  assert.deepEqual(await router.find(['host:other.example']), HERE);
  assert.deepEqual(await router.find(['business:7', 'cell:2']), { kind: 'unknown' }, 'it is moving at this moment');
  assert.equal(heard(), 0, 'nothing was asked');
  assert.deepEqual(await router.find(['cell:9']), HERE, 'there is no such cell');
});

test('an unknown name is looked up immediately, and is not found only when every cell has announced its names', async () => {
  const fresh = routerOf({}, { later: { 'business:12': 2 } });
  assert.deepEqual(await fresh.router.find(['business:12']), inCell(2));
  assert.equal(fresh.heard(), 1);
  const made = routerOf({}, { later: { 'business:12': 1 } });
  assert.deepEqual(await made.router.find(['business:12', 'cell:2']), HERE, 'the session began in another cell');
  assert.deepEqual(await made.router.find(['business:13', 'cell:2']), inCell(2));
  assert.deepEqual(await routerOf({}).router.find(['slug:unsubscribe', 'message:abc']), inCell(3));
  const away = await routerOf({}).router.find(['slug:unsubscribe', 'message:away']);
  assert.deepEqual(away, { kind: 'unknown' }, 'a cell that is away may have it');
  assert.deepEqual(await routerOf({}).router.find(['business:12']), HERE);
  assert.deepEqual(await routerOf({}, { isWhole: false }).router.find(['business:12']), { kind: 'unknown' });
});

test('a request that another cell forwarded is forwarded again only if this cell itself knows where the business has moved', () => {
  const { router } = routerOf({ 'business:12': 2, 'business:5': 3 }, { left: ['business:5'] });
  assert.deepEqual(router.findOn(['business:12']), HERE);
  assert.deepEqual(router.findOn(['token:x', 'business:5']), inCell(3));
});

test('a request for a business that lived elsewhere at any time since the request was admitted must be repeated', async () => {
  const { router } = routerOf(
    { 'business:12': 1, 'business:5': 1, 'business:9': 2 },
    { leaves: ['business:5'], movedAt: 50 },
  );
  assert.equal(await router.mayHaveBeenAway(['business:12'], 60), false);
  assert.equal(await router.mayHaveBeenAway(['token:x', 'business:5'], 60), true, 'it has left');
  assert.equal(await router.mayHaveBeenAway(['business:9', 'business:12'], 60), true, 'it has not arrived');
  assert.equal(await router.mayHaveBeenAway(['business:12', 'business:9'], 60), false, 'the first name decides');
  assert.equal(await router.mayHaveBeenAway(['business:12'], 40), true, 'it may have arrived in between');
  assert.equal(await router.mayHaveBeenAway(['host:other.example'], 60), false);
});
