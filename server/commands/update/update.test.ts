/** An update that fails at any step leaves a database on which the release before goes on. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { COMMANDS } from '../../cli.ts';
import { copyDatabase } from './copy-database.ts';
import { emptyDatabase } from '../../test/releases/kept.ts';
import { freshDatabase, type TestDatabase } from '../../test/database.ts';
import { MIGRATIONS_DIR } from '../../kernel/base/db/schema/migrate.ts';
import { readConfig } from '../../config.ts';
import { restore } from '../../kernel/base/db/backups/backup.ts';
import { SECRET_KEY } from '../../test/secret-key.ts';
import { startService } from '../../test/service.ts';
import { starting } from './update.ts';
import { updateDatabase, type Updating } from './update-database.ts';

let database: TestDatabase;
let folder: string;
let customers = 0;
let files = 0;

before(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'update-'));
  await on(database.url, (client) =>
    client.query(`INSERT INTO provider (provider_id, name, timezone) VALUES (1, 'P', 'America/Toronto')`),
  );
});
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the migrations of this release and a further one. */
function nextRelease(sql: string): string {
  const dir = mkdtempSync(join(folder, 'migrations-'));
  cpSync(MIGRATIONS_DIR, dir, { recursive: true });
  writeFileSync(join(dir, '9001_next.sql'), `-- expand\n${sql}`);
  return dir;
}

const GOOD = `CREATE TABLE public.next_note (id integer); INSERT INTO public.next_note VALUES (1);`;

function updating(sql: string, over: Partial<Updating> = {}): Updating {
  const config = readConfig({ SECRET_KEY, DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const schema = { dir: nextRelease(sql) };
  return {
    url: database.url,
    config,
    schema,
    backupFile: join(folder, `${++files}.backup`),
    tryStart: starting(config, schema),
    say: () => undefined,
    ...over,
  };
}

/** Checks that this release serves the database with everything in it, and that it can be changed. */
async function goesOn(): Promise<void> {
  const service = await startService({ database: { url: database.url, drop: async () => {} } });
  try {
    const token = 'test-update';
    const { grantOf } = await import('../../kernel/work/access/grant.ts');
    const grant = {
      mode: 'provider',
      providerId: 1,
      staffId: null,
      permissions: ['super_admin'],
      venues: null,
    } as const;
    service.grants.set(token, grantOf({ credential: 'test:update', kind: 'person', profiles: [grant] }));
    const ask = (method: string, body?: object) =>
      fetch(`${service.url}/api/v2/customers`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    const listed = (await (await ask('GET')).json()) as { count: number };
    assert.equal(listed.count, customers, 'nothing is lost');
    const made = await ask('POST', { first_name: 'New', last_name: 'One', email: `new${customers}@example.com` });
    assert.equal(made.status, 201, await made.text());
    customers += 1;
  } finally {
    await service.close();
  }
}

const beside = () =>
  on(database.url, async (client) => {
    const { rows } = await client.query(
      `SELECT datname FROM pg_database
       WHERE datname IN (current_database() || '_next', current_database() || '_before')`,
    );
    return rows;
  });

const here = (url: string) =>
  on(url, async (client) => {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM customer) AS customers, to_regclass('next_note')::text AS note`,
    );
    return rows[0];
  });

const BROKEN: readonly [step: string, sql: string, over: () => Partial<Updating>, why: RegExp][] = [
  ['too little space', GOOD, () => ({ freeBytes: () => 1_000_000 }), /needs \d+ MB .* and 1 MB are free in .*Remedy/],
  [
    'a backup that can’t be written',
    GOOD,
    () => ({ backupFile: join(folder, 'no', 'folder.backup'), freeBytes: () => 1e12 }),
    /failed at the backup: .*ENOENT[^]*The database is unchanged/,
  ],
  ['a migration that fails', 'SELECT nonsense;', () => ({}), /failed at the migrations: .*nonsense[^]*is unchanged/],
  [
    'an audit that finds something',
    'ALTER TABLE venue NO FORCE ROW LEVEL SECURITY;',
    () => ({}),
    /The audit after the migrations found: Row-level security is not forced on the table venue/,
  ],
  [
    'a release that doesn’t start',
    GOOD,
    () => ({ tryStart: () => Promise.reject(new Error('it answers 503')) }),
    /failed at starting this release: it answers 503[^]*start the release that you had before/,
  ],
];

for (const [step, sql, over, why] of BROKEN) {
  test(`an update that ends with ${step} changes nothing: the release before serves everything`, async () => {
    await assert.rejects(updateDatabase(updating(sql, over())), why);
    assert.deepEqual(await beside(), []);
    await goesOn();
  });
}

test('the entry point of a container updates before it starts, with commands that exist', () => {
  const lines = readFileSync(new URL('../../../deploy/entry-point', import.meta.url), 'utf8').split('\n');
  const commands = lines.flatMap((line) => /rollcall\.mjs (\w+)/.exec(line)?.[1] ?? []);
  assert.deepEqual(commands, ['update', 'start']);
  assert.ok(commands.every((name) => COMMANDS.some((command) => command.name === name)));
  assert.ok(lines.includes('set -eu'), 'a failed update ends it');
});

test('an update is refused while anything uses the database', async () => {
  await on(database.url, async () => {
    await assert.rejects(
      updateDatabase(updating(GOOD)),
      /1 connections are using the database\. Remedy: stop the service/,
    );
  });
  await goesOn();
});

test('an update after one that was killed applies the migrations once, keeps everything, and its backup leads back', async () => {
  // The killed one had come as far as its copy.
  await copyDatabase(database.url);
  await goesOn();
  const update = updating(GOOD);
  assert.deepEqual(await updateDatabase(update), { applied: ['9001_next'] });
  assert.deepEqual(await beside(), []);
  assert.deepEqual(await here(database.url), { customers, note: 'next_note' });
  assert.deepEqual(await updateDatabase(updating(GOOD, { schema: update.schema })), { applied: [] });
  // The release before refuses the new schema only if it must: this migration only adds.
  await goesOn();
  assert.ok(existsSync(update.backupFile));
  const back = await emptyDatabase();
  try {
    await restore(back.url, update.backupFile);
    assert.deepEqual(await here(back.url), { customers: customers - 1, note: null });
  } finally {
    await back.drop();
  }
});
