import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { command } from '../../test/desk.ts';
import { freshDatabase } from '../../test/database.ts';
import { RELEASE } from '../../kernel/base/release.ts';
import { SECRET_KEY } from '../../test/secret-key.ts';
import { withoutDetails } from './doctor-report.ts';

test('a report of the doctor names release, findings and settings, but no person, no value of a setting and no secret', async () => {
  const { url, drop } = await freshDatabase();
  const folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'report-'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const secrets = {
    SECRET_KEY,
    SMTP_URL: 'smtps://mailer:correct-horse@mail.example.org',
    MAIL_FROM: 'Harbour Lane <hello@harbour.example>',
    BUCKET_URL: 'https://s3.example.org/harbour-files',
    BUCKET_KEY_ID: 'AKIDHARBOUR',
    BUCKET_SECRET: 'battery-staple',
  };
  try {
    await client.query(
      `INSERT INTO provider (provider_id, name, timezone) VALUES (1, 'Harbour Lane', 'America/Toronto');
       INSERT INTO customer (provider_id, first_name, last_name, email)
         VALUES (1, 'Ada', 'Lovelace', 'ada@example.com');
       INSERT INTO user_account (id, email, email_key, totp_secret, totp_confirmed_at)
         VALUES (9, 'ada@example.com', 'ada@example.com', 'v1.otherkey.x', now());
       INSERT INTO account_clash (user_id, cell, other_id, over) VALUES (9, 2, 7, 'address');
       INSERT INTO feed_reader_position (provider_id, reader, fails_by, attempts, error)
         VALUES (1, 'notices', 1, 4, 'cannot greet Ada Lovelace')`,
    );
    const file = join(folder, 'report.md');
    const { out } = await command(['doctor', '--report', file], { ...secrets, DATABASE_URL: url, DATA_DIR: folder });
    assert.match(out, /Wrote .*report\.md\. Read it before you send it to anybody/);
    assert.match(out, /ada@example\.com has two accounts/, 'the operator sees everything');
    const report = readFileSync(file, 'utf8');
    for (const part of [`Release: ${RELEASE}`, 'has two accounts', 'Readers of the feed keep failing', 'SMTP_URL'])
      assert.ok(report.includes(part), `${part} is not in:\n${report}`);
    for (const never of ['Ada', 'Lovelace', 'ada@', 'Harbour', 'harbour', folder, url, ...Object.values(secrets)])
      assert.ok(!report.includes(never), `${never} is in:\n${report}`);
    const again = await command(['doctor', '--report', file], { ...secrets, DATABASE_URL: url, DATA_DIR: folder });
    assert.match(again.err, /report\.md/, 'a file that exists is never replaced');
  } finally {
    await client.end();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('details that may name a person, a machine or a secret are removed from a finding', () => {
  const env = { BUCKET_SECRET: 'battery-staple', PORT: '8080' };
  for (const [text, plain] of [
    ['2 jobs keep failing: 7 (Ada Lovelace is missing).', '2 jobs keep failing: 7 (…).'],
    ['The file /var/lib/rollcall/x belongs to ada@example.com.', 'The file [path] belongs to [address]'],
    ['Ask https://s3.example.org/files?key=1 about battery-staple.', 'Ask [address] about [setting].'],
    ['process 12 on booth: clock of till is 7 s behind.', 'process 12 on [machine]: clock of [machine] is 7 s behind.'],
  ])
    assert.equal(withoutDetails(text, env), plain);
});
