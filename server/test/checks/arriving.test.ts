import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { arrivingIn, LEFT_JOBS } from '../../arriving/index.ts';
import { arrivingRow, decidedColumns, isArrivingId, Resets } from '../../kernel/base/archive/arriving.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { readCatalog, type ArchivedTable } from '../../kernel/base/archive/catalog.ts';
import { movingAccounts } from '../../areas/people/identity/index.ts';
import { registry } from '../../app.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { SecretBox } from '../../kernel/base/secret-box.ts';

const declared = registry();
const arriving = arrivingIn(declared);
let database: TestDatabase;
let tables: readonly ArchivedTable[];
/** `application.first_party` */
let flags: readonly string[];

before(async () => {
  database = await freshDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  ({ tables } = await readCatalog(client, { tables: declared.tables, accounts: { table: 'user_account' } }));
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND (data_type = 'boolean' OR data_type = 'text' AND column_name ~ 'status')`,
  );
  flags = rows.map(({ name }) => name);
  await client.end();
});
after(() => database.drop());

const arrive = (table: string, row: object) => arrivingRow(arriving.tables[table], row, new Resets());
const holds = (table: string, column: string, value: unknown, row: object = {}) =>
  arriving.tables[table].checked![column].holds(value, row);

const own = Object.entries(arriving.tables).flatMap(([table, { own: names }]) =>
  decidedColumns({ own: names }).map((column) => ({ table, column, name: `${table}.${column}` })),
);

test('each column that a file can set has exactly one decision', () => {
  const columns = tables.flatMap(({ name, lines }) => lines.map((column) => `${name}.${column}`));
  const decided = Object.entries(arriving.tables).flatMap(([table, one]) =>
    decidedColumns(one).map((column) => `${table}.${column}`),
  );
  assert.deepEqual(decided.toSorted(), columns.toSorted());
});

/**
 * Columns whose names suggest a proof, a secret or an operator's decision, by the reason why a file may set them
 * anyway.
 */
const OF_THE_BUSINESS: Readonly<Record<string, readonly string[]>> = {
  'opens what belongs to this business alone': [
    'application_secret.secret_hash',
    'application_secret.secret_hint',
    'calendar_feed.earlier_hashes',
    'checkout.secret_hash',
    'gift_card.code_hash',
    'gift_card.mail_hash',
    'machine_token.token_hash',
    'message.token_hash',
    'message.unsubscribe_hash',
  ],
  'is a secret of the business, and is sealed again with the key of this installation': [
    'customer_field_value.sealed',
    'customer_form_submission.sealed',
    'external_calendar_account.sealed',
    'message.sealed',
    'partner.sealed',
    'payment_processor.sealed',
    'payment_processor.secrets',
    'waiver_agreement.sealed',
    'webhook_secret.sealed',
  ],
  'is the proof of an agreement, and says nothing by itself': [
    'policy_agreement.address_hash',
    'waiver_agreement.address_hash',
  ],
  'is decided by the business, or follows from what happened there': [
    'external_calendar.content_hash',
    'instructor_pay_period.approved_at',
    'message.confirmed',
    'partner_message.body_hash',
    'referral.confirmed_at',
    'referral.confirmed_by',
    'referral_settings.confirmed_by',
  ],
  'says what somebody chose about a file of the business': ['import.kind_confirmed', 'import.source_confirmed'],
  'says that it is for trying out: such a business takes no money': ['provider.is_test', 'test_clock.is_test'],
};
const allowed = Object.values(OF_THE_BUSINESS).flat();

test('no column named like a proof, an approval or a secret is set from a file without a reason', () => {
  const PROOF = /verified|confirmed|proof|proved|approved|trusted|first_party|_wide$|_hash(es)?$|sealed|secret/;
  const found = own.filter(({ column }) => PROOF.test(column)).map(({ name }) => name);
  assert.deepEqual(
    found.filter((name) => !allowed.includes(name)),
    [],
  );
  assert.deepEqual(
    allowed.filter((name) => !own.some((one) => one.name === name)),
    [],
  );
});

test('a file sets no flag that only operator commands can set', () => {
  const folder = join(import.meta.dirname, '..', '..', 'commands');
  const code = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
  const written = new Set(
    code.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []),
  );
  assert.ok(['first_party', 'installation_wide', 'direct_auth_status'].every((name) => written.has(name)));
  const asked = new Set(declared.endpoints.flatMap(({ body }) => Object.keys(body ?? {})));
  assert.ok(asked.has('is_public'));
  const found = own.filter(({ column, name }) => flags.includes(name) && written.has(column) && !asked.has(column));
  assert.deepEqual(
    found.map(({ name }) => name).filter((name) => !allowed.includes(name)),
    [],
  );
});

test('each job has a decision on whether it moves with a business, and no job that sees all businesses moves', () => {
  assert.deepEqual([...arriving.jobs, ...Object.keys(LEFT_JOBS)].toSorted(), [...declared.jobs.keys()].toSorted());
  assert.deepEqual(
    arriving.jobs.filter((task) => declared.jobs.get(task)!.acrossTenants !== undefined),
    [],
  );
});

test('a file with content that a browser would run, an unknown time zone or a name of the service itself is refused', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//evil.example.com', '/\\evil.example.com'])
    assert.equal(holds('payment', 'return_to', url), false, url);
  for (const url of ['', '/account/7/', 'https://studio.example.com/thanks'])
    assert.equal(holds('payment', 'return_to', url), true, url);
  assert.equal(holds('application', 'allowed_callback_urls', ['javascript:alert(1)'], { is_public: true }), false);
  assert.equal(holds('event', 'timezone', 'Mars/Olympus'), false);
  assert.equal(holds('event_series', 'rrule', 'FREQ=SECONDLY'), false);
  assert.equal(holds('provider', 'slug', 'account'), false);
  assert.equal(holds('provider', 'domains', ['studio.example.com', "x; script-src 'unsafe-inline'"]), false);
  assert.equal(isArrivingId(9_000_000_000_000_000, null), false);
  assert.equal(isArrivingId(32_000_000_000_007, 100_000_000_000), true);
});

test('pending messages in a file are not sent, and a code that was sent before verifies nothing', () => {
  const letter = { status: 'queued', reason: null, claimed_by: 3, sealed: true, text_part: 'x', html_part: '<b>x</b>' };
  assert.deepEqual(arrive('message', { ...letter, headers: { Bcc: 'all@example.com' } }), {
    ...letter,
    status: 'skipped',
    reason: 'outdated',
    claimed_by: null,
    text_part: null,
    html_part: '',
    headers: null,
  });
  const sent = { ...letter, status: 'sent', claimed_by: null, headers: null };
  assert.deepEqual(arrive('message', sent), sent);
  const phone = { verified_at: '2026-07-01', code_hash: '\\x00', code_expires_at: '2026-07-01', codes: 3 };
  assert.deepEqual(arrive('sms_account', { ...phone, code_tries: 2, codes_since: '2026-07-01' }), {
    verified_at: null,
    code_hash: null,
    code_expires_at: null,
    code_tries: 0,
    codes: 0,
    codes_since: null,
  });
  assert.equal(arrive('application_secret', { kind: 'direct_auth' }), null);
});

const EVIL = 'Ada\u2028https://evil.example/x';
const CLEAN = 'Ada https evil. example x';

test('names of people in a file are cleaned of what no form takes, and the import says so', () => {
  const resets = new Resets();
  const arrived = (table: string, row: Record<string, unknown>) => arrivingRow(arriving.tables[table], row, resets)!;
  const customer = arrived('customer', { email: 'ada@example.com', first_name: EVIL, last_name: '@' });
  assert.deepEqual([customer.first_name, customer.last_name], [CLEAN, null]);
  const staff = arrived('staff', { email: 'ada@example.com', first_name: EVIL, last_name: '@' });
  assert.deepEqual([staff.first_name, staff.last_name], [CLEAN, '?']);
  assert.equal(arrived('instructor', { name: EVIL }).name, CLEAN);
  assert.equal(
    arrived('gift_card', { recipient_email: null, recipient_name: EVIL, message: null }).recipient_name,
    CLEAN,
  );
  const card = arrived('gift_card', { recipient_email: null, recipient_name: 'Ada', message: EVIL });
  assert.equal(card.message, null);
  const good = { email: null, first_name: 'Zoë', last_name: null };
  assert.deepEqual(arrived('customer', good), good);
  assert.deepEqual(
    [...resets.counts],
    [
      ['name that held an address or invisible characters, and was cleaned', 6],
      ['message that held an address, and was removed', 1],
    ],
  );
});

test('names of accounts in a file are cleaned too', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const account = {
      id: 4_000_000,
      email: 'evil.name@example.com',
      email_confirmed_at: null,
      first_name: EVIL,
      last_name: 'Marsh',
      created_at: '2026-07-01T00:00:00Z',
      disabled_at: null,
      password_changed_at: null,
      totp_confirmed_at: null,
      secrets: JSON.stringify({ password_hash: null, totp_secret: null, recovery_codes: [] }),
    };
    const resets = new Resets();
    const now = Date.parse('2026-07-15T15:00:00Z');
    const { id } = await movingAccounts.bring(client, account, new SecretBox([Buffer.from(SECRET_KEY, 'base64')]), {
      resets,
      now,
    });
    const { rows } = await client.query('SELECT first_name, last_name FROM user_account WHERE id = $1', [id]);
    assert.deepEqual(rows, [{ first_name: CLEAN, last_name: 'Marsh' }]);
    assert.ok(resets.counts.has('new account whose name held an address or invisible characters, and was cleaned'));
  } finally {
    await client.end();
  }
});
