import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { request } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { PageClient } from './page-client.ts';
import { Installation, stop, type Ended, type Running } from './installation.ts';
import { secretBoxOf } from '../kernel/secret-box.ts';

let one: Installation;
let other: Installation;
let running: Running | undefined;

/** The service of the first installation, as the test before left it or started now. */
const served = async (): Promise<Running> => (running ??= await one.start());

async function ended(signal?: NodeJS.Signals): Promise<Ended> {
  const last = await served();
  running = undefined;
  return stop(last, signal);
}

before(() => {
  [one, other] = [new Installation(), new Installation()];
});
after(async () => {
  await one.remove();
  await other.remove();
});

const get = (base: string, path: string, token: string) =>
  fetch(`${base}/api/v2${path}`, { headers: { authorization: `Bearer ${token}` } });

test('the first start makes the demo business, says ready once, and keeps its secrets in a private file', async () => {
  const running = await served();
  assert.match(running.base, /^http:\/\/127\.0\.0\.1:\d+$/);
  const file = join(one.dataDir, 'demo-credentials.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const known = one.credentials();
  assert.deepEqual(Object.keys(known), ['base_url', 'provider_id', 'm2m_token', 'owner', 'customer']);
  assert.equal(known.base_url, running.base);
  assert.ok(
    running.lines.some((line) => line.includes(known.owner.password)),
    'the first start shows the passwords',
  );
  const answer = await get(running.base, `/providers/${known.provider_id}`, known.m2m_token);
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as any).name, 'Harbour Lane Studio');
  const events = ((await (await get(running.base, '/events?page_size=100', known.m2m_token)).json()) as any).results;
  assert.equal(events.length, 90, 'six classes on each of fourteen days, and six dates of a course');
  const page = await fetch(`${running.base}/`, { headers: { accept: 'text/html', 'accept-language': 'de' } });
  const home = await page.text();
  assert.match(home, /<html lang="de/);
  const [, course] = /href="([^"]+\/courses\/\d+)"><strong>Six Weeks to Yoga/.exec(home)!;
  assert.match(await (await fetch(running.base + course)).text(), /Afternoons[^]*\$132\.00[^]*7 spots left/);
  const held = (
    (await (
      await get(running.base, '/customer_memberships?expand=membership&fields=status,membership.type', known.m2m_token)
    ).json()) as any
  ).results;
  assert.deepEqual(
    held.map((h: any) => [h.status, h.membership.type]),
    [
      ['active', 'pack'],
      ['active', 'recurring_plan'],
      ['active', 'recurring_plan'],
      ['active', 'prepaid_plan'],
    ],
  );
  const used = ((await (await get(running.base, '/customer_memberships/1/usage', known.m2m_token)).json()) as any)
    .usage_periods;
  assert.deepEqual(
    used.map((p: any) => [p.period_type, p.max_uses, p.used_count]),
    [['total', 10, 6]],
  );
  assert.deepEqual(
    events
      .filter((e: any) => e.waiting_count > 0)
      .map((e: any) => [e.attending_count, e.max_occupancy, e.waiting_count]),
    [[4, 4, 2]],
  );
  const last = await ended();
  assert.equal(last.code, 0, last.err);
  assert.equal(last.out.split('\n').filter((line) => line.startsWith('ready')).length, 1);
  assert.equal(
    last.err.split('\n').filter((line) => line.includes('SMTP_URL is not set')).length,
    1,
    'that no mail is sent is said once',
  );
});

test('the second start makes nothing anew and shows no secret again', async () => {
  const before = one.credentials();
  const running = await served();
  assert.deepEqual(one.credentials(), { ...before, base_url: running.base });
  assert.ok(!running.lines.some((line) => line.includes(before.owner.password)));
  const list = (await (await get(running.base, '/providers', before.m2m_token)).json()) as any;
  assert.equal(list.results.length, 1);
});

test('a second server on the same folder is refused with the process that uses it', async () => {
  const running = await served();
  const refused = await one.run(['start']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, new RegExp(`in use by process ${running.child.pid}.*Remedy`));
  assert.doesNotMatch(refused.err, /\n\s+at /, 'no stack');
  assert.equal((await get(running.base, '/providers', one.credentials().m2m_token)).status, 200);
});

test('commands work beside the running server: tokens are made, listed, and end', async () => {
  const running = await served();
  const { provider_id: providerId } = one.credentials();
  const made = await one.run([
    'token',
    'create',
    '--provider',
    String(providerId),
    '--name',
    'till',
    '--expires',
    '2199-01-01',
  ]);
  assert.equal(made.code, 0, made.err);
  const token = made.out.trim();
  assert.equal((await get(running.base, '/providers', token)).status, 200);
  const listed = await one.command(['token', 'list']);
  assert.match(listed.out, /till .*works/);
  assert.ok(!listed.out.includes(token));
  const id = /^(\d+) .* till /m.exec(listed.out)![1];
  assert.equal((await one.command(['token', 'revoke', id])).code, 0);
  assert.equal((await get(running.base, '/providers', token)).status, 401);

  for (const [email, name] of [
    ['owner@demo.example', 'Robin Hale'],
    ['customer@demo.example', 'Sam Okafor'],
  ]) {
    assert.match((await one.command(['account', 'show', email])).out, new RegExp(`^name +${name}$`, 'm'));
  }

  const operator = await one.command(['operator-token', 'create', '--name', 'console']);
  assert.match(operator.out, /^rco_/);
  assert.equal(
    (await get(running.base, '/providers', operator.out.trim())).status,
    400,
    'it reaches every business and must name one',
  );
  const own = /^(\d+) +console .*works/m.exec((await one.command(['operator-token', 'list'])).out)![1];
  assert.equal((await one.command(['operator-token', 'revoke', own])).code, 0);
  assert.equal((await get(running.base, '/providers', operator.out.trim())).status, 401);
});

test('the operator decides about applications by commands, and the key is printed once', async () => {
  const running = await served();
  const { m2m_token } = one.credentials();
  const call = async (path: string, body: object): Promise<any> =>
    (
      await fetch(`${running.base}/api/v2${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${m2m_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json();
  const { id } = await call('/applications', { name: 'Front desk', domain: 'desk.example.com', scopes: ['read'] });
  const early = await one.command(['application', 'approve-direct-auth', String(id)]);
  assert.equal(early.code, 1);
  assert.match(early.err, /must send its use case first/);
  await call(`/applications/${id}/request_direct_auth`, {
    use_case: 'Our members log in on the kiosk at the front desk, which has no browser.',
  });
  assert.match((await one.command(['application', 'list'])).out, /Front desk +no +no +requested +Our members log in/);

  const approved = await one.command(['application', 'approve-direct-auth', String(id)]);
  assert.match(approved.out.trim(), /^rcd_[\w-]{49}$/, approved.err);
  assert.equal((await one.command(['application', 'approve-direct-auth', String(id)])).code, 1);
  const login = () =>
    call('/auth/password_login', {
      username: 'nobody@example.com',
      password: 'x',
      direct_auth_key: approved.out.trim(),
    });
  assert.equal((await login()).code, 'authentication_failed');
  assert.equal((await one.command(['application', 'refuse-direct-auth', String(id)])).code, 2);
  const refused = await one.command([
    'application',
    'refuse-direct-auth',
    String(id),
    '--reason',
    'Complaints of members.',
  ]);
  assert.equal(refused.code, 0, refused.err);
  assert.equal((await login()).code, 'permission_denied');

  assert.equal((await one.command(['application', 'set', String(id), '--first-party', 'perhaps'])).code, 2);
  assert.equal((await one.command(['application', 'set', String(id)])).code, 2);
  const set = await one.command([
    'application',
    'set',
    String(id),
    '--first-party',
    'yes',
    '--installation-wide',
    'yes',
  ]);
  assert.equal(set.code, 0, set.err);
  assert.match((await one.command(['application', 'list'])).out, /Front desk +yes +yes +refused/);
  assert.equal((await one.command(['application', 'set', '987654', '--first-party', 'no'])).code, 1);
});

test('a request that is under way at SIGTERM is answered, and what it wrote is kept', async () => {
  const ending = await served();
  running = undefined;
  const { provider_id: providerId, m2m_token: token } = one.credentials();
  const url = readFileSync(join(one.dataDir, 'postgres.url'), 'utf8').trim();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The request waits for this lock, so that it is surely under way when the signal comes.
  await client.query('BEGIN; LOCK TABLE customer IN ACCESS EXCLUSIVE MODE');
  const body = JSON.stringify({ first_name: 'Late', last_name: 'Comer', email: 'late@example.com' });
  const sent = request(`${ending.base}/api/v2/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.end(body);
  const answered = once(sent, 'response');
  await waitFor(async () => {
    // Within a transaction the view keeps showing what it showed first.
    await client.query('SELECT pg_stat_clear_snapshot()');
    return (
      (
        await client.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        )
      ).rowCount! > 0
    );
  });
  ending.child.kill('SIGTERM');
  ending.child.kill('SIGINT');
  await waitFor(
    async () =>
      await fetch(`${ending.base}/healthz`).then(
        () => false,
        () => true,
      ),
  );
  await client.query('COMMIT');
  await client.end();
  const [response] = await answered;
  assert.equal(response.statusCode, 201);
  response.resume();
  const last = await ending.ended;
  assert.equal(last.code, 0, last.err);
  const again = await served();
  const found = (await (await get(again.base, '/customers?query=late@example.com', token)).json()) as any;
  assert.equal(found.results.length, 1, `of provider ${providerId}`);
});

test('after kill -9 it starts again and has everything', async () => {
  assert.equal((await ended('SIGKILL')).code, null);
  const again = await served();
  assert.equal((await get(again.base, '/providers', one.credentials().m2m_token)).status, 200);
  const last = await ended('SIGINT');
  assert.equal(last.code, 0, last.err);
  assert.ok(!existsSync(join(one.dataDir, 'postgres.url')));
});

test('a backup restored into another folder keeps everything, and is refused where something is', async () => {
  const file = join(one.dataDir, 'everything.backup');
  const written = await one.run(['backup', file]);
  assert.equal(written.code, 0, written.err);
  const restored = await other.run(['restore', file]);
  assert.equal(restored.code, 0, restored.err);
  const running = await other.start();
  const answer = await get(running.base, '/customers?query=late@example.com', one.credentials().m2m_token);
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
    await served();
    const client = new pg.Client({ connectionString: readFileSync(join(one.dataDir, 'postgres.url'), 'utf8').trim() });
    await client.connect();
    const box = secretBoxOf({ secretKeys: [], dataDir: one.dataDir });
    await client.query(
      `UPDATE user_account SET totp_secret = $1, totp_confirmed_at = now() WHERE email = 'owner@demo.example'`,
      [box.seal('totp:1', 'JBSWY3DPEHPK3PXP')],
    );
    await client.end();
    await ended();
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

test('without a demo the start prints the link of the set-up; a command makes a business too, and a link for its owner to set the password', async () => {
  const fresh = new Installation();
  try {
    const running = await fresh.start(['--no-demo'], { LOG_LEVEL: 'info' });
    const said = running.lines.join('\n');
    const setUp = new URL(/There is no business yet.*\n +(http\S+)/.exec(said)![1]);
    assert.equal(setUp.origin, running.base);
    const printed = await fresh.run(['set-up'], { PUBLIC_URL: running.base });
    assert.equal(printed.out.trim(), setUp.href, 'the command prints the same link');
    const visitor = new PageClient(running.base);
    const first = await visitor.get('/');
    assert.deepEqual([first.status, first.headers.get('location')], [303, '/set-up']);
    assert.match((await visitor.get(setUp.pathname + setUp.search)).text, /<h1>Your business<\/h1>/);
    const made = await fresh.run(
      [
        'provider',
        'create',
        '--name',
        'Harbour Lane',
        '--timezone',
        'America/Toronto',
        '--currency',
        'CAD',
        '--country',
        'CA',
        '--owner',
        'ada@example.com',
        '--owner-name',
        'Ada King Lovelace',
      ],
      { PUBLIC_URL: running.base },
    );
    assert.equal((await visitor.get(setUp.pathname + setUp.search)).status, 404, 'there is a business');
    const late = await fresh.command(['set-up']);
    assert.match(late.err, /There is a business already/);
    assert.equal(made.code, 0, made.err);
    const link = /https?:\S+/.exec(made.out)![0];
    assert.ok(made.out.startsWith('1\n') && link.startsWith(`${running.base}/account/1/invitation?ticket=`), made.out);

    const again = await fresh.run(['provider', 'invite-owner', 'ada@example.com', '--provider', '1'], {
      PUBLIC_URL: running.base,
    });
    assert.equal(again.code, 0, again.err);
    const newer = /https?:\S+/.exec(again.out)![0];
    const browser = new PageClient(running.base);
    assert.equal((await browser.get(link.slice(running.base.length))).status, 410, 'only the newest link works');
    const page = await browser.get(newer.slice(running.base.length));
    assert.match(page.text, /ada@example\.com/);
    const ticket = new URL(newer).searchParams.get('ticket')!;
    const entered = await browser.post('/account/1/invitation', {
      ticket,
      password: 'quiet otter seven lanterns',
      first_name: 'Ada',
      last_name: 'Lovelace',
    });
    assert.equal(entered.headers.get('location'), '/account/1/profile?done=accepted', entered.text);
    assert.match((await fresh.command(['account', 'show', 'ada@example.com'])).out, /1 +Harbour Lane +staff/);
    const third = await fresh.command(['provider', 'invite-owner', 'ada@example.com', '--provider', '1']);
    assert.match(third.err, /can already log in.*send-password-link/);
    assert.equal(
      (
        await fresh.command([
          'provider',
          'create',
          '--name',
          'B',
          '--timezone',
          'Europe/Paris',
          '--currency',
          'EUR',
          '--country',
          'FR',
          '--owner',
          'nobody',
        ])
      ).code,
      2,
    );
    const { err } = await stop(running);
    assert.equal(err.split('\n').filter((line) => line.includes('migration')).length, 1, 'migrations are one line');
    const later = await fresh.start(['--no-demo']);
    assert.ok(!later.lines.some((line) => line.includes('There is no business yet')));
    await stop(later);
  } finally {
    await fresh.remove();
  }
});

test('an import on a new folder makes the business it needs, and the second one changes nothing', async () => {
  const fresh = new Installation();
  try {
    const file = join(fresh.dataDir, 'schedule.csv');
    writeFileSync(
      file,
      '_id,Location ID,Course_ID,Course Title,Section,Age Min,Age Max,Date Range,Start Hour,Start Minute,End Hour,End Min,First Date,Last Date,DayOftheWeek\n1,5,7,Yoga,Fit,0,None,x,9,0,10,0,2026-01-05,2026-01-05,Monday\n',
    );
    const first = await fresh.run(['import', 'schedule', file]);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /Events: 1 created, 0 changed, 0 unchanged, 0 rejected/);
    assert.match(
      (await fresh.run(['import', 'schedule', file])).out,
      /Events: 0 created, 0 changed, 1 unchanged, 0 rejected/,
    );
    assert.equal(
      (
        await fresh.run([
          'provider',
          'create',
          '--name',
          'B',
          '--timezone',
          'Europe/Paris',
          '--currency',
          'EUR',
          '--country',
          'FR',
        ])
      ).out,
      '2\n',
    );
    const unsure = await fresh.run(['import', 'schedule', file]);
    assert.equal(unsure.code, 1);
    assert.match(unsure.err, /--provider 1 .*City Recreation/);
  } finally {
    await fresh.remove();
  }
});

test('what stands in the way of a start is told with its remedy, without a stack', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const port = String((blocker.address() as { port: number }).port);
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: port }, new RegExp(`Port ${port} is in use.*Remedy`)],
    [{ DATABASE_URL: 'postgres://a,b/x?target_session_attrs=standby' }, /target_session_attrs=standby.*Remedy/],
    [{ PORT: 'eighty' }, /PORT must be a whole number.*"eighty".*Remedy/],
  ];
  for (const [env, message] of cases) {
    const { code, err } = await one.run(['start'], env);
    assert.equal(code, 1);
    assert.match(err, message);
    assert.doesNotMatch(err, /\n\s+at |secret/);
  }
  blocker.close();
});

test('a command line that is not understood ends with 2 and names the nearest that would be', async () => {
  const cases: [string[], RegExp][] = [
    [['strat'], /Did you mean "rollcall start"/],
    [['token', 'creat'], /Did you mean "rollcall token create"/],
    [['start', '--no-dmo'], /Unknown option "--no-dmo".*Did you mean "--no-demo"/],
    [['token', 'create', '--provider'], /needs a value/],
    [['backup'], /FILE is missing/],
    [['backup', 'a', 'b'], /Unexpected "b"/],
  ];
  for (const { code, err, message } of [
    { ...(await one.run(cases[0][0])), message: cases[0][1] },
    ...(await Promise.all(cases.map(async ([args, message]) => ({ ...(await one.command(args)), message })))),
  ]) {
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
  const help = await one.command(['token', 'create', '--help']);
  assert.equal(help.code, 0);
  assert.match(help.out, /--expires DATE/);
});

/** Asks again until it is so; the runner's own limit ends a wait that never does. */
async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
