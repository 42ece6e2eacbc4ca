/** Mail without a configured mail server: kept, read by the operator, and shown to developers on this machine. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { askToResetPassword, createUser } from '../../areas/people/identity/index.ts';
import { createApp, type App } from '../../app.ts';
import { Desk } from '../desk.ts';
import { listKept } from '../../kernel/base/mail/outbox.ts';
import { readConfig } from '../../config.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { startWorld, type World } from '../world.ts';
import { until } from '../storm.ts';

let world: World;
let desk: Desk;
before(async () => {
  world = await startWorld({ worker: true });
  desk = new Desk(world.databaseUrl);
});
after(async () => {
  await world?.close();
  desk?.remove();
});

/** Creates an app that logs to `lines`. */
function appWith(
  env: Record<string, string>,
  { development = false, lines = [] }: { development?: boolean; lines?: string[] } = {},
): App {
  const config = readConfig({ HOST: '127.0.0.1', ROLE: 'server', SECRET_KEY, RATE_LIMIT: 'off', PORT: '0', ...env });
  return createApp({
    config: { ...config, port: 0 },
    databaseUrl: world.databaseUrl,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    drainMs: 0,
    development,
  });
}

/** Requests a link to set a password, and waits until the mail is kept. */
async function keptMail(email: string) {
  await world.app.db.acrossTenants('a test makes an account', (tx) =>
    createUser(tx, { email, password: 'otter kettle midnight ferry', firstName: '<b>Ada</b>' }),
  );
  await askToResetPassword(world.app.accounts, email, {
    address: '198.51.100.1',
    agent: '',
    providerId: world.harbour,
  });
  return until('the mail is kept', async () => (await listKept(world.app.db)).find((m) => m.recipient === email));
}

test('the operator lists and reads unsent mail, and its link works', async () => {
  const [first, second] = [await keptMail('ada@example.com'), await keptMail('joan@example.com')];
  const listed = await desk.run(['mail', 'list']);
  assert.equal(listed.code, 0, listed.err);
  const rows = listed.out
    .split('\n')
    .slice(1, 3)
    .map((line) => line.split(/ {2,}/));
  assert.deepEqual(
    rows.map(([id, provider, , to, subject]) => [id, provider, to, subject]),
    [
      [String(second.id), String(world.harbour), 'joan@example.com', 'Set a new password for Harbour'],
      [String(first.id), String(world.harbour), 'ada@example.com', 'Set a new password for Harbour'],
    ],
  );
  assert.doesNotMatch(listed.out, /ticket=/, 'a list holds no links');
  const shown = await desk.run(['mail', 'show', String(first.id)]);
  assert.match(
    shown.out,
    /^From: Harbour <rollcall@localhost>\nTo: ada@example\.com\nSubject: Set a new password for Harbour\nDate: 2.*Z\n\n/,
  );
  const link = new URL(/https?:\/\/\S+reset-password\?ticket=\S+/.exec(shown.out)![0]);
  assert.equal(link.origin, world.url);
  assert.match(await (await fetch(link)).text(), /name="ticket" value="rct_/);
  assert.match((await desk.run(['mail', 'show', String(first.id), '--html'])).out, /^<!doctype html>[^]*ticket=/);
  const none = await desk.run(['mail', 'show', '987654']);
  assert.equal(none.code, 1);
  assert.match(none.err, /no email 987654\. Remedy: see "rollcall mail list"/);
  assert.equal((await desk.run(['mail', 'show', 'first'])).code, 2);
});

/** Requests a page as a browser on this machine does, or under another name or from elsewhere. */
async function page(
  app: App,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const sent = request(app.listeningAt + path, { headers });
  sent.end();
  const [response] = await once(sent, 'response');
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, headers: response.headers, text };
}

test('a message without a configured carrier is kept, and its record does not claim that it was sent', async () => {
  const email = 'grace@example.com';
  const made = await world.post('/customers', {
    as: world.machine,
    body: { first_name: 'Grace', last_name: 'Hopper', email },
  });
  const entry = await until(
    'the ledger has it',
    async () => (await world.get(`/customers/${made.body.id}/messages`, { as: world.machine })).body.results[0],
  );
  assert.deepEqual([entry.kind, entry.status, entry.sent_at], ['invitation', 'kept', null]);
  assert.equal(
    (await world.get(`/customers/${made.body.id}/messages?status=kept`, { as: world.machine })).body.count,
    1,
  );
  const checked = await desk.run(['doctor']);
  assert.match(checked.out, /emails of the last week were kept instead of being sent/);
});

// Guards against: Reading kept mail, with its live links, over the web
test('a developer on this machine can read the mail as pages, and nobody else can', async (t) => {
  const mail = await keptMail('katherine@example.com');
  const app = appWith({ TRUST_PROXY: 'on', LOG_LEVEL: 'silent' }, { development: true });
  t.after(() => app.close());
  await app.listen();
  const list = await page(app, '/dev/mail');
  assert.equal(list.status, 200, list.text);
  assert.ok(
    list.text.includes(`<a href="/dev/mail/${mail.id}">Set a new password for Harbour</a> to katherine@example.com`),
  );
  const one = await page(app, `/dev/mail/${mail.id}`);
  assert.match(one.text, /<a href="http:\/\/[^"]+\/reset-password\?ticket=rct_[\w-]+">/);
  assert.match(one.text, /&lt;b&gt;Ada&lt;\/b&gt;/);
  assert.doesNotMatch(one.text, /<b>Ada/);
  assert.equal(one.text.match(new RegExp(`<iframe [^>]*src="/dev/mail/${mail.id}/html"`, 'g'))?.length, 2);
  assert.match(one.text, /<h2>Source<\/h2><pre[^>]*>&lt;!doctype html&gt;/);
  assert.match(String(one.headers['content-security-policy']), /frame-src 'self'; frame-ancestors 'none'/);
  const html = await page(app, `/dev/mail/${mail.id}/html`);
  assert.match(
    html.text,
    /^<!doctype html>[^]*<a href="http:[^"]+ticket=rct_[^]*&lt;b&gt;Ada&lt;\/b&gt;|&lt;b&gt;Ada&lt;\/b&gt;[^]*<a href="http:[^"]+ticket=rct_/,
  );
  assert.match(String(html.headers['content-security-policy']), /frame-ancestors 'self'/);
  for (const { headers } of [list, one, html]) {
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/);
    assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'no-referrer']);
  }
  const paths = ['/dev/mail', `/dev/mail/${mail.id}`, `/dev/mail/${mail.id}/html`];
  for (const path of paths) {
    assert.equal((await page(app, path, { host: 'localhost:8080' })).status, 200);
    // Another site's name that resolves to this machine, and a browser behind a proxy.
    for (const headers of [
      { host: 'evil.example' },
      { host: 'localhost.evil.example' },
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { 'x-real-ip': '127.0.0.1' },
      { 'x-forwarded-host': 'localhost' },
    ] as Record<string, string>[]) {
      const answer = await page(app, path, headers);
      assert.equal(answer.status, 404, JSON.stringify(headers));
      assert.doesNotMatch(answer.text, /katherine|ticket=/);
    }
  }
  for (const id of ['987654', 'x', '0', '1e3', `${mail.id}x`])
    assert.equal((await page(app, `/dev/mail/${id}`)).status, 404, id);
  for (const path of paths)
    assert.equal((await fetch(world.url + path)).status, 404, 'a service that is not developed on has no such pages');
  const sending = appWith(
    { SMTP_URL: 'smtp://localhost:2525', MAIL_FROM: 'mail@rollcall.example', LOG_LEVEL: 'silent' },
    { development: true },
  );
  t.after(() => sending.close());
  await sending.listen();
  for (const path of paths) assert.equal((await page(sending, path)).status, 404, 'nor has one with a mail server');
});

/** Returns how often a start logs that no mail is sent. */
async function said(env: Record<string, string>): Promise<number> {
  const lines: string[] = [];
  await appWith(env, { lines }).close();
  return lines.filter((line) => line.includes('SMTP_URL')).length;
}

test('a start without a mail server logs once that mail is kept, and a start with one does not', async () => {
  assert.equal(await said({}), 1);
  assert.equal(await said({ SMTP_URL: 'smtp://localhost:2525', MAIL_FROM: 'mail@rollcall.example' }), 0);
});
