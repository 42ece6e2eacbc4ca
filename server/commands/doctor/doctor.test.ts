import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { readConfig } from '../../config.ts';
import { SECRET_KEY } from '../../test/secret-key.ts';
import { freshDatabase } from '../../test/database.ts';
import { examine } from './doctor.ts';
import { prepareDatabase } from '../../kernel/base/db/schema/prepare.ts';

let database: { url: string; drop(): Promise<void> };
let client: pg.Client;
const config = readConfig({ SECRET_KEY });
before(async () => {
  database = await freshDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`INSERT INTO provider (provider_id, name, timezone) VALUES (1, 'P', 'America/Toronto');
    INSERT INTO venue (provider_id, id, name, timezone) VALUES (1, 1, 'V', 'America/Toronto');
    INSERT INTO offering_type (provider_id, id, name) VALUES (1, 1, 'O');
    INSERT INTO event (provider_id, id, offering_type_id, venue_id, name, timezone, local_starts_at, local_ends_at,
      starts_at, ends_at)
      VALUES (1, 1, 1, 1, 'E', 'America/Toronto', '2099-01-05T09:00', '2099-01-05T10:00', '2099-01-05T14:00Z',
        '2099-01-05T15:00Z')`);
});
after(async () => {
  await client.end();
  await database.drop();
});

const wrongs = async (now = Date.now): Promise<string> =>
  (await examine(database.url, now, config)).map((finding) => finding.wrong).join('\n');

test('it finds nothing wrong with a sound database', async () => assert.equal(await wrongs(), ''));

/** Triggers let no code write a counter. */
const UNGUARDED = 'SET session_replication_role = replica;';
const GUARDED = 'SET session_replication_role = origin';

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
    `${UNGUARDED} UPDATE event SET attending_count = 3; ${GUARDED}`,
    `${UNGUARDED} UPDATE event SET attending_count = 0; ${GUARDED}`,
    /seat counters of 1 events/,
  ],
  [
    'a waiting counter that its rows do not make',
    `${UNGUARDED} UPDATE event SET waiting_count = 3; ${GUARDED}`,
    `${UNGUARDED} UPDATE event SET waiting_count = 0; ${GUARDED}`,
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
    `INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
      VALUES (1, 'x', 'x', 1, '{}', now() - interval '2 minutes')`,
    'DELETE FROM feed_item',
    /1 feed items have been waiting/,
  ],
  [
    'a reader of the feed that keeps failing',
    `INSERT INTO feed_reader_position (provider_id, reader, fails_by, attempts, error)
      VALUES (1, 'notices', 1, 4, 'broken')`,
    'DELETE FROM feed_reader_position',
    /keep failing: notices at provider 1 \(broken\)/,
  ],
  [
    'feed items that a reader went on without',
    `WITH item AS (INSERT INTO feed_item (provider_id, seq, kind, object, object_id, payload, occurred_at)
      VALUES (1, 1, 'x', 'x', 1, '{}', now())) INSERT INTO feed_item_set_aside (provider_id, reader, seq, attempts,
        error,
      set_aside_at) VALUES (1, 'notices', 1, 9, 'broken', now())`,
    'DELETE FROM feed_item_set_aside; DELETE FROM feed_item',
    /notices skipped 1 feed items/,
  ],
  [
    'a month that nobody made a partition for',
    `CREATE OR REPLACE FUNCTION newest_month() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE RETURN 300`,
    `DO $$ BEGIN EXECUTE format('CREATE OR REPLACE FUNCTION newest_month() RETURNS integer LANGUAGE sql STABLE PARALLEL
      SAFE RETURN %s', month_number(now()) + 3); END $$`,
    /There is no partition for \d{4}-\d{2} yet/,
  ],
  [
    'a month that was taken out and not archived',
    `CREATE TABLE audit_entry_2020_01 (provider_id bigint NOT NULL); ALTER TABLE audit_entry_2020_01 ENABLE ROW LEVEL
      SECURITY`,
    'DROP TABLE audit_entry_2020_01',
    /1 months of audit_entry have been taken out and not been archived yet, from 2020-01 on/,
  ],
  [
    'a month that is older than what is kept',
    `ALTER TABLE audit_entry DETACH PARTITION audit_entry_before; ALTER TABLE audit_entry_before FORCE ROW LEVEL
      SECURITY; CALL make_months('audit_entry', 245, 245)`,
    `DROP TABLE audit_entry_2020_06; ALTER TABLE audit_entry_before NO FORCE ROW LEVEL SECURITY;
      DO $$ BEGIN EXECUTE format('ALTER TABLE audit_entry ATTACH PARTITION audit_entry_before FOR VALUES FROM (MINVALUE) TO (%s)', first_id_of(month_number(now()))); END $$`,
    /audit_entry still has 2020-06, although only 24 months are kept/,
  ],
  [
    'secrets that were sealed with another key',
    `INSERT INTO user_account (email, email_key, password_hash, first_name, last_name, created_at, email_confirmed_at,
      totp_secret, totp_confirmed_at)
        VALUES ('a@example.com', 'a@example.com', 'x', '', '', now(), now(), 'v1.otherkey.x',
      now())`,
    'DELETE FROM user_account',
    /can’t open 1 second factor: its secret key is a different one/,
  ],
  [
    'payments that the worker has not asked about, and those that nobody knows anything of',
    `INSERT INTO customer (provider_id, id, first_name, last_name)
      VALUES (1, 1, 'A', 'B'); INSERT INTO payment_processor (provider_id, id, kind, name)
      VALUES (1, 1, 'sandbox', 'S');
      INSERT INTO payment (provider_id, id, payment_processor_id, customer_id, amount_minor, payee, payee_id,
        description, status, return_to, cancel_to, next_at, trouble)
      VALUES (1, 1, 1, 1, 1, 'invoice', 1, 'x', 'started', '', '', now() - interval '1 hour', NULL),
        (1, 2, 1, 1, 1, 'invoice', 1, 'x', 'pending', '', '', NULL, 'No answer.')`,
    `ALTER TABLE payment DISABLE TRIGGER USER; DELETE FROM payment; ALTER TABLE payment ENABLE TRIGGER USER;
      DELETE FROM payment_processor; DELETE FROM customer`,
    /business 1 has not said for weeks what became of 1 payments\.[^]*1 payments of business 1 have been due/,
  ],
  [
    'accounts that are not the same in all cells, and changes that not all have heard of',
    `INSERT INTO user_account (id, email, email_key)
      VALUES (9, 'twice@example.com', 'twice@example.com'); INSERT INTO account_clash (user_id, cell, other_id, over)
      VALUES (9, 2, 7, 'address');
      INSERT INTO account_news (user_id, change) VALUES (9, 1)`,
    'DELETE FROM account_news; DELETE FROM user_account',
    /twice@example\.com has two accounts, 9 in this cell and 7 in cell 2[^]*A change of accounts, such as new passwords, has not reached/,
  ],
  [
    'mail that was kept instead of being sent',
    `INSERT INTO mail_outbox (provider_id, sender, recipient, subject, text_part, html_part)
      VALUES (1, 'a@b.example', 'c@d.example', 's', 't', 'h')`,
    'DELETE FROM mail_outbox',
    /1 emails of the last week were kept/,
  ],
  [
    'releases that have been running side by side for too long',
    `INSERT INTO process (id, role, release, host, pid, servers, clock_ahead_ms, started_at, seen_at)
      SELECT gen_random_uuid(), 'server', release, 'booth', pid, 2, 0, clock_timestamp() - interval '11 minutes',
      clock_timestamp() + interval '1 hour'
     FROM (VALUES ('0.9.0', 1), ('0.10.0', 2)) AS p (release, pid)`,
    'DELETE FROM process',
    /Release 0\.9\.0 has been running beside 0\.10\.0 for more than 10 minutes: process 1 on booth\./,
  ],
  [
    'a process whose clock is wrong',
    `INSERT INTO process (id, role, release, host, pid, servers, clock_ahead_ms, seen_at)
      VALUES (gen_random_uuid(), 'worker', '0.1.0', 'booth', 3, 1, -7000, clock_timestamp() + interval '1 hour')`,
    'DELETE FROM process',
    /clock of booth is 7 s behind the clock of the database \(process 3\)/,
  ],
  [
    'that no backup has been made',
    `UPDATE schema_migration SET applied_at = applied_at - interval '4 days'`,
    `UPDATE schema_migration SET applied_at = applied_at + interval '4 days'`,
    /No backup has been made/,
  ],
  [
    'that the last backup is old',
    `INSERT INTO backup_record (at, host, file) VALUES (now() - interval '5 days', 'booth', '/backups/a'),
      (now() - interval '9 days', 'booth', '/backups/b')`,
    'DELETE FROM backup_record',
    /The last backup is 5 days old/,
  ],
  ['a missing extension', 'DROP EXTENSION pg_trgm CASCADE', 'CREATE EXTENSION pg_trgm', /extension pg_trgm is missing/],
  [
    'a migration that was changed',
    `UPDATE schema_migration SET checksum = 'x' || checksum`,
    `UPDATE schema_migration SET checksum = substr(checksum, 2)`,
    /was changed after/,
  ],
];

/** Remedies that are statements are tried as they are; others are instructions for people. */
const IS_STATEMENT = /^(?:ALTER|CREATE|GRANT) [^.]*;$/;
let statements = 0;

for (const [what, provoke, mend, expected] of provoked) {
  test(`it finds ${what}, and nothing once that is mended`, async () => {
    await client.query(provoke);
    const findings = await examine(database.url, Date.now, config);
    assert.match(findings.map(({ wrong }) => wrong).join('\n'), expected);
    const remedies = findings.map(({ remedy }) => remedy).filter((remedy) => IS_STATEMENT.test(remedy));
    statements += remedies.length;
    for (const remedy of remedies.length > 0 ? remedies : [mend]) await client.query(remedy);
    assert.equal(await wrongs(), '');
  });
}

test('remedies that are statements were tried as they are', () => assert.ok(statements >= 2));

test('the remedy for a database that lacks migrations and the queue is to start this release, which mends both', async () => {
  const { url, drop } = await freshDatabase();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await other.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC;
      DROP SCHEMA graphile_worker CASCADE`);
    const [lacking, ...more] = await examine(url, Date.now, config);
    assert.deepEqual(more, []);
    assert.match(`${lacking.wrong} ${lacking.remedy}`, /lacks the migrations 0001_.* Start this release once/);
    await prepareDatabase(url);
    assert.deepEqual(await examine(url, Date.now, config), []);
    await other.query('DROP SCHEMA graphile_worker CASCADE');
    const [queue] = await examine(url, Date.now, config);
    assert.match(`${queue.wrong} ${queue.remedy}`, /tables of the job queue are missing.* Start this release once/);
    await prepareDatabase(url);
    assert.deepEqual(await examine(url, Date.now, config), []);
  } finally {
    await other.end();
    await drop();
  }
});

test('it finds clocks that differ', async () =>
  assert.match(await wrongs(() => Date.now() + 10_000), /clocks .* differ by 10 s/));

test('processes of several releases are no problem while they are replaced, nor is one that has ended', async () => {
  await client.query(
    `INSERT INTO process (id, role, release, host, pid, servers, clock_ahead_ms, started_at, seen_at, ended)
      SELECT gen_random_uuid(), 'server', release, 'booth', pid, 2, 0, clock_timestamp() - age,
      clock_timestamp() + interval '1 hour', ended
     FROM (VALUES ('0.9.0', 1, interval '1 day', false), ('0.10.0', 2, interval '5 minutes', false),
       ('0.8.0', 3, interval '1 day', true)) AS p (release, pid, age, ended)`,
  );
  assert.equal(await wrongs(), '');
  await client.query('DELETE FROM process');
});

test('for a database of an earlier version, it says so and how to proceed', async () => {
  const { url, drop } = await freshDatabase();
  const older = new pg.Client({ connectionString: url });
  await older.connect();
  try {
    await older.query(`ALTER TABLE schema_migration DROP COLUMN oldest_release;
      UPDATE schema_migration SET checksum = 'of an earlier file' WHERE version = 1`);
    const [finding, ...more] = await examine(url, Date.now, config);
    assert.deepEqual(more, []);
    assert.match(finding.wrong, /^Migration 0001_\w+ was changed after it had been applied: another version/);
    assert.match(finding.remedy, /^Run the version that made it\. .* start with an empty data folder/);
  } finally {
    await older.end();
    await drop();
  }
});

const found = async (env: Record<string, string>) =>
  (await examine(database.url, Date.now, readConfig({ SECRET_KEY, ...env }))).map(({ wrong }) => wrong).join('\n');

test('it checks that connected assistants reach their endpoint, and nothing if there are none', async () => {
  await client.query(`INSERT INTO user_account (id, email, email_key)
      VALUES (990001, 'a@example.com', 'a@example.com');
    INSERT INTO application (provider_id, id, name, scopes, client_id)
      VALUES (1, 990001, 'Otter', '{read}', 'rca_otter');
    INSERT INTO app_authorization (provider_id, application_id, user_id, scopes, expires_at)
      VALUES (1, 990001, 990001, '{read}', now() + interval '1 day')`);
  assert.equal(await found({}), '');
  await client.query(`UPDATE app_authorization SET entrance = 'mcp'`);
  assert.match(await found({}), /no public address with https/);
  assert.match(
    await found({ PUBLIC_URL: 'https://127.0.0.1:9' }),
    /^The service is at port 9\..*\nAssistants don't find the log-in: .* can't be read \(/,
  );
  await client.query(`DELETE FROM app_authorization; DELETE FROM application; DELETE FROM user_account`);
});
