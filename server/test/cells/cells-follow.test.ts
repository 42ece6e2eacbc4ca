/**
 * Copying and following reproduce the rows exactly, whatever form the changes have, and nothing of another business.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside } from '../storm.ts';
import { copyRows } from '../../scale/cells/move/copy.ts';
import { End } from '../../scale/cells/move/ends.ts';
import { Follower } from '../../scale/cells/move/follow.ts';
import { freshDatabase } from '../database.ts';
import { movingNames } from '../../areas/platform/providers/index.ts';
import { movedTables, type MovedTable } from '../../scale/cells/move/tables.ts';
import { nameOf, publish, unpublish, withNewSlot } from '../../scale/cells/move/log.ts';
import { registry } from '../../app.ts';
import type { Named } from '../../scale/cells/move/apply.ts';

let databases: { url: string; drop(): Promise<void> }[];
let source: pg.Client;
let target: pg.Client;
let from: End;
let to: End;
let tables: MovedTable[];
let name: string;
let reached: bigint;
const named: Named = { people: new Set(), folders: new Set() };

const BUSINESS = 1;
const BIG = `(SELECT string_agg(md5(n::text || $1), '') FROM generate_series(1, 2000) n)`;

before(async () => {
  databases = [await freshDatabase(), await freshDatabase()];
  [source, target] = await Promise.all(databases.map(({ url }) => beside(url)));
  await source.query(`
    INSERT INTO provider (provider_id, name, timezone) VALUES (1, 'Harbour', 'America/Toronto'),
      (2, 'Meadow', 'Europe/London');
    INSERT INTO customer_label (provider_id, id, name, slug)
      VALUES (1, 1, 'A', 'a'), (1, 2, 'B', 'b'), (1, 3, 'C', 'c'), (2, 4, 'M', 'm')`);
  const of = { business: BUSINESS, names: movingNames };
  [from, to] = [await End.open(databases[0].url, of), await End.open(databases[1].url, of)];
  tables = await movedTables(from.client, { tables: registry().tables, accounts: { table: 'user_account' } });
  name = await nameOf(from);
  await to.client.query('INSERT INTO cell_move (provider_id, cell) VALUES ($1, 1)', [BUSINESS]);
  await publish(
    from,
    name,
    tables.map((table) => table.name),
  );
  await withNewSlot(databases[0].url, name, async (slot) => {
    // Written between the snapshot and the copy: the row arrives as a change and is not in the copy.
    await source.query(`INSERT INTO customer_label (provider_id, id, name, slug) VALUES (1, 5, 'E', 'e')`);
    const copied = await copyRows(from, to, tables, slot, () => undefined);
    assert.ok(copied.rows > 3);
    reached = slot.at;
  });
  assert.deepEqual(await labels(target), ['1 A a', '2 B b', '3 C c']);
});
after(async () => {
  await unpublish(from, name);
  await Promise.all([from.close(), to.close(), source.end(), target.end()]);
  await Promise.all(databases.map(({ drop }) => drop()));
});

const labels = async (client: pg.Client): Promise<string[]> =>
  (
    await client.query(
      `SELECT id || ' ' || name || ' ' || slug AS line FROM customer_label WHERE provider_id = $1 ORDER BY id`,
      [BUSINESS],
    )
  ).rows.map(({ line }) => line);

/** Returns every row of the business in every table that moves, as text. */
async function everything(client: pg.Client): Promise<string[]> {
  const lines = tables.map(
    (table) =>
      `SELECT '${table.name} ' || t::text AS line FROM public."${table.name}" t WHERE provider_id = ${BUSINESS}`,
  );
  const { rows } = await client.query(`${lines.join(' UNION ALL ')} ORDER BY 1`);
  return rows.map(({ line }) => line);
}

/** Runs all statements in one transaction. */
async function follows(...statements: string[]): Promise<void> {
  await source.query(['BEGIN', ...statements, 'COMMIT'].join(';\n'));
  const follower = await Follower.open(databases[0].url, name, { from, to, tables, reached, named });
  try {
    await follower.catchUp();
  } finally {
    await follower.close();
  }
  ({ reached } = (await to.state()) as { reached: bigint });
  assert.deepEqual(await everything(target), await everything(source));
}

test('a change during the copy is applied exactly once', async () => {
  await follows();
  assert.equal((await labels(target)).at(-1), '5 E e');
});

test('rows that swap unique values, keys that change, and rows that are deleted and inserted again arrive correctly', async () => {
  await follows(
    `UPDATE customer_label SET slug = 'x' WHERE id = 1`,
    `UPDATE customer_label SET slug = 'a' WHERE id = 2`,
    `UPDATE customer_label SET slug = 'b' WHERE id = 1`,
  );
  await follows(
    `UPDATE customer_label SET slug = 'free' WHERE id = 3`,
    `UPDATE customer_label SET slug = 'c' WHERE id = 5`,
    `UPDATE customer_label SET slug = 'e' WHERE id = 3`,
    `UPDATE customer_label SET id = 6 WHERE id = 5`,
    `UPDATE customer_label SET name = 'F' WHERE id = 6`,
    `DELETE FROM customer_label WHERE id = 2`,
    `INSERT INTO customer_label (provider_id, id, name, slug) VALUES (1, 2, 'B again', 'a')`,
    `UPDATE customer_label SET name = 'theirs' WHERE provider_id = 2`,
  );
  assert.deepEqual(await labels(target), ['1 A b', '2 B again a', '3 C e', '6 F c']);
});

test('values of every type arrive unchanged, including those too long to be sent again', async () => {
  const big = BIG.replace('$1', `'x'`);
  await follows(
    `INSERT INTO audit_entry (provider_id, id, at, request_id, actor, mode, action, object, object_id, before, after)
     SELECT 1, id_of_this_month(1), now(), 'r "quoted", {braces} \\ and \t tab', 'staff:1', 'provider',
       'PATCH /customers/{id}', 'customer', 1,
       NULL, jsonb_build_object('first_name', 'Zoë "Z"', 'long', ${big})`,
    `UPDATE provider SET domains = '{a.example,"b c.example"}', words = '{"class": {"one": "Stunde"}}',
      updated_at = '2026-01-31 10:00:00.123456+02', quiet_hours_start = '21:30' WHERE provider_id = 1`,
  );
  await follows(`UPDATE audit_entry SET actor = 'staff:2', before = '[1, null, "x"]' WHERE provider_id = 1`);
});

test('changes that were written before the command was killed are not written again', async () => {
  // A second slot at the same position knows as little about the written changes as the slot of a command that died
  // after its commit.
  const behind = `${name}_behind`;
  await publish(
    from,
    behind,
    tables.map((table) => table.name),
  );
  await source.query('SELECT pg_copy_logical_replication_slot($1, $2)', [name, behind]);
  await follows(`INSERT INTO customer_label (provider_id, id, name, slug) VALUES (1, 7, 'G', 'g')`);
  await source.query(`UPDATE customer_label SET name = 'H' WHERE id = 7`);
  const follower = await Follower.open(databases[0].url, behind, { from, to, tables, reached, named });
  try {
    assert.equal(await follower.catchUp(), 1);
  } finally {
    await follower.close();
    await unpublish(from, behind);
  }
  assert.equal((await labels(target)).at(-1), '7 H g');
  ({ reached } = (await to.state()) as { reached: bigint });
  await follows();
});

test('a change that does not find its row ends the move', async () => {
  await target.query(`DELETE FROM customer_label WHERE id = 7`);
  await assert.rejects(
    follows(`UPDATE customer_label SET name = 'I' WHERE id = 7`),
    /0 of 1 rows of customer_label were found to update\. Remedy: cancel the move/,
  );
});
