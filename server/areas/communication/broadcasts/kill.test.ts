/**
 * What is left of a broadcast when the process that writes and sends it is killed outright: real processes, a real
 * mail server.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, until } from '../../../test/storm.ts';
import { CountingServer } from '../../../test/counting-server.ts';
import { fill, install, serve, type Installed, type Served } from '../../../test/durable.ts';

let here: Installed;
let dataDir: string;
let client: pg.Client;
const running: Served[] = [];
before(async () => {
  here = await install();
  dataDir = mkdtempSync(join(tmpdir(), 'rollcall-broadcast-'));
  client = await beside(here.url);
});
after(async () => {
  for (const { process } of running)
    if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL');
  await client.end();
  await here.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

const PEOPLE = 1000;
const QUIET = 100;
/**
 * A kill that falls between the note of the last byte and the byte itself loses that message, and the ledger says that it
 * is not confirmed: docs/adr/0013-sending.md. The two calls are next to each other, so it is rare, and never a second one.
 */
const BETWEEN_TWO_CALLS = 1;
/** Long, so that many portions are needed. */
const MESSAGE = `Dear {{customer.last_name}}, ${'words '.repeat(1600)}`;

test('a worker killed again and again while it writes and sends a broadcast to 1,000 leaves nobody out and nobody gets two', async () => {
  const mail = new CountingServer();
  const smtp = await mail.listen();
  await fill(here, PEOPLE + QUIET, { n: 1, places: null });
  await client.query(
    'UPDATE customer SET is_opted_into_broadcast_messages = true WHERE id IN (SELECT id FROM customer ORDER BY id LIMIT $1)',
    [PEOPLE],
  );
  const server = await serve(here.url);
  running.push(server);
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`${server.url}/api/v2/communication/broadcast_messages${path}`, {
      method,
      headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const start = async (): Promise<Served> => {
    const worker = await serve(here.url, {
      ROLE: 'worker',
      SMTP_URL: smtp,
      MAIL_FROM: 'no-reply@rollcall.example',
      DATA_DIR: dataDir,
    });
    running.push(worker);
    return worker;
  };
  const content = { message: MESSAGE, use_case: 'marketing', channel: 'email', subject: 'News' };
  const { id } = await ask('POST', '', { ...content, target_recipients: { query_type: 'customer', query: {} } });
  assert.equal((await ask('POST', `/${id}/send`, content)).status, 'sending');
  const row = async () =>
    (
      await client.query('SELECT status, written, recipient_counts AS counts FROM broadcast_message WHERE id = $1', [
        id,
      ])
    ).rows[0];

  // In the midst of writing it, more than once.
  let kills = 0;
  for (const at of [1, 400]) {
    const worker = await start();
    await until(`${at} are written`, async () => (await row()).counts.customers >= at);
    await worker.end('SIGKILL');
    kills += (await row()).written ? 0 : 1;
  }
  assert.ok(kills > 0, 'it was killed before all was written');
  // In the midst of sending it, as a mail comes in.
  for (const more of [50, 300]) {
    const worker = await start();
    const killed = Promise.withResolvers<void>();
    const before = mail.total;
    mail.onMail = () => {
      if (mail.total >= Math.min(before + more, PEOPLE - 20)) killed.resolve(worker.end('SIGKILL').then(() => {}));
      return undefined;
    };
    await killed.promise;
    mail.onMail = undefined;
  }
  const worker = await start();
  await until('the broadcast is sent', async () => (await row()).status === 'sent');

  const { rows: people } = await client.query<{
    email: string;
    agreed: boolean;
    messages: number;
    unconfirmed: boolean;
    reason: string | null;
  }>(
    `SELECT c.email, c.is_opted_into_broadcast_messages AS agreed, (SELECT count(*)::int FROM message m WHERE m.customer_id = c.id) AS messages,
            EXISTS (SELECT FROM message m WHERE m.customer_id = c.id AND NOT m.confirmed) AS unconfirmed,
            (SELECT reason FROM broadcast_exclusion x WHERE x.customer_id = c.id AND x.broadcast_message_id = $1) AS reason FROM customer c`,
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
    (await client.query(`SELECT count(*)::int AS n FROM feed_item WHERE kind = 'broadcast_message.sent'`)).rows[0].n,
    1,
  );
  assert.equal((await client.query('SELECT used::int FROM email_quota_use')).rows[0].used, PEOPLE);
  assert.deepEqual(await Promise.all([worker, server].map((s) => s.end('SIGTERM'))), [0, 0]);
  await mail.close();
});
