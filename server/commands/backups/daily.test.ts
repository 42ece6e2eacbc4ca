/** Daily backups: made, kept, sent away, tested, and restored by the steps of docs/operations.md. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { backUpDaily, dailyBackups, dailyFolder, isBackupDue } from './daily.ts';
import { command } from '../../test/desk.ts';
import { emptyDatabase } from '../../test/releases/kept.ts';
import { freshDatabase, type TestDatabase } from '../../test/database.ts';
import { openOffSite } from './off-site.ts';
import { readConfig } from '../../config.ts';
import { SecretBox } from '../../kernel/base/secret-box.ts';
import { SECRET_KEY } from '../../test/secret-key.ts';
import { START } from '../../test/clock.ts';
import { TestBucket } from '../../test/outside/bucket.ts';

const DAY_MS = 86_400_000;
const OTHER_KEY = Buffer.alloc(32, 'other').toString('base64');

let database: TestDatabase;
let bucket: TestBucket;
let folder: string;
let env: Record<string, string>;

before(async () => {
  database = await freshDatabase();
  bucket = await TestBucket.start();
  folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'daily-'));
  const { url, region, keyId, secret } = bucket.settings;
  env = {
    SECRET_KEY,
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    DAILY_BACKUPS: 'on',
    BACKUP_BUCKET_URL: url,
    BACKUP_BUCKET_REGION: region,
    BACKUP_BUCKET_KEY_ID: keyId,
    BACKUP_BUCKET_SECRET: secret,
  };
  await query(
    `INSERT INTO provider (provider_id, name, timezone) VALUES (1, 'Harbour Lane', 'America/Toronto');
     INSERT INTO user_account (email, email_key, totp_secret, totp_confirmed_at)
       VALUES ('a@example.com', 'a@example.com', 'v1.otherkey.x', now())`,
  );
  mkdirSync(join(folder, 'images/1/abc'), { recursive: true });
  writeFileSync(join(folder, 'images/1/abc/640.webp'), 'a picture');
});
after(async () => {
  await bucket.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function query(text: string, url = database.url): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Makes the daily backup of a day after the start of the world. */
function backUp(day: number): Promise<string> {
  const config = readConfig(env);
  return backUpDaily({ url: database.url, config, now: START + day * DAY_MS, offSite: openOffSite(config) });
}

test('the daily backup has the database, the images, and a list with what the key can’t open; it is due once a day', async () => {
  const config = readConfig(env);
  assert.ok(isBackupDue({ config, now: START }));
  const made = await backUp(0);
  assert.equal(readFileSync(join(made, 'images/1/abc/640.webp'), 'utf8'), 'a picture');
  assert.equal(statSync(join(made, 'database.backup')).mode & 0o077, 0, 'for its owner alone');
  const {
    tables,
    rows,
    cannot_be_opened: sealed,
    ...contents
  } = JSON.parse(readFileSync(join(made, 'contents.json'), 'utf8'));
  assert.ok(tables > 200 && rows > 2);
  assert.equal(sealed, '1 second factor');
  assert.deepEqual([contents.made_at, contents.images], [new Date(START).toISOString(), 1]);
  assert.ok(!isBackupDue({ config, now: START + DAY_MS - 1000 }));
  assert.ok(isBackupDue({ config, now: START + DAY_MS }));
});

test('the copy in the bucket is encrypted, and leads to a new installation by the documented steps', async () => {
  const stored = [...bucket.objects.values()].map(({ bytes }) => bytes);
  assert.ok(stored.length >= 3);
  assert.ok(!stored.some((bytes) => bytes.includes('a picture') || bytes.includes('Harbour Lane')));
  const fetched = join(folder, 'fetched');
  const wrongKey = await command(['backup', 'fetch', join(folder, 'other')], { ...env, SECRET_KEY: OTHER_KEY });
  assert.equal(wrongKey.code, 1);
  assert.match(wrongKey.err, /sealed with another secret key\. Remedy: put the key/);
  const { code, out, err } = await command(['backup', 'fetch', fetched], env);
  assert.deepEqual([code, err], [0, ''], out);
  assert.equal(readFileSync(join(fetched, 'images/1/abc/640.webp'), 'utf8'), 'a picture');
  const there = await emptyDatabase();
  try {
    const restored = await command(['restore', join(fetched, 'database.backup')], { ...env, DATABASE_URL: there.url });
    assert.equal(restored.code, 0, restored.err);
    assert.deepEqual(await query('SELECT name FROM provider', there.url), [{ name: 'Harbour Lane' }]);
  } finally {
    await there.drop();
  }
});

test('the newest 14 are kept on the machine and in the bucket, and an image is sent once', async () => {
  const sent = () => bucket.asked.filter((method) => method === 'PUT').length;
  const before = sent();
  for (let day = 1; day <= 15; day++) await backUp(day);
  assert.equal(sent() - before, 2 * 15, 'a database and a list each');
  const names = dailyBackups(readConfig(env));
  assert.deepEqual([names.length, names[0]], [14, '20260717-150000']);
  assert.deepEqual(readdirSync(dailyFolder(readConfig(env))).toSorted(), names, 'nothing unfinished is left');
  const databases = [...bucket.objects.keys()].filter((name) => name.endsWith('.sealed'));
  assert.equal(databases.length, 14);
});

test('a backup is verified beside the data, which stay as they are; a damaged one is refused, and doctor knows of the last test', async () => {
  const [newest] = dailyBackups(readConfig(env)).slice(-1);
  const file = join(dailyFolder(readConfig(env)), newest, 'database.backup');
  await query('DELETE FROM restore_test');
  await query(`UPDATE schema_migration SET applied_at = now() - interval '31 days'`);
  const doctor = async () => (await command(['doctor'], env)).out;
  assert.match(await doctor(), /No restore of a backup has been tested[^]*rollcall backup verify/);
  const damaged = join(folder, 'damaged.backup');
  writeFileSync(damaged, readFileSync(file).subarray(0, -50));
  const refused = await command(['backup', 'verify', damaged], env);
  assert.deepEqual([refused.code, /cannot be restored: it is cut off/.test(refused.err)], [1, true], refused.err);
  assert.match(await doctor(), /No restore of a backup has been tested/);
  const { code, out, err } = await command(['backup', 'verify', file], env);
  assert.equal(code, 0, err);
  assert.match(out, /The backup can be restored: \d+ rows of \d+ tables/);
  assert.doesNotMatch(await doctor(), /test(?:ed)? of a restore|restore of a backup/);
  await query(`UPDATE restore_test SET at = now() - interval '31 days'`);
  assert.match(await doctor(), /The last test of a restore was 31 days ago/);
  const noted = await command(['backup', 'verify', 'pgbackrest-7', '--tested-elsewhere'], env);
  assert.equal(noted.out, 'Noted the test of pgbackrest-7.\n');
  assert.doesNotMatch(await doctor(), /test of a restore/);
  assert.deepEqual(await query(`SELECT datname FROM pg_database WHERE datname LIKE '%\\_verify'`), []);
  assert.ok(!existsSync(join(folder, 'backups', `opened-${process.pid}.part`)));
});

test('a sealed file opens with the key of its installation alone, and only as a whole', async () => {
  const { sealFile, openSealedFile } = await import('../../kernel/base/db/backups/sealed-file.ts');
  const [plain, sealed, opened] = ['plain', 'sealed', 'opened'].map((name) => join(folder, name));
  writeFileSync(plain, Buffer.alloc(300_000, 'x'));
  const box = new SecretBox([Buffer.alloc(32, 'new'), Buffer.alloc(32, 'old')]);
  const old = new SecretBox([Buffer.alloc(32, 'old')]);
  writeFileSync(sealed, Buffer.concat(await Array.fromAsync(sealFile(plain, old))));
  await openSealedFile(sealed, opened, box);
  assert.deepEqual(readFileSync(opened), readFileSync(plain));
  rmSync(opened);
  const bytes = readFileSync(sealed);
  for (const at of [30, 150_000, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] ^= 1;
    writeFileSync(sealed, changed);
    await assert.rejects(openSealedFile(sealed, opened, box), /was altered|another secret key/);
    assert.ok(!existsSync(opened));
  }
});
