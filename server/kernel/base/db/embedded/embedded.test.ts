import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { makeLibraryLinks } from './embedded-binaries.ts';
import { isAlive, until } from './embedded-postmaster.ts';
import { DataDirInUse, ensureDatabase, makeEmbedded, startEmbedded } from './embedded.ts';
import type { Embedded } from './embedded.ts';
import { setTimeout as pause } from 'node:timers/promises';

const quiet = { info() {}, warn() {}, error() {} };
const scratch = mkdtempSync(join(tmpdir(), 'rollcall-embedded-'));
/** The folder that several tests use in turn, each time after a clean shutdown. */
const dataDir = join(scratch, 'data');
/** As long as folder paths may be, with blanks. */
const longDir = join(scratch, `a, b ${'x'.repeat(120)}`);
after(() => rmSync(scratch, { recursive: true, force: true }));

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  // A connection cut by a crash also reports itself outside any query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => value as T);
  } finally {
    await client.end();
  }
}

/** Starts a separate process that starts the database on the folder, reports the two process ids and stays. */
async function startInChild(dataDir: string): Promise<{ parent: ChildProcess; database: number }> {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)});
    const log = { info() {}, warn() {}, error() {} };
    const database = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log });
    process.stdout.write(database.pid + '\\n');`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout!, 'data');
  return { parent, database: Number(line) };
}

test('a PostgreSQL that is killed comes back under the same connection string with everything that was committed', async () => {
  const database = await startEmbedded({ dataDir, log: quiet });
  try {
    await ask(database.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const before = database.pid;
    const exits: string[] = [];
    database.onExit((how) => exits.push(how));
    process.kill(before, 'SIGKILL');
    const answer = await answerWhenBack(database, before);
    assert.deepEqual(answer, [42]);
    assert.deepEqual(exits, ['signal SIGKILL']);
  } finally {
    await database.stop();
  }
});

async function answerWhenBack(database: Embedded, before: number): Promise<number[]> {
  await until(() => database.pid !== before, 60_000);
  for (let tries = 0; ; tries++) {
    try {
      return await ask<number>(database.url, 'SELECT answer FROM kept');
    } catch (error) {
      if (tries === 600) throw error;
      await pause(100);
    }
  }
}

test('a second start on a data folder in use is refused, and names the folder, the process and the remedy', async () => {
  const database = await startEmbedded({ dataDir, log: quiet });
  try {
    await assert.rejects(startEmbedded({ dataDir, log: quiet }), (error: Error) => {
      assert.ok(error instanceof DataDirInUse);
      assert.ok(
        error.message.includes(dataDir) &&
          error.message.includes(String(process.pid)) &&
          error.message.includes('Remedy'),
      );
      return true;
    });
    assert.deepEqual(await ask(database.url, 'SELECT 1'), [1]);
  } finally {
    await database.stop();
  }
  const again = await startEmbedded({ dataDir, log: quiet });
  await again.stop();
});

test('if the process that started it is killed, the database ends too, and the next start finds its data', async () => {
  const { parent, database: old } = await startInChild(dataDir);
  await assert.rejects(startEmbedded({ dataDir, log: quiet }), DataDirInUse);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const next = await startEmbedded({ dataDir, log: quiet });
  try {
    assert.ok(await until(() => !isAlive(old), 60_000));
    assert.deepEqual(await ask(next.url, 'SELECT 1'), [1]);
  } finally {
    await next.stop();
  }
});

test('a stale postmaster file whose process id belongs to another program does not keep the database from starting', async () => {
  await (await startEmbedded({ dataDir, log: quiet, durable: false })).stop();
  writeFileSync(
    join(dataDir, 'postgres', 'postmaster.pid'),
    `${process.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n\n\n\nready   \n`,
  );
  const database = await startEmbedded({ dataDir, log: quiet, durable: false });
  await database.stop();
  assert.equal(isAlive(database.pid), false);
});

test('an initialisation that was interrupted starts over', async () => {
  mkdirSync(join(longDir, 'postgres.tmp', 'base'), { recursive: true });
  const database = await startEmbedded({ dataDir: longDir, log: quiet, durable: false });
  try {
    assert.equal(existsSync(join(longDir, 'postgres.tmp')), false);
    assert.deepEqual(await ask(database.url, 'SHOW server_encoding'), ['UTF8']);
  } finally {
    await database.stop();
  }
});

const fillWith =
  (statement: string) =>
  async (url: string): Promise<void> =>
    void (await ask(url, statement));

test('a new cluster begins with what fills it, and is there only if all of it is', async () => {
  const made = join(scratch, 'made');
  const begun = 'CREATE TABLE begun AS SELECT 1 AS one';
  await assert.rejects(
    makeEmbedded({ dataDir: made, log: quiet, fill: fillWith(`${begun}; SELECT 1 / 0`) }),
    /division by zero/,
  );
  assert.equal(existsSync(join(made, 'postgres')), false);
  await makeEmbedded({ dataDir: made, log: quiet, fill: fillWith(begun) });
  // It is at rest, and filled only once.
  const database = await startEmbedded({ dataDir: made, log: quiet, fill: fillWith('DROP TABLE begun') });
  try {
    assert.deepEqual(await ask(database.url, 'SELECT one FROM begun'), [1]);
    assert.deepEqual(await ask(database.url, 'SHOW fsync'), ['on']);
  } finally {
    await database.stop();
  }
});

// Guards against: Secrets on the disk
test('a data folder with a very long path and blanks works, and nobody else can enter the folder of its socket', async () => {
  const database = await startEmbedded({ dataDir: longDir, log: quiet, durable: false });
  const socketDir = new URL(database.url).searchParams.get('host')!;
  try {
    const url = await ensureDatabase(database.url, 'other one');
    assert.equal(await ensureDatabase(database.url, 'other one'), url);
    assert.deepEqual(await ask(url, 'SELECT current_database()'), ['other one']);
    assert.equal(statSync(socketDir).mode & 0o777, 0o700);
    assert.deepEqual(await ask(url, 'SHOW listen_addresses'), ['']);
  } finally {
    await database.stop();
  }
  assert.equal(existsSync(socketDir), false);
});

test('missing library links are created as the package lists them, and existing ones are left alone', () => {
  const packageDir = join(scratch, 'package');
  mkdirSync(join(packageDir, 'native', 'lib'), { recursive: true });
  writeFileSync(join(packageDir, 'native', 'lib', 'libx.so.1.2'), 'library');
  const list = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
  writeFileSync(join(packageDir, 'native', 'pg-symlinks.json'), JSON.stringify(list));
  const spare = join(scratch, 'spare');
  assert.equal(makeLibraryLinks(packageDir, spare), null);
  assert.equal(makeLibraryLinks(packageDir, spare), null);
  assert.ok(!existsSync(spare));
  assert.ok(lstatSync(join(packageDir, 'native', 'lib', 'libx.so.1')).isSymbolicLink());
  assert.equal(readFileSync(join(packageDir, 'native', 'lib', 'libx.so.1'), 'utf8'), 'library');
});

test('library links that cannot be created next to the libraries are created in a folder of our own, and point to the newest', () => {
  const spare = join(scratch, 'own');
  for (const release of ['one', 'two']) {
    const packageDir = join(scratch, release);
    mkdirSync(join(packageDir, 'native', 'lib'), { recursive: true });
    writeFileSync(join(packageDir, 'native', 'lib', 'libx.so.1.2'), release);
    // Its folder does not exist, so nothing can be created there, not even by root.
    writeFileSync(
      join(packageDir, 'native', 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libx.so.1.2', target: 'native/locked/libx.so.1' }]),
    );
    assert.equal(makeLibraryLinks(packageDir, spare), spare);
    assert.equal(readFileSync(join(spare, 'libx.so.1'), 'utf8'), release);
  }
});
