import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PERMISSIONS } from '../../kernel/access/permission.ts';
import { createMachineToken, createOperatorToken, revokeMachineToken } from '../../areas/identity/index.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import { Complaints, forAll, nameOf, pathWith } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { Mode } from '../../kernel/access/viewer.ts';

/** Of nothing: whoever is let in is told so, and nothing changes. */
const NO_ID = 987_654_321;

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const call = (endpoint: Declared, ask: Parameters<World['ask']>[2]): Promise<ApiAnswer> =>
  world.ask(endpoint.method, pathWith(endpoint, NO_ID), { ...ask, body: endpoint.method === 'GET' ? undefined : {} });

interface Caller {
  readonly name: string;
  readonly mode: Mode;
  readonly permissions?: readonly string[];
  readonly token?: string;
  readonly provider?: number;
  readonly readsOnly?: boolean;
}

const operator = () => world.app.db.acrossTenants('a test is an operator', async (tx) => (await createOperatorToken(tx, { name: 'tests' })).token);

async function callers(): Promise<Caller[]> {
  const staff = (permissions: readonly string[]): Caller => ({
    name: `staff with ${permissions.join() || 'no permission'}`,
    mode: 'provider',
    permissions,
    token: world.staff(permissions as never),
  });
  const readOnly = world.token([{ mode: 'provider', providerId: world.harbour, staffId: null, permissions: ['super_admin'], venues: null }], 'person', 'reader', { writes: false });
  const elsewhere = world.token([{ mode: 'customer', providerId: world.meadow, customerId: await world.newCustomer({}, world.meadow) }]);
  return [
    { name: 'anonymous', mode: 'unregistered' },
    { name: 'a person without a profile here', mode: 'unregistered', token: elsewhere, provider: world.harbour },
    { name: 'a customer', mode: 'customer', token: world.customer(await world.newCustomer()) },
    staff([]),
    ...PERMISSIONS.map((permission) => staff([permission])),
    { name: 'a machine', mode: 'provider', permissions: ['super_admin'], token: world.machine },
    { name: 'a person who may only read', mode: 'provider', permissions: ['super_admin'], token: readOnly, readsOnly: true },
    { name: 'an operator', mode: 'operator', token: await operator(), provider: world.harbour },
  ];
}

/** What the gate of the endpoint must say to the caller; null: it lets them in. */
function refusalFor({ who, method, belongsTo }: Declared, { mode, permissions = [], token, readsOnly }: Caller): { status: number; code: string; message: RegExp } | null {
  if (readsOnly && method !== 'GET') return { status: 403, code: 'permission_denied', message: /scope read;/ };
  if (belongsTo === 'installation') {
    return who.unregistered || token !== undefined ? null : { status: 401, code: 'not_authenticated', message: /^Authentication credentials were not provided\.$/ };
  }
  if (mode !== 'provider') {
    if (who[mode]) return null;
    if (token === undefined) return { status: 401, code: 'not_authenticated', message: /^Authentication credentials were not provided\.$/ };
    return { status: 403, code: 'mode_not_allowed', message: new RegExp(`${mode} mode`) };
  }
  if (who.provider === false) return { status: 403, code: 'mode_not_allowed', message: /provider mode/ };
  if (who.provider === true || permissions.includes('super_admin') || who.provider.some((p) => permissions.includes(p))) return null;
  return { status: 403, code: 'permission_denied', message: new RegExp(`^In provider mode this needs the permission super_admin${who.provider.filter((p) => p !== 'super_admin').map((p) => ` or ${p}`).join('')}\\.$`) };
}

function check(endpoint: Declared, caller: Caller, { status, body, text }: ApiAnswer): void {
  const refusal = refusalFor(endpoint, caller);
  if (refusal) {
    assert.deepEqual([status, body.code], [refusal.status, refusal.code], text);
    assert.match(body.message, refusal.message);
    return;
  }
  assert.notEqual(status, 401, text);
  assert.ok(!['mode_not_allowed', 'provider_invalid'].includes(body?.code), text);
  // Behind the gate an endpoint may look closer, at whose the object is; but never at an administrator.
  if (caller.permissions?.includes('super_admin') && endpoint.belongsTo !== 'installation') assert.notEqual(status, 403, text);
  else assert.doesNotMatch(String(body?.message), /^In provider mode this needs the permission/);
}

test('every endpoint lets in exactly those whom its declaration names', async () => {
  const all = await callers();
  const complaints = new Complaints();
  await forAll(world.app.registry.endpoints, (endpoint) =>
    forAll(all, (caller) =>
      complaints.of(`${caller.name} at ${nameOf(endpoint)}`, async () => check(endpoint, caller, await call(endpoint, { as: caller.token, provider: caller.provider }))),
    ),
  );
  complaints.throwIfAny();
});

test('a token without its exact prefix is refused everywhere, with the words of the specification', async () => {
  const headers = [world.machine, `bearer ${world.machine}`, `BEARER ${world.machine}`, `Token ${world.machine}`, `Basic ${world.machine}`, `JWT ${world.machine}`,
    `Bearer  ${world.machine}`, `Bearer:${world.machine}`, `Bearer${world.machine}`, 'Bearer', `Bearer ${world.machine} more`, `Bearer ${world.machine}, Bearer x`];
  const complaints = new Complaints();
  await forAll(world.app.registry.endpoints, (endpoint) =>
    forAll(headers, (authorization) =>
      complaints.of(`"${authorization.replace(world.machine, '…')}" at ${nameOf(endpoint)}`, async () => {
        const { status, body, headers: answered } = await call(endpoint, { headers: { authorization } });
        assert.deepEqual([status, body.code, body.message], [401, 'authentication_failed', 'Incorrect authentication credentials.']);
        assert.equal(answered.get('www-authenticate'), 'Bearer');
      }),
    ),
  );
  complaints.throwIfAny();
});

test('a token that is unknown, expired, revoked or damaged is refused everywhere, with the words of the specification', async () => {
  const make = (expiresAt: number | null) => world.app.db.transaction(world.harbour, (tx) => createMachineToken(tx, world.harbour, { name: 'old', expiresAt }));
  const [expired, revoked] = [await make(world.now - 1000), await make(null)];
  await world.app.db.transaction(world.harbour, (tx) => revokeMachineToken(tx, world.harbour, revoked.id));
  const tokens = [expired.token, revoked.token, `${world.machine.slice(0, -1)}${world.machine.endsWith('A') ? 'B' : 'A'}`, 'a.b.c', 'secret-of-a-client', world.machine.toUpperCase()];
  const complaints = new Complaints();
  await forAll(world.app.registry.endpoints, (endpoint) =>
    forAll(tokens, (token) =>
      complaints.of(`${token.slice(0, 12)}… at ${nameOf(endpoint)}`, async () => {
        const { status, body } = await call(endpoint, { as: token, provider: world.harbour });
        assert.deepEqual([status, body.code, body.message], [401, 'authentication_failed', 'The token you provided is expired or invalid.']);
      }),
    ),
  );
  complaints.throwIfAny();
});

/** Where a business and a mode are chosen at all. */
const ofABusiness = () => world.app.registry.endpoints.filter((e) => e.belongsTo !== 'installation');

test('the machine of another business is refused everywhere', async () => {
  const complaints = new Complaints();
  await forAll(ofABusiness(), (endpoint) =>
    complaints.of(nameOf(endpoint), async () => {
      const { status, body } = await call(endpoint, { as: world.meadowMachine, provider: world.harbour });
      assert.deepEqual([status, body.code], [403, 'provider_invalid']);
    }),
  );
  complaints.throwIfAny();
});

test('the headers that choose business and mode are refused when they are wrong, at every endpoint', async () => {
  const both = world.token([
    { mode: 'provider', providerId: world.harbour, staffId: null, permissions: ['super_admin'], venues: null },
    { mode: 'customer', providerId: world.harbour, customerId: await world.newCustomer() },
  ]);
  const several = world.token([world.harbour, world.meadow].map((providerId) => ({ mode: 'provider' as const, providerId, staffId: null, permissions: [], venues: null })));
  const wrong: [ask: Parameters<World['ask']>[2], status: number, code: string][] = [
    [{ as: both }, 400, 'mode_header_missing'],
    [{ as: both, headers: { 'service-request-mode': 'owner' } }, 400, 'mode_header_invalid'],
    [{ as: several }, 400, 'provider_header_missing'],
    [{ as: world.machine, headers: { 'service-provider-id': 'harbour' } }, 400, 'provider_header_invalid'],
    [{ as: world.machine, headers: { 'service-provider-id': '-1' } }, 400, 'provider_header_invalid'],
    [{ as: world.machine, mode: 'customer' }, 403, 'mode_not_allowed'],
    [{ as: world.machine, provider: 999_999 }, 403, 'provider_invalid'],
  ];
  const complaints = new Complaints();
  await forAll(ofABusiness(), (endpoint) =>
    forAll(wrong, ([ask, status, code]) =>
      complaints.of(`${code} at ${nameOf(endpoint)}`, async () => {
        const answer = await call(endpoint, ask);
        assert.deepEqual([answer.status, answer.body.code], [status, code]);
      }),
    ),
  );
  complaints.throwIfAny();
});
