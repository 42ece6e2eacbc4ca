import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { request } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { until } from '../storm.ts';
import { Installation, stop, type Ended, type Running } from '../installation.ts';

/** The past of the demo is written within seconds; a busy machine takes longer. */
const PAST_MS = 60_000;

let one: Installation;
let running: Running | undefined;

/** Returns the service of the first installation, still running from the previous test or started now. */
const served = async (): Promise<Running> => (running ??= await one.start());

async function ended(signal?: NodeJS.Signals): Promise<Ended> {
  const last = await served();
  running = undefined;
  return stop(last, signal);
}

before(() => {
  one = new Installation();
});
after(async () => {
  await one.remove();
});

/** Returns the command lines of Node processes that a process has started. */
const nodesOf = ({ pid }: Running['child']): string[] =>
  execFileSync('ps', ['-A', '-o', 'ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.trimStart().startsWith(`${pid} `) && line.includes('rollcall.mjs'));

const get = (base: string, path: string, token: string) =>
  fetch(`${base}/api/v2${path}`, { headers: { authorization: `Bearer ${token}` } });

// Guards against: Secrets on the disk
test('the first start creates the demo business, prints ready once, and keeps its secrets in a private file', async () => {
  const running = await served();
  assert.match(running.base, /^http:\/\/127\.0\.0\.1:\d+$/);
  const file = join(one.dataDir, 'demo-credentials.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const known = one.credentials();
  assert.deepEqual(Object.keys(known), [
    'base_url',
    'provider_id',
    'm2m_token',
    'owner',
    'customer',
    'instructor',
    'desk',
  ]);
  assert.equal(known.base_url, running.base);
  for (const { password } of [known.owner, known.customer, known.instructor, known.desk])
    assert.ok(
      running.lines.some((line) => line.includes(password)),
      'the first start shows the passwords',
    );
  const answer = await get(running.base, `/providers/${known.provider_id}`, known.m2m_token);
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as any).name, 'Harbour Lane Studio');
  const read = async (path: string): Promise<any> => (await get(running.base, path, known.m2m_token)).json();
  // The past is written while the service answers already, and the payment that fails is tried afterwards.
  const failed = () => read('/invoices?status=failed,retrying&expand=payer');
  await until('the payment of a member fails', async () => (await failed()).count === 1, PAST_MS, 200);
  await until('the process that created the demo ends', async () => nodesOf(running.child).length === 0, PAST_MS, 200);
  const events = (await read('/events?page_size=250')).results;
  assert.equal(
    events.length,
    111,
    'six classes on fourteen days, six dates of a course, and a class on 21 days before',
  );
  const page = await fetch(`${running.base}/`, { headers: { accept: 'text/html', 'accept-language': 'de' } });
  const home = await page.text();
  assert.match(home, /<html lang="de/);
  const [, course] = /href="([^"]+\/courses\/\d+)"><strong>Six Weeks to Yoga/.exec(home)!;
  assert.match(await (await fetch(running.base + course)).text(), /Afternoons[^]*\$132\.00[^]*7 spots left/);
  // The dashboard is built before the service says that it is ready.
  assert.match(await (await fetch(`${running.base}/dashboard`)).text(), /src="\/dashboard\/assets\//);
  const held = (
    (await (
      await get(running.base, '/customer_memberships?expand=membership&fields=status,membership.type', known.m2m_token)
    ).json()) as any
  ).results;
  assert.deepEqual(
    held.slice(0, 4).map((h: any) => [h.status, h.membership.type]),
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
  const waiting = events.filter((e: any) => e.waiting_count > 0);
  assert.ok(waiting.length > 0);
  for (const e of waiting) assert.deepEqual([e.attending_count, e.max_occupancy, e.waiting_count], [4, 4, 2]);
  assert.equal((await failed()).results[0].payer.name, 'Jonas Weber');
  assert.equal((await read('/counter/sales')).count, 20);
  const risks = await read('/reports/members_at_risk/data?columns=customer_name');
  assert.deepEqual(risks.rows.map(({ customer }: any) => customer.name).toSorted(), [
    'Iris Novak',
    'Jonas Weber',
    'Kira Lund',
  ]);
  await until('the workflow ran', async () => (await read('/crm/workflow_runs?status=done')).count === 1, PAST_MS, 200);
  assert.equal((await read('/attendances?status=no_show')).count > 5, true);
  const library = (await read('/content_collections?fields=name,access,content_count')).results;
  assert.deepEqual(library, [
    { name: 'Start at home', access: 'all_customers', content_count: 3 },
    { name: 'Reformer library', access: 'restricted', content_count: 3 },
  ]);
  assert.equal((await read('/reports/content_views/data')).total, 13, 'nine customers, and four members');
});

test('a second server on the same folder is refused with the process that uses it', async () => {
  const running = await served();
  const refused = await one.run(['start']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, new RegExp(`in use by process ${running.child.pid}.*Remedy`));
  assert.doesNotMatch(refused.err, /\n\s+at /, 'no stack');
  assert.equal((await get(running.base, '/providers', one.credentials().m2m_token)).status, 200);
});

test('commands work while the server is running: tokens are created, listed and revoked', async () => {
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
    ['maya@demo.example', 'Maya Lindqvist'],
    ['desk@demo.example', 'Noor Haddad'],
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

test('the operator approves applications by command, and the key is printed once', async () => {
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

test('a request in progress at SIGTERM is answered, and its writes are kept', async () => {
  const ending = await served();
  running = undefined;
  const { provider_id: providerId, m2m_token: token } = one.credentials();
  const url = readFileSync(join(one.dataDir, 'postgres.url'), 'utf8').trim();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The request waits for this lock, so it is certainly in progress when the signal arrives.
  await client.query('BEGIN; LOCK TABLE customer IN ACCESS EXCLUSIVE MODE');
  const body = JSON.stringify({ first_name: 'Late', last_name: 'Comer', email: 'late@example.com' });
  const sent = request(`${ending.base}/api/v2/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.end(body);
  const answered = once(sent, 'response');
  await waitFor(async () => {
    // Within a transaction, the view keeps its first snapshot.
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
  assert.equal(last.out.split('\n').filter((line) => line.startsWith('ready')).length, 1);
  assert.equal(
    last.err.split('\n').filter((line) => line.includes('SMTP_URL is not set')).length,
    1,
    'that no mail is sent is said once',
  );
  const again = await served();
  const found = (await (await get(again.base, '/customers?query=late@example.com', token)).json()) as any;
  assert.equal(found.results.length, 1, `of provider ${providerId}`);
});

test('the second start creates nothing new and shows no secret again', async () => {
  const before = one.credentials();
  const running = await served();
  assert.deepEqual(one.credentials(), { ...before, base_url: running.base });
  assert.ok(!running.lines.some((line) => line.includes(before.owner.password)));
  const list = (await (await get(running.base, '/providers', before.m2m_token)).json()) as any;
  assert.equal(list.results.length, 1);
});

test('after kill -9, the service starts again with all its data', async () => {
  assert.equal((await ended('SIGKILL')).code, null);
  const again = await served();
  assert.equal((await get(again.base, '/providers', one.credentials().m2m_token)).status, 200);
  const last = await ended('SIGINT');
  assert.equal(last.code, 0, last.err);
  assert.ok(!existsSync(join(one.dataDir, 'postgres.url')));
});

test('a failed start is reported with its cause and remedy, without a stack trace', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const port = String((blocker.address() as { port: number }).port);
  const untouched = join(one.dataDir, 'untouched');
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: port, DATA_DIR: untouched }, new RegExp(`Port ${port} is in use.*Remedy`)],
    [{ DATABASE_URL: 'postgres://a,b/x?target_session_attrs=standby' }, /target_session_attrs=standby.*Remedy/],
    [{ PORT: 'eighty' }, /PORT must be a whole number.*"eighty".*Remedy/],
  ];
  for (const [env, message] of cases) {
    const { code, err } = await one.command(['start'], env);
    assert.equal(code, 1);
    assert.match(err, message);
    assert.doesNotMatch(err, /\n\s+at |secret/);
  }
  assert.ok(!existsSync(join(untouched, 'postgres')), 'the port is checked before the database is created');
  blocker.close();
});

test('an unknown command line ends with exit code 2 and suggests the nearest command', async () => {
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

/** Polls until the condition holds; the runner's own limit ends a wait that never succeeds. */
async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
