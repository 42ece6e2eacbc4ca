/**
 * Access at every endpoint. The declaration decides it: this is the endpoint's gate. So every permission is tried once
 * for each list of allowed callers, every kind of caller once for each gate, and at every endpoint one caller whom it
 * lets in and one whom it refuses, who vary from endpoint to endpoint.
 *
 * In turns from change to change, all of them in `npm run test:all`: endpoints beyond one of each kind with an invalid
 * credential, with the credential of another business, and with invalid headers for business and mode. These are
 * checked before anything of the endpoint but its kind.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PERMISSIONS, type StaffPermission } from '../../areas/people/staff/index.ts';
import { createMachineToken, createOperatorToken, revokeMachineToken } from '../../areas/people/identity/index.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import { People } from '../people.ts';
import { row } from '../schedule-world.ts';
import { Complaints, forAll, nameOf, pathWith } from './cases.ts';
import { byForm, firstOfEach } from './aims.ts';
import { everything, inTurns } from '../rare.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { Mode } from '../../kernel/work/access/viewer.ts';

/** An id of no object: callers who are let in get a not found, and nothing changes. */
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

const operator = () =>
  world.app.db.acrossTenants(
    'a test is an operator',
    async (tx) => (await createOperatorToken(tx, { name: 'tests' })).token,
  );

/** Returns callers of every kind, each with a credential issued by the service itself. */
async function callers(): Promise<Caller[]> {
  const people = await People.of(world);
  const tokenOf = async (userId: number, options?: Parameters<People['tokens']>[1]) =>
    (await people.tokens(userId, options)).access_token;
  const staff = async (
    permissions: readonly StaffPermission[],
    options?: Parameters<People['tokens']>[1],
  ): Promise<Caller> => {
    const person = await people.account();
    await people.staffMember(person, permissions);
    return {
      name: `staff with ${permissions.join() || 'no permission'}`,
      mode: 'provider',
      permissions,
      token: await tokenOf(person, options),
    };
  };
  const customer = async (
    values: Parameters<People['customer']>[1] = {},
    providerId = world.harbour,
  ): Promise<string> => {
    const person = await people.account();
    await people.customer(person, values, providerId);
    return tokenOf(person);
  };
  const family = await row(world, 'family', {});
  await world.newCustomer({ family_id: family, family_role: 'child' });
  return [
    { name: 'anonymous', mode: 'unregistered' },
    {
      name: 'a person without any profile',
      mode: 'unregistered',
      token: await tokenOf(await people.account()),
      provider: world.harbour,
    },
    {
      name: 'a customer of another business',
      mode: 'unregistered',
      token: await customer({}, world.meadow),
      provider: world.harbour,
    },
    { name: 'a customer', mode: 'customer', token: await customer() },
    {
      name: 'a family manager',
      mode: 'customer',
      token: await customer({ family_id: family, family_role: 'manager' }),
    },
    await staff([]),
    ...(await Promise.all(PERMISSIONS.map((permission) => staff([permission])))),
    {
      ...(await staff(['super_admin'], { scopes: ['read'] })),
      name: 'an administrator who let an application read',
      readsOnly: true,
    },
    { name: 'a machine', mode: 'provider', permissions: ['super_admin'], token: world.machine },
    { name: 'an operator', mode: 'operator', token: await operator(), provider: world.harbour },
  ];
}

/** Returns the refusal that the gate of the endpoint must give the caller; null if the caller is let in. */
function refusalFor(
  { who, method, belongsTo, acts, ...more }: Declared,
  { mode, permissions = [], token, readsOnly }: Caller,
): { status: number; code: string; message: RegExp } | null {
  const changesNothing = acts === 'calculate' || 'changesNothing' in more;
  if (readsOnly && method !== 'GET' && !changesNothing)
    return { status: 403, code: 'permission_denied', message: /scope read\./ };
  if (belongsTo === 'installation') {
    return who.unregistered || token !== undefined
      ? null
      : { status: 401, code: 'not_authenticated', message: /^Authentication credentials were not provided\.$/ };
  }
  if (mode !== 'provider') {
    if (who[mode]) return null;
    if (token === undefined)
      return { status: 401, code: 'not_authenticated', message: /^Authentication credentials were not provided\.$/ };
    return { status: 403, code: 'mode_not_allowed', message: new RegExp(`${mode} mode`) };
  }
  if (who.provider === false) return { status: 403, code: 'mode_not_allowed', message: /provider mode/ };
  if (who.provider === true || permissions.includes('super_admin') || who.provider.some((p) => permissions.includes(p)))
    return null;
  return {
    status: 403,
    code: 'permission_denied',
    message: new RegExp(
      `^In provider mode, this needs the permission super_admin${who.provider
        .filter((p) => p !== 'super_admin')
        .map((p) => ` or ${p}`)
        .join('')}\\.$`,
    ),
  };
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
  // Behind the gate, an endpoint may also check whose object it is, but it never refuses an administrator.
  if (caller.permissions?.includes('super_admin') && endpoint.belongsTo !== 'installation')
    assert.notEqual(status, 403, text);
  else assert.doesNotMatch(String(body?.message), /^In provider mode, this needs the permission/);
}

/** Returns the declared list of allowed callers. */
const names = ({ who, belongsTo }: Declared): string => JSON.stringify([who, belongsTo]);

/** Returns the part of the declaration that is checked before the caller is known. */
const kind = ({ who, belongsTo, acts, method, ...more }: Declared): string =>
  JSON.stringify([
    method,
    belongsTo,
    acts === 'list' && 'everywhere' in more && more.everywhere,
    acts === 'calculate' || 'changesNothing' in more,
    Object.entries(who).map(([mode, may]) => [mode, may !== false]),
  ]);

/** Returns the gate: endpoints with the same gate allow the same callers and are resolved in the same way. */
const gate = (endpoint: Declared): string => names(endpoint) + kind(endpoint);

/** Tries everything at one endpoint of each kind; at the others, in turns, only the first item. */
async function tryEach<T>(
  endpoints: readonly Declared[],
  all: readonly T[],
  act: (endpoint: Declared, one: T, complaints: Complaints) => Promise<void>,
): Promise<void> {
  const { first, others } = byForm(endpoints, kind);
  assert.ok(first.length > 5);
  const complaints = new Complaints();
  const tries = [
    ...first.flatMap((endpoint) => all.map((one) => ({ endpoint, one }))),
    ...inTurns(others).map((endpoint) => ({ endpoint, one: all[0] })),
  ];
  await forAll(tries, ({ endpoint, one }) => act(endpoint, one, complaints));
  complaints.throwIfAny();
}

/** Returns every kind of caller; among staff with one permission, one who is let in and one who is refused. */
function enough(endpoint: Declared, all: readonly Caller[]): readonly Caller[] {
  const single = all.filter((c) => c.permissions?.length === 1 && c.name.startsWith('staff with'));
  const [inside, outside] = [true, false].map((lets) =>
    single.find((caller) => (refusalFor(endpoint, caller) === null) === lets),
  );
  return all.filter((caller) => !single.includes(caller) || caller === inside || caller === outside);
}

/**
 * Returns one caller whom the endpoint lets in and one whom it refuses, if any; they vary from endpoint to endpoint.
 */
function oneOfEach(endpoint: Declared, all: readonly Caller[], turn: number): readonly Caller[] {
  return [true, false].flatMap((lets) => {
    const these = all.filter((caller) => (refusalFor(endpoint, caller) === null) === lets);
    return these.length > 0 ? [these[turn % these.length]] : [];
  });
}

// Guards against: Calling an endpoint without permission
test('every endpoint lets in exactly the callers of its declaration; every permission is tried at every declaration', async () => {
  const all = await callers();
  const { endpoints } = world.app.registry;
  const [everyPermission, everyKind] = [new Set(firstOfEach(endpoints, names)), new Set(firstOfEach(endpoints, gate))];
  const calls = endpoints.flatMap((endpoint, number) => {
    const these = everyPermission.has(endpoint)
      ? all
      : everyKind.has(endpoint) || everything
        ? enough(endpoint, all)
        : oneOfEach(endpoint, all, number);
    return these.map((caller) => ({ endpoint, caller }));
  });
  const complaints = new Complaints();
  await forAll(calls, ({ endpoint, caller }) =>
    complaints.of(`${caller.name} at ${nameOf(endpoint)}`, async () =>
      check(endpoint, caller, await call(endpoint, { as: caller.token, provider: caller.provider })),
    ),
  );
  complaints.throwIfAny();
});

test('a token without its prefix is refused everywhere, and one with almost the right prefix at every kind of endpoint, in the words of the specification', () => {
  const headers = [
    world.machine,
    `bearer ${world.machine}`,
    `BEARER ${world.machine}`,
    `Token ${world.machine}`,
    `Basic ${world.machine}`,
    `JWT ${world.machine}`,
    `Bearer  ${world.machine}`,
    `Bearer:${world.machine}`,
    `Bearer${world.machine}`,
    'Bearer',
    `Bearer ${world.machine} more`,
    `Bearer ${world.machine}, Bearer x`,
  ];
  return tryEach(world.app.registry.endpoints, headers, (endpoint, authorization, complaints) =>
    complaints.of(`"${authorization.replace(world.machine, '…')}" at ${nameOf(endpoint)}`, async () => {
      const { status, body, headers: answered } = await call(endpoint, { headers: { authorization } });
      assert.deepEqual(
        [status, body.code, body.message],
        [401, 'authentication_failed', 'Incorrect authentication credentials.'],
      );
      assert.equal(answered.get('www-authenticate'), 'Bearer');
    }),
  );
});

/** Returns former access tokens, strings that look like one, and other secrets of people and applications. */
async function endedTokens(): Promise<string[]> {
  const people = await People.of(world);
  const admin = await people.account();
  await people.staffMember(admin, ['super_admin']);
  const [held, disconnected] = [await people.tokens(admin), await people.tokens(admin)];
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE app_authorization SET ended_at = now(), end_reason = 'disconnected'
        WHERE id = ${disconnected.authorizationId}`,
    ),
  );
  const start = world.now;
  world.setNow(start - 3 * 3_600_000);
  const old = await people.tokens(admin);
  world.setNow(start);
  const [head, claims, signature] = held.access_token.split('.');
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
  return [
    disconnected.access_token,
    old.access_token,
    held.refresh_token,
    people.application.secret!,
    people.application.clientId,
    `${head}.${claims}.`,
    `${unsigned}.${claims}.`,
    `${unsigned}.${claims}.${signature}`,
    `${head}.${claims}.${signature.toLowerCase()}`,
  ];
}

// Guards against: Guessing or reusing credentials
test('a disconnected token is refused everywhere, and an unknown, expired, revoked or damaged one at every kind of endpoint, in the words of the specification', async () => {
  const make = (expiresAt: number | null) =>
    world.app.db.transaction(world.harbour, (tx) => createMachineToken(tx, world.harbour, { name: 'old', expiresAt }));
  const [expired, revoked] = [await make(world.now - 1000), await make(null)];
  await world.app.db.transaction(world.harbour, (tx) => revokeMachineToken(tx, world.harbour, revoked.id));
  const tokens = [
    ...(await endedTokens()),
    expired.token,
    revoked.token,
    `${world.machine.slice(0, -1)}${world.machine.endsWith('A') ? 'B' : 'A'}`,
    'a.b.c',
    'secret-of-a-client',
    world.machine.toUpperCase(),
  ];
  await tryEach(world.app.registry.endpoints, tokens, (endpoint, token, complaints) =>
    complaints.of(`${token.slice(0, 12)}… at ${nameOf(endpoint)}`, async () => {
      const { status, body } = await call(endpoint, { as: token, provider: world.harbour });
      assert.deepEqual(
        [status, body.code, body.message],
        [401, 'authentication_failed', 'The token you provided is expired or invalid.'],
      );
    }),
  );
});

/** Returns the endpoints for which callers choose a business and a mode. */
const ofABusiness = () => world.app.registry.endpoints.filter((e) => e.belongsTo !== 'installation');

// Guards against: A program calls another business
test('the machine of another business is refused everywhere', () =>
  tryEach(ofABusiness(), [world.meadowMachine], (endpoint, as, complaints) =>
    complaints.of(nameOf(endpoint), async () => {
      const { status, body } = await call(endpoint, { as, provider: world.harbour });
      assert.deepEqual([status, body.code], [403, 'provider_invalid']);
    }),
  ));

test('a missing mode is refused at every endpoint, and any other mistake in the headers for business and mode at every kind of endpoint', async () => {
  const people = await People.of(world);
  const [here, there] = [await people.account(), await people.account()];
  await Promise.all([
    people.staffMember(here, ['super_admin']),
    people.customer(here),
    people.staffMember(there, []),
    people.staffMember(there, [], world.meadow),
  ]);
  const both = (await people.tokens(here)).access_token;
  const several = (await people.tokens(there)).access_token;
  const narrowed = (await people.tokens(there, { providerIds: [world.meadow] })).access_token;
  const wrong: [ask: Parameters<World['ask']>[2], status: number, code: string][] = [
    [{ as: both }, 400, 'mode_header_missing'],
    [{ as: both, headers: { 'service-request-mode': 'owner' } }, 400, 'mode_header_invalid'],
    [{ as: several }, 400, 'provider_header_missing'],
    [{ as: world.machine, headers: { 'service-provider-id': 'harbour' } }, 400, 'provider_header_invalid'],
    [{ as: world.machine, headers: { 'service-provider-id': '-1' } }, 400, 'provider_header_invalid'],
    [{ as: world.machine, mode: 'customer' }, 403, 'mode_not_allowed'],
    [{ as: world.machine, provider: 999_999 }, 403, 'provider_invalid'],
    [{ as: narrowed, provider: world.harbour }, 403, 'provider_invalid'],
  ];
  await tryEach(ofABusiness(), wrong, (endpoint, [ask, status, code], complaints) =>
    complaints.of(`${code} at ${nameOf(endpoint)}`, async () => {
      const answer = await call(endpoint, ask);
      // A list over all businesses of the caller needs neither header.
      if (endpoint.acts === 'list' && endpoint.everywhere && code.endsWith('_missing'))
        return assert.equal(answer.status, 200);
      assert.deepEqual([answer.status, answer.body.code], [status, code]);
    }),
  );
});
