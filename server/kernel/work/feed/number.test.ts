import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { Database } from '../../base/db/database.ts';
import { numberFeedItems } from './number.ts';
import { beside, chance, times } from '../../../test/storm.ts';
import { sql } from '../../base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ own: true });
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

interface Written {
  provider: number;
  id: number;
  began: number;
  acknowledged: number;
}

const write = (db: Database, provider: number, slow: boolean) =>
  db.transaction(provider, async (tx) => {
    const row = await tx.one<{ id: number }>(
      sql`INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
        VALUES (${provider}, 'test', 'test', 1, '{}', now()) RETURNING id`,
    );
    // Some take their id early and commit late: others overtake them.
    if (slow) await tx.run(sql`SELECT pg_sleep(0.02)`);
    return row!.id;
  });

test('with many writers and two numbering workers, each business has 1 to n without gaps at any moment, causes before effects', async () => {
  const clock = { at: 0, over: false };
  const databases = await times(2, async () => new Database({ url: world.databaseUrl, size: 6 }));
  const written: Written[] = [];
  const numbering = databases.map(async (db) => {
    while (!clock.over) await numberFeedItems(db);
  });
  const gaps: unknown[] = [];
  const watching = (async () => {
    while (!clock.over)
      gaps.push(
        ...(
          await owner.query(
            `SELECT provider_id FROM feed_item WHERE seq IS NOT NULL GROUP BY 1 HAVING min(seq) <> 1
              OR max(seq) <> count(*)`,
          )
        ).rows,
      );
  })();
  await times(10, async (n) => {
    const dice = chance(n);
    for (let i = 0; i < 60; i++) {
      const provider = dice.of([world.harbour, world.harbour, world.meadow]);
      const began = clock.at++;
      const id = await write(databases[n % 2], provider, dice.below(4) === 0);
      written.push({ provider, id, began, acknowledged: clock.at++ });
    }
  });
  clock.over = true;
  await Promise.all([...numbering, watching]);
  while ((await numberFeedItems(databases[0])) > 0);
  assert.deepEqual(gaps, []);
  const { rows } = await owner.query(
    'SELECT provider_id::int AS provider, id::float8, seq::int FROM feed_item ORDER BY provider_id, seq',
  );
  for (const provider of [world.harbour, world.meadow]) {
    const mine = rows.filter((r) => r.provider === provider);
    assert.deepEqual(
      mine.map((r) => r.seq),
      mine.map((_, i) => i + 1),
    );
    const {
      rows: [position],
    } = await owner.query('SELECT last_seq::int AS last FROM feed_position WHERE provider_id = $1', [provider]);
    assert.equal(position.last, mine.length);
  }
  const seq = new Map<number, number>(rows.map((r) => [r.id, r.seq]));
  for (const a of written) {
    const late = written.filter(
      (b) => b.provider === a.provider && b.began > a.acknowledged && seq.get(b.id)! < seq.get(a.id)!,
    );
    assert.deepEqual(late, [], `numbered before ${a.id}, which was acknowledged before they began`);
  }
  await Promise.all(databases.map((db) => db.close()));
});
