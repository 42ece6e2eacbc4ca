/** The contents of a backup, and the messages about what it can't contain. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import pg from 'pg';
import { Installation, stop } from '../installation.ts';
import { everything, rare } from '../rare.ts';
import { secretBoxOf } from '../../kernel/base/secret-box.ts';

const LATE = 'late@example.com';
let one: Installation;
let other: Installation;
let token: string;

if (everything) before(prepare);

async function prepare(): Promise<void> {
  [one, other] = [new Installation(), new Installation()];
  const running = await one.start(['--no-demo']);
  const place = ['--timezone', 'America/Toronto', '--currency', 'CAD', '--country', 'CA'];
  assert.equal((await one.command(['provider', 'create', '--name', 'Harbour', ...place])).out, '1\n');
  token = (await one.command(['token', 'create', '--provider', '1', '--name', 'tests'])).out.trim();
  const made = await fetch(`${running.base}/api/v2/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Late', last_name: 'Comer', email: LATE }),
  });
  assert.equal(made.status, 201, await made.text());
  const client = new pg.Client({ connectionString: readFileSync(join(one.dataDir, 'postgres.url'), 'utf8').trim() });
  await client.connect();
  const box = secretBoxOf({ secretKeys: [], dataDir: one.dataDir });
  await client.query(
    `INSERT INTO user_account (id, email, email_key, totp_secret, totp_confirmed_at) OVERRIDING SYSTEM VALUE
     VALUES (1, 'ada@example.com', 'ada@example.com', $1, now())`,
    [box.seal('totp:1', 'JBSWY3DPEHPK3PXP')],
  );
  await client.end();
  await stop(running);
}
after(async () => {
  await one?.remove();
  await other?.remove();
});

rare(
  'a backup restored into another folder keeps everything, and is refused in a folder that is not empty; without the secret key, restore, doctor and start each report what cannot be opened until the key is back',
  async () => {
    const file = join(other.dataDir, 'everything.backup');
    const written = await one.run(['backup', file]);
    assert.equal(written.code, 0, written.err);

    const restored = await other.command(['restore', file]);
    assert.equal(restored.code, 0, restored.err);
    const expected = /1 second factor.*secret key is a different one.*secret\.key/s;
    assert.match(restored.err, expected);
    assert.ok(!existsSync(join(other.dataDir, 'secret.key')), 'the place for the old key is free');
    const examined = await other.command(['doctor']);
    assert.deepEqual([examined.code, expected.test(examined.out)], [1, true], examined.out);

    const running = await other.start();
    const answer = await fetch(`${running.base}/api/v2/customers?query=${LATE}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(((await answer.json()) as any).results.length, 1);
    assert.ok(!existsSync(join(other.dataDir, 'demo-credentials.json')), 'no demo beside what was restored');
    assert.match((await stop(running)).err, expected);
    const refused = await other.command(['restore', file]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /not empty/);

    copyFileSync(join(one.dataDir, 'secret.key'), join(other.dataDir, 'secret.key'));
    const mended = await other.command(['doctor']);
    assert.doesNotMatch(mended.out, /second factor/);
    assert.doesNotMatch((await stop(await other.start())).err, /second factor/);
  },
);

rare(
  'a backup does not overwrite a file without an explicit option, and says that it does not include the secret key',
  async () => {
    const file = join(one.dataDir, 'kept.backup');
    const written = await one.command(['backup', file]);
    assert.equal(written.code, 0, written.err);
    assert.ok(
      written.err.includes(`keep a copy of ${join(one.dataDir, 'secret.key')} in a different place`),
      written.err,
    );
    const before = readFileSync(file);
    const refused = await one.command(['backup', file]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /kept\.backup already exists\. Remedy: .*--force/);
    assert.deepEqual(readFileSync(file), before);
    writeFileSync(file, 'something old');
    assert.equal((await one.command(['backup', file, '--force'])).code, 0);
    assert.notEqual(readFileSync(file, 'latin1'), 'something old');
    assert.match(
      (await one.command(['backup', '--force', file], { SECRET_KEY: Buffer.alloc(32, 'x').toString('base64') })).err,
      /keep a copy of SECRET_KEY/,
    );
  },
);
