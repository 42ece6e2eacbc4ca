import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database } from '../database.ts';
import { freshDatabase } from '../../../../test/database.ts';
import { HASTY } from '../../../../test/hasty.ts';
import { Pooler } from '../../../../test/outside/pooler.ts';
import { sharesSessions } from './pooler.ts';
import { sql } from '../sql.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
before(async () => {
  database = await freshDatabase();
});
after(() => database.drop());

test('a pooler that shares a connection between sessions is distinguished from one that does not, and from none', async () => {
  const [session, transaction] = [
    await Pooler.to(database.url, 'session'),
    await Pooler.to(database.url, 'transaction'),
  ];
  assert.equal(await sharesSessions(database.url), false);
  assert.equal(await sharesSessions(session.url), false);
  assert.equal(await sharesSessions(transaction.url), true);
  await Promise.all([session.close(), transaction.close()]);
});

test('through a pooler in session mode everything works, including long statements', async () => {
  const pooler = await Pooler.to(database.url, 'session');
  const db = new Database({ url: pooler.url, size: 2, patience: HASTY });
  const rows = await db.acrossTenants('the test asks for its role', (tx) =>
    tx.rows(sql`SELECT current_user::text AS role, pg_sleep(${(HASTY.silentMs * 4) / 1000}::float8)`),
  );
  assert.equal(rows[0].role, 'rollcall_across');
  await db.close();
  await pooler.close();
});
