/**
 * The state of a broadcast after the process that writes and sends it is killed: real processes, a real mail server.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '../../../test/storm.ts';
import { CountingServer } from '../../../test/outside/counting-server.ts';
import { KillableInstallation } from '../../../test/processes/killed.ts';
import { fill } from '../../../test/processes/durable.ts';
import { everything, inTurns } from '../../../test/rare.ts';

let e: KillableInstallation;
let dataDir: string;
before(async () => {
  e = await KillableInstallation.install();
  dataDir = mkdtempSync(join(tmpdir(), 'rollcall-broadcast-'));
});
after(async () => {
  await e.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

/** More than a portion, which is limited by the characters of its messages. */
const PEOPLE = everything ? 1000 : 400;
const QUIET = 100;
/** Numbers of further messages after which it is killed. */
const SENT = [50, 200];
/**
 * A kill between the note of the last byte and the byte itself loses that message, and the ledger says that it is not
 * confirmed: docs/adr/0013-sending.md. The two calls are adjacent, so this is rare, and never happens twice.
 */
const BETWEEN_TWO_CALLS = 1;
/** Long, so that many portions are needed. */
const MESSAGE = `Dear {{customer.last_name}}, ${'words '.repeat(1600)}`;

// Guards against: A broadcast that is sent twice, or to only half of its recipients
test('a worker killed again and again while it writes and sends a broadcast leaves nobody out and sends nobody two', async () => {
  const mail = new CountingServer();
  const smtp = await mail.listen();
  const { customers } = await fill(e.here, PEOPLE + QUIET, { n: 1, places: null });
  await e.eye.query(
    `UPDATE customer SET is_opted_into_broadcast_messages = true
      WHERE id IN (SELECT id FROM customer ORDER BY id LIMIT $1)`,
    [PEOPLE],
  );
  const server = await e.alongside('server');
  const ask = async (method: string, path: string, body?: object): Promise<any> =>
    (await e.ask(server, method, `/communication/broadcast_messages${path}`, { body })).body;
  const sending = { SMTP_URL: smtp, MAIL_FROM: 'no-reply@rollcall.example', DATA_DIR: dataDir };
  const content = { message: MESSAGE, use_case: 'marketing', channel: 'email', subject: 'News' };
  const { id } = await ask('POST', '', { ...content, target_recipients: { query_type: 'customer', query: {} } });
  assert.equal((await ask('POST', `/${id}/send`, content)).status, 'sending');
  const row = async () =>
    (await e.eye.query('SELECT status, written, recipient_counts AS counts FROM broadcast_message WHERE id = $1', [id]))
      .rows[0];

  // In the middle of writing: a message waits for its customer, which the test has locked.
  await e.killAtEach([0, PEOPLE / 2], (at) => ({
    held: 'SELECT 1 FROM customer WHERE id = $1 FOR UPDATE',
    values: [customers[at]],
    victim: () => e.start('worker', sending),
    meanwhile: async () => assert.equal((await row()).written, false),
  }));
  // In the middle of sending, when an email arrives.
  for (const more of inTurns(SENT, SENT.length)) {
    const worker = await e.start('worker', sending);
    const killed = Promise.withResolvers<void>();
    const before = mail.total;
    mail.onMail = () => {
      if (mail.total >= Math.min(before + more, PEOPLE - 20)) killed.resolve(worker.end('SIGKILL').then(() => {}));
      return undefined;
    };
    await killed.promise;
    mail.onMail = undefined;
  }
  await e.alongside('worker', sending);
  await until('the broadcast is sent', async () => (await row()).status === 'sent');

  const { rows: people } = await e.eye.query<{
    email: string;
    agreed: boolean;
    messages: number;
    unconfirmed: boolean;
    reason: string | null;
  }>(
    `SELECT c.email, c.is_opted_into_broadcast_messages AS agreed,
      (SELECT count(*)::int FROM message m WHERE m.customer_id = c.id) AS messages,
            EXISTS (SELECT FROM message m WHERE m.customer_id = c.id AND NOT m.confirmed) AS unconfirmed,
            (SELECT reason FROM broadcast_exclusion x
              WHERE x.customer_id = c.id AND x.broadcast_message_id = $1) AS reason FROM customer c`,
    [id],
  );
  const times = (email: string) => mail.taken.get(email) ?? 0;
  const wrong = people.filter(
    ({ email, agreed, messages, unconfirmed, reason }) =>
      times(email) > (agreed ? 1 : 0) ||
      (times(email) < messages && !unconfirmed) ||
      messages !== (agreed ? 1 : 0) ||
      reason !== (agreed ? null : 'no_consent'),
  );
  assert.deepEqual(wrong, [], 'those who agreed got one, the others none, and the reason is written down');
  assert.ok(PEOPLE - mail.total <= BETWEEN_TWO_CALLS, `${PEOPLE - mail.total} were lost`);
  assert.deepEqual((await row()).counts, {
    customers: PEOPLE + QUIET,
    targeted: PEOPLE + QUIET,
    recipients: PEOPLE,
    excluded: [{ reason: 'no_consent', count: QUIET }],
  });
  assert.equal(
    (await e.eye.query(`SELECT count(*)::int AS n FROM feed_item WHERE kind = 'broadcast_message.sent'`)).rows[0].n,
    1,
  );
  assert.equal((await e.eye.query('SELECT used::int FROM email_quota_use')).rows[0].used, PEOPLE);
  await mail.close();
});
