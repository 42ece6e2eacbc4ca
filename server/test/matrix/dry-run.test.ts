import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { supportsDryRun, isWrite } from '../../kernel/api/contract.ts';
import { openapi } from '../../areas/sites/reference/openapi/openapi.ts';
import { operationAt, parametersAt } from '../checks/openapi-refs.ts';
import { startWorld, type World } from '../world.ts';
import { callOf, pathOf, type Call } from './calls.ts';
import { Complaints, nameOf } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';

let world: World;
/** connects as the owner of the database, who also sees the queue */
let database: pg.Client;
before(async () => {
  // A world of its own, because everything stored is compared.
  world = await startWorld({ own: true });
  database = new pg.Client({ connectionString: world.databaseUrl });
  await database.connect();
});
after(async () => {
  await database.end();
  await world.close();
});

/** The last use of a credential, which is recorded once a minute whatever the call does. */
const USED = 'last_used_at';

/** Returns one hash for each table over all its rows, including jobs, mail and feed items. */
async function everything(): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY name`,
  );
  assert.ok(tables.rows.length > 100 && tables.rows.some(({ name }) => /^graphile_worker\..*jobs/.test(name)));
  const hashes = tables.rows.map(
    ({ name }) =>
      `SELECT '${name}' AS name, (SELECT md5(coalesce(string_agg(${rowOf(name)}, chr(10) ORDER BY ${rowOf(name)}), ''))
        FROM ${name} t) AS hash`,
  );
  const { rows } = await database.query<{ name: string; hash: string }>(hashes.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

const rowOf = (table: string): string =>
  /^public\.(machine|operator)_token$/.test(table) ? `(to_jsonb(t) - '${USED}')::text` : 't::text';

const changed = (before: Record<string, string>, now: Record<string, string>): string[] =>
  Object.keys(now).filter((name) => now[name] !== before[name]);

const operator = () => world.token([], 'machine', 'operator', { operator: true });

const callerOf = ({ who }: Declared, { customer }: Call, mode: 'provider' | 'customer'): string => {
  if (mode === 'customer') return world.customer(customer!);
  return who.provider === false ? operator() : world.machine;
};

const made = new Map<Declared, Promise<Call>>();

/** Prepares the call of an endpoint. Dry runs leave it unchanged, so staff and customers can use the same call. */
function callTo(endpoint: Declared): Promise<Call> {
  const call = made.get(endpoint) ?? callOf(world, endpoint);
  made.set(endpoint, call);
  return call;
}

/** Dry-runs each of these writes that supports it; all failures are reported at the end. */
async function tryAll(of: (endpoint: Declared) => boolean, mode: 'provider' | 'customer'): Promise<void> {
  const complaints = new Complaints();
  const endpoints = world.app.registry.endpoints.filter((e) => isWrite(e) && supportsDryRun(e) && of(e));
  assert.ok(endpoints.length > 10);
  const calls: { endpoint: Declared; call: Call; as: string }[] = [];
  for (const endpoint of endpoints) {
    await complaints.of(nameOf(endpoint), async () => {
      const call = await callTo(endpoint);
      calls.push({ endpoint, call, as: callerOf(endpoint, call, mode) });
    });
  }
  const preview = ({ endpoint, call, as }: (typeof calls)[number]) =>
    complaints.of(nameOf(endpoint), async () => {
      const path = `${pathOf(endpoint, call)}?dry_run=true`;
      const answer = await world.ask(endpoint.method, path, { as, body: call.body });
      assert.equal(answer.status, 200, answer.text);
      assert.ok(Array.isArray(answer.body.effects), answer.text);
    });
  let before = await everything();
  for (const one of calls) await preview(one);
  let now = await everything();
  // The calls are repeated one by one only if some call changed something.
  for (const one of changed(before, now).length > 0 ? calls : []) {
    before = now;
    await preview(one);
    now = await everything();
    await complaints.of(nameOf(one.endpoint), async () =>
      assert.deepEqual(changed(before, now), [], 'it changes what is stored'),
    );
  }
  complaints.throwIfAny();
  assert.deepEqual(changed(before, now), [], 'a dry run changes what is stored');
}

// Guards against: A dry run that has real effects, or that is used to guess a code without being counted
test('a dry run of every write leaves each row, job, mail and feed item unchanged, and returns its effects', () =>
  tryAll(({ who }) => who.provider !== false || !who.customer, 'provider'));

test('a dry run by a customer leaves everything unchanged too', () => tryAll(({ who }) => who.customer, 'customer'));

test('a dry run shows no secret, because none is created', async () => {
  const { status, body } = await world.post('/machine_tokens?dry_run=true', {
    as: world.machine,
    body: { name: 'Reports' },
  });
  assert.deepEqual([status, body.token], [200, null]);
});

// Guards against: A dry run that has real effects, or that is used to guess a code without being counted
test('a write without dry run support is refused with its reason before anything happens, and is committed without dry_run or with dry_run=false', async () => {
  const endpoints = world.app.registry.endpoints.filter(isWrite).filter((e) => !supportsDryRun(e));
  assert.ok(endpoints.length > 0);
  const before = await everything();
  for (const endpoint of endpoints) {
    for (const value of ['true', 'True', '1', 'yes']) {
      const call = { id: 987_654_321, params: { id: '987654321' }, body: {} };
      const answer = await world.ask(endpoint.method, `${pathOf(endpoint, call)}?dry_run=${value}`, {
        as: world.machine,
        body: {},
      });
      assert.equal(answer.status, 400, `${nameOf(endpoint)} ${value}: ${answer.text}`);
      assert.deepEqual(
        Object.keys(answer.body.field_errors),
        ['dry_run'],
        `${nameOf(endpoint)} ${value}: ${answer.text}`,
      );
      if (value !== 'yes') assert.ok(answer.body.field_errors.dry_run[0].endsWith(endpoint.dryRun!), answer.text);
    }
    const plain = await world.ask(endpoint.method, `${pathOf(endpoint, { body: {} })}?dry_run=false`, {
      as: world.machine,
      body: {},
    });
    assert.ok(!plain.body.field_errors?.dry_run, plain.text);
  }
  assert.deepEqual(changed(before, await everything()), []);
});

test('the description of every write offers dry_run, or says why it is not supported', () => {
  const document = openapi(world.app.registry);
  for (const endpoint of world.app.registry.endpoints) {
    const { description } = operationAt(document, endpoint.method, endpoint.path);
    const offered = parametersAt(document, endpoint.method, endpoint.path).some(({ name }) => name === 'dry_run');
    assert.equal(offered, isWrite(endpoint) && supportsDryRun(endpoint), nameOf(endpoint));
    if (isWrite(endpoint) && !offered) assert.match(description, /Can’t be tried with `dry_run`: \w/, nameOf(endpoint));
  }
});
