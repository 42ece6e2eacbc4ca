import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { readConfig } from '../config.ts';
import { SECRET_KEY } from '../test/secret-key.ts';
import { freshDatabase } from '../test/database.ts';
import { examine } from './doctor.ts';

let database: { url: string; drop(): Promise<void> };
let client: pg.Client;
const config = readConfig({ SECRET_KEY });
before(async () => {
  database = await freshDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`INSERT INTO provider (name, timezone) VALUES ('P', 'America/Toronto');
    INSERT INTO venue (provider_id, name, timezone) VALUES (1, 'V', 'America/Toronto');
    INSERT INTO offering_type (provider_id, name) VALUES (1, 'O');
    INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, local_starts_at, local_ends_at, starts_at, ends_at)
      VALUES (1, 1, 1, 'E', 'America/Toronto', '2099-01-05T09:00', '2099-01-05T10:00', '2099-01-05T14:00Z', '2099-01-05T15:00Z')`);
});
after(async () => {
  await client.end();
  await database.drop();
});

const wrongs = async (now = Date.now): Promise<string> =>
  (await examine(database.url, now, config)).map((finding) => finding.wrong).join('\n');

test('of a sound database it finds nothing', async () => assert.equal(await wrongs(), ''));

const provoked: [string, string, string, RegExp][] = [
  [
    'a table without forced row-level security',
    'ALTER TABLE event NO FORCE ROW LEVEL SECURITY',
    'ALTER TABLE event FORCE ROW LEVEL SECURITY',
    /not forced on the table event/,
  ],
  [
    'an event whose instant is not its clock time',
    `UPDATE event SET starts_at = starts_at - interval '1 hour'`,
    `UPDATE event SET starts_at = starts_at + interval '1 hour'`,
    /1 upcoming events start at a different instant.*: 1\./,
  ],
  [
    'a seat counter that its rows do not make',
    'UPDATE event SET attending_count = 3',
    'UPDATE event SET attending_count = 0',
    /seat counters of 1 events/,
  ],
  [
    'a waiting counter that its rows do not make',
    'UPDATE event SET waiting_count = 3',
    'UPDATE event SET waiting_count = 0',
    /seat counters of 1 events/,
  ],
  [
    'a kept total that the rows do not make',
    `UPDATE row_count SET n = n + 1 WHERE relation = 'event'`,
    `UPDATE row_count SET n = n - 1 WHERE relation = 'event'`,
    /number of event rows of provider 1/,
  ],
  [
    'feed items that nobody numbers',
    `INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at) VALUES (1, 'x', 'x', 1, '{}', now() - interval '2 minutes')`,
    'DELETE FROM feed_item',
    /1 feed items have been waiting/,
  ],
  [
    'a reader of the feed that keeps failing',
    `INSERT INTO feed_reader_position (provider_id, reader, fails_by, attempts, error) VALUES (1, 'notices', 1, 4, 'broken')`,
    'DELETE FROM feed_reader_position',
    /keep failing: notices at provider 1 \(broken\)/,
  ],
  [
    'feed items that a reader went on without',
    `WITH item AS (INSERT INTO feed_item (provider_id, seq, kind, object, object_id, payload, occurred_at) VALUES (1, 1, 'x', 'x', 1, '{}', now())) INSERT INTO feed_item_set_aside (provider_id, reader, seq, attempts, error, set_aside_at) VALUES (1, 'notices', 1, 9, 'broken', now())`,
    'DELETE FROM feed_item_set_aside; DELETE FROM feed_item',
    /notices skipped 1 feed items/,
  ],
  [
    'secrets that were sealed with another key',
    `INSERT INTO user_account (email, email_key, password_hash, first_name, last_name, created_at, email_confirmed_at, totp_secret, totp_confirmed_at) VALUES ('a@example.com', 'a@example.com', 'x', '', '', now(), now(), 'v1.otherkey.x', now())`,
    'DELETE FROM user_account',
    /can’t open 1 second factor: its secret key is a different one/,
  ],
  [
    'payments that the worker has not asked about, and those that nobody knows anything of',
    `INSERT INTO customer (provider_id, id, first_name, last_name) VALUES (1, 1, 'A', 'B'); INSERT INTO payment_processor (provider_id, id, kind, name) VALUES (1, 1, 'sandbox', 'S');
      INSERT INTO payment (provider_id, id, payment_processor_id, customer_id, amount_minor, payee, payee_id, description, status, return_to, cancel_to, next_at, trouble)
      VALUES (1, 1, 1, 1, 1, 'invoice', 1, 'x', 'started', '', '', now() - interval '1 hour', NULL), (1, 2, 1, 1, 1, 'invoice', 1, 'x', 'pending', '', '', NULL, 'No answer.')`,
    `ALTER TABLE payment DISABLE TRIGGER USER; DELETE FROM payment; ALTER TABLE payment ENABLE TRIGGER USER; DELETE FROM payment_processor; DELETE FROM customer`,
    /business 1 has not said for weeks what became of 1 payments\.[^]*1 payments of business 1 have been due/,
  ],
  [
    'mail that was kept instead of being sent',
    `INSERT INTO mail_outbox (provider_id, sender, recipient, subject, text_part, html_part) VALUES (1, 'a@b.example', 'c@d.example', 's', 't', 'h')`,
    'DELETE FROM mail_outbox',
    /1 emails of the last week were kept/,
  ],
  ['a missing extension', 'DROP EXTENSION pg_trgm CASCADE', 'CREATE EXTENSION pg_trgm', /extension pg_trgm is missing/],
  [
    'a migration that was changed',
    `UPDATE schema_migration SET checksum = 'x' || checksum`,
    `UPDATE schema_migration SET checksum = substr(checksum, 2)`,
    /was changed after/,
  ],
];

for (const [what, provoke, mend, expected] of provoked) {
  test(`it finds ${what}, and nothing once that is mended`, async () => {
    await client.query(provoke);
    assert.match(await wrongs(), expected);
    await client.query(mend);
    assert.equal(await wrongs(), '');
  });
}

test('it finds clocks that differ', async () =>
  assert.match(await wrongs(() => Date.now() + 10_000), /clocks .* differ by 10 s/));
