import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Database } from '../../../../kernel/base/db/database.ts';
import { freshDatabase } from '../../../../test/database.ts';
import { Records } from './records.ts';
import { SecretBox } from '../../../../kernel/base/secret-box.ts';
import { START } from '../../../../test/clock.ts';

let database: { url: string; drop(): Promise<void> };
let db: Database;
before(async () => {
  database = await freshDatabase();
  db = new Database({ url: database.url, size: 1 });
});
after(async () => {
  await db.close();
  await database.drop();
});

const recordsOf = (secret: Buffer): Records =>
  new Records('Interaction', { db, box: new SecretBox([secret]), now: () => START });

test('a pending log-in that was sealed with a lost key is unknown, so that it starts over', async () => {
  const secret = randomBytes(32);
  await recordsOf(secret).upsert('abc', { returnTo: 'https://example.com/' }, 600);
  assert.equal((await recordsOf(secret).find('abc'))?.returnTo, 'https://example.com/');
  assert.equal(await recordsOf(randomBytes(32)).find('abc'), undefined);
});
