import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { Batch, type Answer, type Command } from './batch.ts';
import { fill, join, raw, sql, statement, type Sql } from '../sql.ts';
import { freshDatabase } from '../../../../test/database.ts';

let database: { url: string; drop(): Promise<void> };
const clients: pg.Client[] = [];
before(async () => {
  database = await freshDatabase();
});
after(async () => {
  await Promise.all(clients.map((c) => c.end().catch(() => {})));
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  clients.push(client);
  return client;
}

const command = (fragment: Sql): Command => {
  const s = statement(fragment);
  return { statement: s, values: fill(s.holes, undefined) };
};
const run = (client: pg.Client, ...fragments: Sql[]): Promise<Answer[]> =>
  new Promise((resolve, reject) => {
    (client as unknown as { query(b: Batch): void }).query(new Batch(fragments.map(command), resolve, reject));
  });
const values = (answers: Answer[]) => answers.map((a) => a.rows[0]?.[0]);
/** Returns a different statement text for each number. */
const shape = (n: number, over = raw('')): Sql => sql`SELECT ${n}::int AS ${raw(`c${n}`)}${over}`;
const prepared = async (client: pg.Client): Promise<number> =>
  (await client.query('SELECT count(*)::int AS n FROM pg_prepared_statements')).rows[0].n;

test('several statements, one new one twice among them, are sent in one write and return in order', async () => {
  const client = await connect();
  assert.deepEqual(values(await run(client, shape(1), sql`SELECT ${'x'}::text`, sql`SELECT ${'y'}::text`, shape(1))), [
    '1',
    'x',
    'y',
    '1',
  ]);
  assert.deepEqual(values(await run(client, sql`SELECT ${'again'}::text`)), ['again']);
});

test('an error names its cause and leaves the connection usable, whichever statement of the batch failed', async () => {
  const client = await connect();
  const bad = sql`SELECT 1 / ${0}::int`;
  const nonsense = sql`SELECT no_such_column`;
  for (const wrong of [bad, nonsense]) {
    for (let at = 0; at < 3; at++) {
      const batch = [shape(10 + at), shape(20 + at), shape(30 + at)];
      batch[at] = wrong;
      await assert.rejects(run(client, ...batch), (e: any) => e.code === (wrong === bad ? '22012' : '42703'));
      assert.deepEqual(values(await run(client, shape(10 + at), shape(20 + at), shape(30 + at))), [
        String(10 + at),
        String(20 + at),
        String(30 + at),
      ]);
    }
  }
  await assert.rejects(run(client, bad), { code: '22012' });
});

test('a connection keeps a bounded number of prepared statements, however many shapes arrive', async () => {
  const client = await connect();
  for (let n = 0; n < 1000; n++) assert.deepEqual(values(await run(client, shape(1000 + n))), [String(1000 + n)]);
  assert.ok((await prepared(client)) <= 400, `${await prepared(client)} are kept`);
  assert.deepEqual(values(await run(client, shape(1000), shape(1999))), ['1000', '1999']);
});

const lettersKept = async (client: pg.Client): Promise<number> =>
  (await client.query('SELECT coalesce(sum(length(statement)), 0)::int AS n FROM pg_prepared_statements')).rows[0].n;
/** Returns `n` meaningless letters. */
const padding = (n: number): Sql => raw(` /* ${'x'.repeat(n)} */`);

// Guards against: Exhausting the service
test('a connection keeps a bounded number of letters in prepared statements, however long their texts are', async () => {
  const client = await connect();
  for (let n = 0; n < 80; n++)
    assert.deepEqual(values(await run(client, shape(7000 + n, padding(30_000)))), [String(7000 + n)]);
  const kept = await lettersKept(client);
  assert.ok(kept > 500_000 && kept <= 1_000_000, `${kept} letters are kept`);
  assert.deepEqual(values(await run(client, shape(7000, padding(30_000)))), ['7000']);
});

const large = (n: number): Sql => shape(n, padding(40_000));

test('a large statement is prepared for one use only, until it is used again', async () => {
  const client = await connect();
  for (let n = 0; n < 20; n++)
    assert.deepEqual(values(await run(client, large(8000 + n), sql`SELECT ${'beside'}::text`, large(8100 + n))), [
      String(8000 + n),
      'beside',
      String(8100 + n),
    ]);
  assert.ok((await lettersKept(client)) < 1000);
  for (let round = 0; round < 2; round++) assert.deepEqual(values(await run(client, large(8000))), ['8000']);
  const kept = await lettersKept(client);
  assert.ok(kept > 40_000 && kept < 41_000, `${kept} letters are kept`);
});

test('a large statement that fails leaves the connection usable', async () => {
  const client = await connect();
  await assert.rejects(
    run(client, shape(8500), sql`SELECT 1 / ${0}::int ${padding(40_000)}`, shape(8501, padding(40_000))),
    { code: '22012' },
  );
  assert.deepEqual(values(await run(client, shape(8500), shape(8501, padding(40_000)), shape(8502))), [
    '8500',
    '8501',
    '8502',
  ]);
});

test('a batch of more new statements than a connection keeps works, and works again', async () => {
  const client = await connect();
  const many = Array.from({ length: 450 }, (_, n) => shape(3000 + n));
  for (let round = 0; round < 2; round++) assert.equal((await run(client, ...many)).length, 450);
  await run(client, shape(3999));
  await run(client, shape(3998));
  assert.ok((await prepared(client)) <= 400, `${await prepared(client)} are kept`);
});

test('statements that were evicted by a failed batch can be used again, and are not left behind', async () => {
  const client = await connect();
  const known = Array.from({ length: 400 }, (_, n) => shape(5000 + n));
  for (const s of known) await run(client, s);
  for (let n = 0; n < 30; n++)
    await assert.rejects(run(client, sql`SELECT 1 / ${0}::int`, shape(6000 + n)), { code: '22012' });
  for (const s of known) await run(client, s);
  assert.ok((await prepared(client)) <= 400, `${await prepared(client)} are kept`);
});

test("a prepared statement recovers after a change of its table's columns", async () => {
  const [client, other] = [await connect(), await connect()];
  await other.query('CREATE TABLE changing (a int); INSERT INTO changing VALUES (1)');
  const all = sql`SELECT * FROM changing`;
  assert.deepEqual((await run(client, all))[0].rows, [['1']]);
  await other.query('ALTER TABLE changing ADD b int DEFAULT 2');
  await run(client, all).catch((e) => assert.equal(e.code, '0A000'));
  const answers = await run(client, all);
  assert.deepEqual(answers[0].rows, [['1', '2']]);
  assert.deepEqual(
    statement(all).columns!.map((c) => c.name),
    ['a', 'b'],
  );
});

test('a connection lost in the middle of a batch rejects it', async () => {
  const [client, killer] = [await connect(), await connect()];
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const running = run(client, shape(1), sql`SELECT pg_sleep(${60}::int)`, shape(2));
  const lost = assert.rejects(running, (e: any) => e.code === '57P01' || /terminated/.test(e.message));
  for (let seen = 0; seen === 0;)
    seen = (
      await killer.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%'`,
        [rows[0].pid],
      )
    ).rowCount!;
  await lost;
  await assert.rejects(run(client, shape(1)));
});

const insert = (n: number) => sql`INSERT INTO kept VALUES (${n})`;

test('all writes of a batch are rolled back if one of them fails', async () => {
  const client = await connect();
  await client.query('CREATE TABLE kept (n int)');
  await assert.rejects(run(client, insert(1), insert(2), sql`SELECT 1 / ${0}::int`));
  await run(client, insert(3), insert(4));
  assert.deepEqual(
    (await client.query('SELECT n FROM kept ORDER BY n')).rows.map((r) => r.n),
    [3, 4],
  );
});

test('the database receives texts and lists exactly as they are, whatever they contain', async () => {
  const client = await connect();
  const hostile = [
    '',
    '"',
    '\\',
    '\\"',
    '{}',
    '{a,b}',
    ',',
    'NULL',
    'null',
    "'; DROP TABLE kept; --",
    ' spaced ',
    '\n\t',
    '$1',
    '\u{1f6a3}',
    'é',
    'a'.repeat(10_000),
  ];
  const [asList, asText] = await run(
    client,
    sql`SELECT to_json(${[...hostile, null]}::text[])`,
    sql`SELECT to_json(ARRAY[${join(
      hostile.map((h) => sql`${h}`),
      ', ',
    )}]::text[])`,
  );
  assert.deepEqual(JSON.parse(asList.rows[0][0]!), [...hostile, null]);
  assert.deepEqual(JSON.parse(asText.rows[0][0]!), hostile);
  const numbers = await run(
    client,
    sql`SELECT to_json(${[1, null, -2]}::bigint[])`,
    sql`SELECT to_json(${[true, false, null]}::boolean[])`,
    sql`SELECT to_json(${[]}::text[])`,
    sql`SELECT ${null}::text`,
  );
  assert.deepEqual(values(numbers), ['[1,null,-2]', '[true,false,null]', '[]', null]);
});
