import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { registry } from '../../app.ts';
import { usesOf } from './sql-uses.ts';
import { startWorld, type World } from '../world.ts';
import { allSeeds, seed } from '../seeds.ts';

/** Tables of the installation. The queue has its own schema. */
const GLOBAL = new Map([
  ['user_account', 'a person may have profiles at many businesses'],
  ['user_session', 'a person is logged in, not a profile'],
  ['recovery_code', 'of an account'],
  ['passkey', 'of an account'],
  ['passkey_challenge', 'of a browser, before anything is known of who asks'],
  ['sign_up_code', 'of an account, or of nobody'],
  ['account_clash', 'of an account'],
  ['account_news', 'of an account'],
  ['account_part', 'of an account'],
  ['attempt_throttle', 'guessing is counted before anything is known of who guesses'],
  ['user_event', 'what happened to an account, for its person alone, who may be at many businesses or at none'],
  ['access_change', 'what changed is told to every process'],
  ['access_epoch', 'what changed is told to every process'],
  ['archived_month', 'a file holds what happened at all businesses in a month'],
  ['cell', 'a database is one cell'],
  ['cell_business', 'it says which businesses live elsewhere'],
  ['cell_name', 'other cells read it'],
  ['cell_move', 'it says which businesses come and go'],
  ['backup_record', 'a backup is of the installation'],
  ['restore_test', 'a backup is of the installation'],
  ['process', 'a process serves all businesses'],
  ['process_report', 'a process serves all businesses'],
  ['feed_reader', 'which readers there are is said by the program'],
  ['operator_token', 'the operator is of the installation'],
  ['signing_key', 'one issuer signs for all businesses'],
  ['oidc_record', 'a person logs in before a business is chosen'],
  ['schema_migration', 'the schema is of the installation'],
]);

/** Indexes that are unique across businesses, each with its reason. */
const BEFORE_THE_BUSINESS = 'it is looked up before the business is known, and is random, so unique by its nature';
const UNIQUE_EVERYWHERE = new Map(
  [
    'account_ticket_secret',
    'application_client_id',
    'application_secret_hash',
    'gift_card_mail',
    'machine_token_hash',
    'message_token',
    'message_unsubscribe',
    'pending_login_id',
    'pending_login_key',
    'provider_site_domain_once',
    'provider_slug_once',
    'refresh_token_hash',
  ].map((index) => [index, BEFORE_THE_BUSINESS]),
);

/** Tables that only the policy binds to a business, each with its reason. */
const BESIDE_EVERY_CHANGE =
  'the service writes it beside every change; checking the business again each time would touch its one row again each time';
const UNBOUND = new Map(
  ['audit_entry', 'feed_item', 'idempotency_key', 'job_effect', 'report_change', 'row_count'].map((table) => [
    table,
    BESIDE_EVERY_CHANGE,
  ]),
);

let world: World;
let client: pg.Client;
before(async () => {
  world = await startWorld();
  client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
});
after(async () => {
  await client.end();
  await world.close();
});

const rows = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await client.query(text, values)).rows;

const businessTables = async (): Promise<string[]> => {
  const all = await rows(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition ORDER BY relname`,
  );
  return all.map((t) => t.name).filter((name) => !GLOBAL.has(name));
};

/** Returns the column names of a table for an array of column numbers. */
const COLUMNS = (keys: string, table: string) =>
  `(SELECT array_agg(a.attname::text ORDER BY k.n) FROM unnest(${keys}) WITH ORDINALITY k (num, n) JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.num)`;

test('each table belongs to businesses or is one of the few of the installation', async () => {
  assert.ok((await businessTables()).length > 20);
  const schemas = await rows(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1`,
  );
  assert.deepEqual(
    schemas.map((s) => s.name),
    ['graphile_worker', 'public'],
  );
});

test('every table and view of the database has exactly one owner, and no owner names a missing one', async () => {
  const all = await rows(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition`,
  );
  // Two owners of one table stop the start: see `Registry`.
  assert.deepEqual(all.map((one) => one.name).toSorted(), [...registry().owners.keys()].toSorted());
});

test('every table that refers to a customer declares what an erasure does with its rows', async () => {
  const naming = await rows<{ name: string }>(
    `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint WHERE contype = 'f'
      AND confrelid = 'customer'::regclass ORDER BY 1`,
  );
  assert.ok(naming.length > 20);
  const { tables } = registry();
  assert.deepEqual(
    naming.map(({ name }) => name).filter((name) => !tables.get(name)?.person),
    [],
    'say so in the tables.ts of the area, see server/kernel/base/db/table.ts',
  );
});

test('only tables of the installation, and those with a declared reason, stay behind when a business moves', async () => {
  const { tables } = registry();
  const business = await businessTables();
  for (const name of GLOBAL.keys()) assert.ok(tables.get(name)?.stays, name);
  const staying = business.filter((name) => tables.get(name)?.stays);
  // Rows that move must not refer to rows that stay: they could not be inserted elsewhere.
  const pointers = await rows(
    `SELECT conrelid::regclass::text AS "table", confrelid::regclass::text AS target FROM pg_constraint
     WHERE contype = 'f' AND conrelid <> confrelid AND confrelid::regclass::text = ANY($1)
       AND conrelid::regclass::text <> ALL($1)`,
    [staying],
  );
  assert.deepEqual(pointers, []);
});

test('all of a business moves to another cell, except its completed jobs and the log-ins at its host name', async () => {
  const { tables } = registry();
  const staying = (await businessTables()).filter((name) => tables.get(name)?.ofCell);
  assert.deepEqual(staying, ['domain_session', 'job_effect']);
  for (const name of GLOBAL.keys()) assert.ok(tables.get(name)?.ofCell, name);
});

test('every business table and its primary key begin with provider_id, which is not null', async () => {
  for (const table of await businessTables()) {
    const [first] = await rows(
      `SELECT attname AS name, attnotnull AS filled FROM pg_attribute WHERE attrelid = $1::regclass AND attnum = 1`,
      [table],
    );
    assert.deepEqual(first, { name: 'provider_id', filled: true }, table);
    const [key] = await rows(
      `SELECT ${COLUMNS('conkey', 'conrelid')} AS columns FROM pg_constraint WHERE conrelid = $1::regclass
        AND contype = 'p'`,
      [table],
    );
    assert.equal(key?.columns[0], 'provider_id', table);
  }
});

test('a business can be copied completely by a row filter, and leaves no references to it behind', async () => {
  const tables = await businessTables();
  // A publication with a row filter requires of each table that the replica identity includes the business.
  const others = await rows(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY($1)
      AND relreplident <> 'd'`,
    [tables],
  );
  assert.deepEqual(others, []);
  await client.query('BEGIN');
  await client.query(
    `CREATE PUBLICATION moving FOR TABLE ${tables.map((table) => `${table} WHERE (provider_id = 1)`).join(', ')}
      WITH (publish_via_partition_root = true)`,
  );
  await client.query('ROLLBACK');
  const pointers = await rows(
    `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = ANY($1)
      AND confrelid::regclass::text = ANY($2)`,
    [[...GLOBAL.keys()], tables],
  );
  assert.deepEqual(pointers, []);
});

/**
 * Returns true for a statement of a trigger function that combines the rows of its statement with another table, or
 * updates that table by them.
 */
const joinsRows = (statement: string, transition: readonly string[]): boolean => {
  const uses = usesOf(statement);
  const inserts = /INSERT INTO (\w+)/.exec(statement)?.[1];
  return (
    uses.some(({ table }) => transition.includes(table!)) &&
    uses.some(({ table }) => !transition.includes(table!) && table !== inserts)
  );
};

const statementsOf = (source: string): string[] => source.split(/;|\b(?:BEGIN|THEN|ELSE|LOOP)\b/);

test('no trigger joins the rows of its statement with another table', async () => {
  const found = await rows<{ name: string; source: string; transition: string[] }>(
    `SELECT p.proname AS name, p.prosrc AS source, array_agg(DISTINCT r.name::text) AS transition
     FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid, unnest(ARRAY[t.tgoldtable, t.tgnewtable]) AS r (name)
     WHERE r.name IS NOT NULL AND p.pronamespace = 'public'::regnamespace GROUP BY 1, 2`,
  );
  assert.ok(found.length >= 4);
  for (const { name, source, transition } of found)
    for (const statement of statementsOf(source)) assert.ok(!joinsRows(statement, transition), `${name}: ${statement}`);
  for (const joins of [
    'UPDATE event e SET n = d.n FROM (SELECT count(*) AS n FROM new_rows) d WHERE e.id = 1',
    'INSERT INTO row_count SELECT * FROM new_rows JOIN event USING (id)',
    'PERFORM count(*) FROM old_rows, event',
  ])
    assert.ok(joinsRows(joins, ['new_rows', 'old_rows']), joins);
});

// Guards against: One business reads or changes another's data, through an id or a mistake in a query
test('row-level security is enabled and forced on every business table, with one policy for each role', async () => {
  for (const table of await businessTables()) {
    const [security] = await rows(
      `SELECT relrowsecurity AS enabled, relforcerowsecurity AS forced FROM pg_class WHERE oid = $1::regclass`,
      [table],
    );
    assert.deepEqual(security, { enabled: true, forced: true }, table);
    const policies = await rows(
      `SELECT policyname AS name, permissive, roles::text[], cmd, qual, with_check FROM pg_policies
        WHERE schemaname = 'public' AND tablename = $1 ORDER BY 1`,
      [table],
    );
    assert.deepEqual(
      policies,
      [
        {
          name: 'across',
          permissive: 'PERMISSIVE',
          roles: ['rollcall_across'],
          cmd: 'ALL',
          qual: 'true',
          with_check: null,
        },
        {
          name: 'tenant',
          permissive: 'PERMISSIVE',
          roles: ['rollcall_app'],
          cmd: 'ALL',
          qual: '(provider_id = current_provider_id())',
          with_check: null,
        },
      ],
      table,
    );
  }
});

test('every unique or exclusion constraint of a business table includes the business', async () => {
  const indexes = await rows(
    `
    SELECT i.relname AS name, t.relname AS table, ${COLUMNS('x.indkey::int2[]', 'x.indrelid')} AS columns
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
    WHERE t.relnamespace = 'public'::regnamespace AND (x.indisunique OR x.indisexclusion) AND t.relname <> ALL($1)`,
    [[...GLOBAL.keys()]],
  );
  const loose = indexes.filter((i) => !i.columns?.includes('provider_id')).map((i) => i.name);
  assert.deepEqual(loose.toSorted(), [...UNIQUE_EVERYWHERE.keys()]);
});

// Guards against: A link from one business to another
test('every foreign key between business tables includes the business on both sides', async () => {
  const keys = await rows(`
    SELECT conname AS name, conrelid::regclass::text AS table, confrelid::regclass::text AS target,
           ${COLUMNS('conkey', 'conrelid')} AS columns, ${COLUMNS('confkey', 'confrelid')} AS targets
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`);
  assert.ok(keys.length > 20);
  for (const { name, table, target, columns, targets } of keys.filter((k) => !GLOBAL.has(k.target))) {
    const at = columns.indexOf('provider_id');
    assert.ok(at >= 0 && targets[at] === 'provider_id', `${name} of ${table} to ${target}`);
  }
  for (const table of await businessTables()) {
    if (table === 'provider') continue;
    const bound = keys.some((k) => k.table === table && k.columns.includes('provider_id'));
    assert.equal(
      bound,
      !UNBOUND.has(table),
      `${table} is bound to ${bound ? 'a business, and listed as if not' : 'no business'}`,
    );
  }
});

// Guards against: One business reads or changes another's data, through an id or a mistake in a query
test('the roles that serve requests are not superusers, cannot bypass row-level security, and own nothing', async () => {
  const roles = await rows(
    `SELECT rolname AS name, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin FROM pg_roles
      WHERE rolname LIKE 'rollcall\\_%' ORDER BY 1`,
  );
  const plain = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolcanlogin: false };
  assert.deepEqual(roles, [
    { name: 'rollcall_across', ...plain },
    { name: 'rollcall_app', ...plain },
  ]);
  const owned = await rows(
    `SELECT relname FROM pg_class JOIN pg_roles r ON r.oid = relowner WHERE r.rolname LIKE 'rollcall\\_%'`,
  );
  assert.deepEqual(owned, []);
  assert.deepEqual(await rows(`SELECT 1 WHERE pg_has_role('rollcall_app', 'rollcall_across', 'MEMBER')`), []);
});

/** Returns the businesses whose rows the role of a request sees while it acts for this one, or for none. */
const seen = async (table: string, provider: number | null): Promise<number[]> => {
  await client.query(`BEGIN; SET LOCAL ROLE rollcall_app`);
  if (provider !== null) await client.query(`SELECT set_config('rollcall.provider_id', $1, true)`, [String(provider)]);
  const found = await rows(`SELECT DISTINCT provider_id::int AS id FROM ${table} ORDER BY 1`);
  await client.query('ROLLBACK');
  return found.map((r) => r.id);
};

// Guards against: One business reads or changes another's data, through an id or a mistake in a query
test('the role of a request sees only rows of its business, and none without one', async () => {
  for (const name of Object.keys(await allSeeds()))
    await Promise.all([seed(world, name, world.harbour), seed(world, name, world.meadow)]);
  const tables = await businessTables();
  let filled = 0;
  for (const table of tables) {
    const both = (await rows(`SELECT DISTINCT provider_id::int AS id FROM ${table} ORDER BY 1`)).map((r) => r.id);
    assert.deepEqual(await seen(table, null), [], table);
    assert.deepEqual(
      await seen(table, world.harbour),
      both.filter((id) => id === world.harbour),
      table,
    );
    if (both.length > 1) filled += 1;
  }
  assert.ok(filled >= 4, 'too few tables held rows of both businesses to tell');
});

// Guards against: One business reads or changes another's data, through an id or a mistake in a query
test('the role of a request can neither write to another business nor move a row there', async () => {
  const venue = await seed(world, 'venue', world.harbour);
  const attempt = async (text: string) => {
    await client.query(`BEGIN; SET LOCAL ROLE rollcall_app; SET LOCAL rollcall.provider_id = '${world.harbour}'`);
    try {
      return await client.query(text);
    } finally {
      await client.query('ROLLBACK');
    }
  };
  await assert.rejects(
    attempt(`INSERT INTO venue (provider_id, name, timezone) VALUES (${world.meadow}, 'Mine', 'UTC')`),
    /row-level security/,
  );
  await assert.rejects(
    attempt(`UPDATE venue SET provider_id = ${world.meadow} WHERE id = ${venue}`),
    /row-level security/,
  );
  assert.equal((await attempt(`UPDATE venue SET name = 'Mine' WHERE provider_id = ${world.meadow}`)).rowCount, 0);
  await assert.rejects(attempt(`SELECT * FROM user_account`), /permission denied/);
});
