import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPool } from './connect.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('a connection that is released twice is released once', async () => {
  const pool = openPool({ url: world.databaseUrl, size: 1, onError: (error) => assert.fail(error) });
  await new Promise<void>((resolve, reject) => {
    pool.connect((error, _client, release) => {
      if (error) return reject(error);
      release();
      release();
      resolve();
    });
  });
  const next = await pool.connect();
  assert.equal((await next.query('SELECT 1 AS one')).rows[0].one, 1, 'it is free for the next');
  next.release();
  await pool.end();
});
