import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../../../../test/world.ts';
import { sql } from '../sql.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const addVenue = (name: string) =>
  sql`INSERT INTO venue (provider_id, name, timezone) VALUES (${world.harbour}, ${name}, 'UTC')`;
const venues = (like: string) =>
  world
    .work(world.harbour, ({ tx }) =>
      tx.rows<{ name: string }>(
        sql`SELECT name FROM venue WHERE provider_id = ${world.harbour} AND name LIKE ${like} ORDER BY name`,
      ),
    )
    .then((rows) => rows.map((r) => r.name));

test('an attempt that fails rolls back the successful attempts within it', async () => {
  await world.work(world.harbour, async ({ tx }) => {
    await tx.run(addVenue('a before'));
    await assert.rejects(
      tx.attempt(async () => {
        await tx.run(addVenue('a outer'));
        await tx.attempt(() => tx.run(addVenue('a inner')));
        throw new Error('late');
      }),
      /late/,
    );
  });
  assert.deepEqual(await venues('a %'), ['a before']);
});

test('an attempt that fails rolls back nothing outside it', async () => {
  await world.work(world.harbour, async ({ tx }) => {
    await tx.attempt(async () => {
      await tx.run(addVenue('b outer'));
      await assert.rejects(
        tx.attempt(() => tx.run(addVenue(''))),
        { code: '23514' },
      );
      await tx.run(addVenue('b outer 2'));
    });
  });
  assert.deepEqual(await venues('b %'), ['b outer', 'b outer 2']);
});
