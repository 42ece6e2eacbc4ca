/** What a backup holds, and what is said of what it can't hold. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { Installation, stop } from './installation.ts';
import { secretBoxOf } from '../kernel/secret-box.ts';

const LATE = 'late@example.com';
let one: Installation;
let other: Installation;

before(async () => {
  [one, other] = [new Installation(), new Installation()];
  const running = await one.start();
  const made = await fetch(`${running.base}/api/v2/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${one.credentials().m2m_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Late', last_name: 'Comer', email: LATE }),
  });
  assert.equal(made.status, 201, await made.text());
  await stop(running);
});
after(async () => {
  await one.remove();
  await other.remove();
});

test('a backup restored into another folder keeps everything, and is refused where something is', async () => {
  const file = join(one.dataDir, 'everything.backup');
  const written = await one.run(['backup', file]);
  assert.equal(written.code, 0, written.err);
  const restored = await other.run(['restore', file]);
  assert.equal(restored.code, 0, restored.err);
  const running = await other.start();
  const answer = await fetch(`${running.base}/api/v2/customers?query=${LATE}`, {
    headers: { authorization: `Bearer ${one.credentials().m2m_token}` },
  });
  assert.equal(((await answer.json()) as any).results.length, 1);
  assert.ok(!existsSync(join(other.dataDir, 'demo-credentials.json')), 'no demo beside what was restored');
  await stop(running);
  const refused = await other.run(['restore', file]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /not empty/);
});

test('a backup does not take the place of a file without being told to, and says that the secret key is not in it', async () => {
  const file = join(one.dataDir, 'kept.backup');
  const written = await one.run(['backup', file]);
  assert.equal(written.code, 0, written.err);
  assert.ok(
    written.err.includes(`keep a copy of ${join(one.dataDir, 'secret.key')} in a different place`),
    written.err,
  );
  const before = readFileSync(file);
  const refused = await one.run(['backup', file]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /kept\.backup already exists\. Remedy: .*--force/);
  assert.deepEqual(readFileSync(file), before);
  writeFileSync(file, 'something old');
  assert.equal((await one.run(['backup', file, '--force'])).code, 0);
  assert.notEqual(readFileSync(file, 'latin1'), 'something old');
  assert.match(
    (await one.run(['backup', '--force', file], { SECRET_KEY: Buffer.alloc(32, 'x').toString('base64') })).err,
    /keep a copy of SECRET_KEY/,
  );
});

test('after a restore without the secret key, restore, doctor and start each say what cannot be opened, until the key is back', async () => {
  const lost = new Installation();
  try {
    const running = await one.start();
    const client = new pg.Client({ connectionString: readFileSync(join(one.dataDir, 'postgres.url'), 'utf8').trim() });
    await client.connect();
    const box = secretBoxOf({ secretKeys: [], dataDir: one.dataDir });
    await client.query(
      `UPDATE user_account SET totp_secret = $1, totp_confirmed_at = now() WHERE email = 'owner@demo.example'`,
      [box.seal('totp:1', 'JBSWY3DPEHPK3PXP')],
    );
    await client.end();
    await stop(running);
    const file = join(lost.dataDir, 'of-one.backup');
    assert.equal((await one.run(['backup', file])).code, 0);

    const restored = await lost.run(['restore', file]);
    assert.equal(restored.code, 0, restored.err);
    const expected = /1 second factor.*secret key is a different one.*secret\.key/s;
    assert.match(restored.err, expected);
    assert.ok(!existsSync(join(lost.dataDir, 'secret.key')), 'the place for the old key is free');
    const examined = await lost.run(['doctor']);
    assert.deepEqual([examined.code, expected.test(examined.out)], [1, true], examined.out);
    assert.match((await stop(await lost.start())).err, expected);

    copyFileSync(join(one.dataDir, 'secret.key'), join(lost.dataDir, 'secret.key'));
    const mended = await lost.run(['doctor']);
    assert.doesNotMatch(mended.out, /second factor/);
    assert.doesNotMatch((await stop(await lost.start())).err, /second factor/);
  } finally {
    await lost.remove();
  }
});
