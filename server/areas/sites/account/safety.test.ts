import assert from 'node:assert/strict';
import fastify from 'fastify';
import { after, before, test, type TestContext } from 'node:test';
import { accountPages, type AccountPagesOptions } from './index.ts';
import type { ConsentDesk } from '../frame/index.ts';
import { createUser } from '../../people/identity/index.ts';
import { Limits } from '../../../kernel/api/limits/limits.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { START } from '../../../test/clock.ts';

const PASSWORD = 'otter kettle midnight ferry';
const EMAIL = 'ada@example.com';

let world: World;
let limited: World;
const addUser = (at: World, email = EMAIL) =>
  at.app.db.acrossTenants('a test has an account', (tx) => createUser(tx, { email, password: PASSWORD }));
before(async () => {
  world = await startWorld();
  limited = await startWorld({ env: { RATE_LIMIT: 'on' } });
  await addUser(world);
});
after(async () => {
  for (const one of [world, limited]) await one?.close();
});

const at = (page: string, { harbour }: World = world) => `/account/${harbour}/${page}`;
const client = (of: World = world) => new PageClient(of.url);

async function loggedIn(of: World = world, fields: Record<string, string> = {}): Promise<PageClient> {
  const visitor = client(of);
  await visitor.get(at('log-in', of));
  const answer = await visitor.post(at('log-in', of), { email: EMAIL, password: PASSWORD, ...fields });
  assert.equal(answer.status, 303, answer.text);
  return visitor;
}

/** Serves the pages of the same accounts with other options. */
async function served(t: TestContext, other: Partial<AccountPagesOptions>): Promise<string> {
  const http = fastify();
  t.after(() => http.close());
  const { accounts, registry, pipeline, installation } = world.app;
  accountPages(http, {
    door: accounts,
    registry,
    pipeline,
    installation,
    limits: new Limits(false, () => START),
    metrics: { request() {} },
    publicUrl: undefined,
    ...other,
  });
  return http.listen({ port: 0, host: '127.0.0.1' });
}

const isLoggedIn = async (visitor: PageClient, of: World = world) =>
  (await visitor.get(at('profile', of))).status === 200;

const ask = (of: World, path: string, accept = 'text/html,application/xhtml+xml,*/*;q=0.8') =>
  fetch(of.url + path, { headers: { accept } });

test('a browser that requests an unknown path gets a page of the business with a link to continue, and a program a refusal', async () => {
  for (const path of [at('nowhere'), at('events/0'), at('profile/nowhere/at/all')]) {
    const answer = await ask(world, path);
    const text = await answer.text();
    assert.equal(answer.status, 404, path);
    assert.match(
      text,
      new RegExp(`<title>Page not found – Harbour</title>[^]*href="/harbour[^"]*">Go to Harbour</a>`),
      path,
    );
    assert.match(answer.headers.get('content-security-policy')!, /^default-src 'none'/);
  }
  const { slug } = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site;
  for (const path of [`/${slug}/nowhere`, `/${slug}/timetable/at/all?x=1`]) {
    const text = await (await ask(world, path)).text();
    assert.match(
      text,
      new RegExp(`<title>Page not found – Harbour</title>[^]*<a class="button" href="/${slug}">`),
      path,
    );
  }
  const several = await ask(world, '/nowhere');
  assert.deepEqual(
    [several.status, /Page not found – Rollcall/.test(await several.text())],
    [404, true],
    'of several businesses none is meant',
  );
  for (const path of ['/api/v2/nowhere', '/nowhere']) {
    const program = await ask(world, path, 'application/json');
    assert.deepEqual([program.status, ((await program.json()) as { code: string }).code], [404, 'not_found']);
  }
});

// Guards against: Another site submits a form in a person's name
test('a form without its token, or with a token of somebody else, of another page or from before the log-in, is refused', async () => {
  const [mine, other] = [client(), client()];
  await mine.get(at('log-in'));
  await other.get(at('log-in'));
  const fields = { email: EMAIL, password: PASSWORD };
  for (const token of [null, '', other.token, 'A'.repeat(86)]) {
    const answer = await mine.post(at('log-in'), fields, { token });
    assert.equal(answer.status, 403, String(token));
    assert.match(answer.text, /Please send that again/);
    assert.equal(mine.cookies.has('rollcall_session'), false);
  }
  const before = mine.token;
  assert.equal((await mine.post(at('log-in'), fields)).status, 303);
  await mine.get(at('profile'));
  assert.equal(
    (await mine.post(at('profile/name'), { first_name: 'A', last_name: 'B' }, { token: before })).status,
    403,
  );
  assert.equal((await mine.post(at('profile/name'), { first_name: 'A', last_name: 'B' })).status, 303);
  assert.equal(
    (await new PageClient(world.url).post(at('log-in'), fields, { token: before })).status,
    403,
    'without the cookie',
  );
});

test('a changed name leaves a trace that its person sees, and an unchanged one leaves none', async () => {
  const visitor = await loggedIn();
  const rename = async (first_name: string): Promise<number> => {
    await visitor.get(at('profile'));
    await visitor.post(at('profile/name'), { first_name, last_name: 'Lovelace' });
    return (await visitor.get(at('profile/settings'))).text.split('Name changed').length - 1;
  };
  const before = await rename('Augusta');
  assert.ok(before >= 1);
  assert.deepEqual([await rename('Augusta'), await rename('Ada')], [before, before + 1]);
});

// Guards against: Another site submits a form in a person's name
test('a form that the browser reports as cross-site is refused, whatever it contains', async () => {
  const visitor = client();
  await visitor.get(at('log-in'));
  const fields = { email: EMAIL, password: PASSWORD };
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];
  for (const headers of foreign) {
    assert.equal((await visitor.post(at('log-in'), fields, { headers })).status, 403, JSON.stringify(headers));
  }
  assert.equal(
    (await visitor.post(at('log-in'), fields, { headers: { 'sec-fetch-site': 'same-origin', origin: world.url } }))
      .status,
    303,
  );
});

test('forms are accepted at the address that a proxy reports, and an invalid host causes no failure', async () => {
  const proxied = await startWorld({ env: { TRUST_PROXY: 'on' } });
  try {
    const visitor = client(proxied);
    const page = `/account/${proxied.harbour}/log-in`;
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'club.example' };
    await visitor.get(page);
    const sent = (headers: Record<string, string>) =>
      visitor.post(page, { email: 'nobody@example.com', password: PASSWORD }, { headers });
    assert.equal((await sent({ ...forwarded, origin: 'https://club.example' })).status, 422);
    assert.equal((await sent({ ...forwarded, origin: 'https://evil.example' })).status, 403);
    for (const host of ['[', '::', '%', 'a:b:c', '@']) {
      assert.equal(
        (await sent({ ...forwarded, 'x-forwarded-host': host, origin: 'https://club.example' })).status,
        403,
        host,
      );
    }
  } finally {
    await proxied.close();
  }
});

test('the address of a client is the one that the nearest proxies report, whatever the client put before it', async () => {
  for (const [hops, network] of [
    ['on', '192.0.2.0/24'],
    ['2', '198.51.100.0/24'],
    ['off', '127.0.0.0/24'],
  ]) {
    const proxied = await startWorld({ env: { TRUST_PROXY: hops } });
    try {
      const email = `hops-${hops}@example.com`;
      const userId = await proxied.app.db.acrossTenants('a test has an account', (tx) =>
        createUser(tx, { email, password: PASSWORD }),
      );
      const visitor = client(proxied);
      const page = `/account/${proxied.harbour}/log-in`;
      const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7, 192.0.2.5' };
      await visitor.get(page);
      await visitor.post(page, { email, password: PASSWORD }, { headers });
      const [event] = await proxied.app.db.acrossTenants('a test reads what happened', (tx) =>
        tx.rows<{ network: string }>(sql`SELECT network FROM user_event WHERE user_id = ${userId}`),
      );
      assert.equal(event.network, network, hops);
    } finally {
      await proxied.close();
    }
  }
});

// Guards against: Another site submits a form in a person's name
test('no form of these pages acts without its token', async () => {
  const visitor = await loggedIn();
  const posts = [
    'log-in',
    'second-factor',
    'log-out',
    'sign-up',
    'confirm',
    'forgot-password',
    'reset-password',
    'invitation',
    'invitation/accept',
    'consent/allow',
    'consent/refuse',
  ];
  const ofProfile = [
    'name',
    'email',
    'password',
    'sessions/end',
    'sessions/end-others',
    'confirm',
    'join',
    'disconnect',
    'second-factor/begin',
    'second-factor/confirm',
    'second-factor/codes',
    'second-factor/off',
  ];
  for (const page of [...posts, ...ofProfile.map((name) => `profile/${name}`)])
    assert.equal((await visitor.post(at(page), {}, { token: null })).status, 403, page);
  assert.ok(await isLoggedIn(visitor));
});

test('the session is an HttpOnly same-site cookie, which the browser drops when it closes unless the person chose otherwise', async () => {
  const visitor = client();
  await visitor.get(at('log-in'));
  const short = (await visitor.post(at('log-in'), { email: EMAIL, password: PASSWORD })).setCookies.find((c) =>
    c.startsWith('rollcall_session='),
  )!;
  assert.match(short, /^rollcall_session=rcs_[\w-]{43,}; Path=\/; HttpOnly; SameSite=Lax$/);
  const kept = await loggedIn(world, { keep: 'on' });
  assert.match(
    kept.lastCookies.join('\n'),
    /^rollcall_session=kept\.rcs_[\w-]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/m,
  );
});

// Guards against: A session planted or stolen
test('over https, cookies are bound to it and to this host, and browsers are told to stay on https', async (t) => {
  const visitor = new PageClient(await served(t, { publicUrl: 'https://club.example' }));
  visitor.headers = { origin: 'https://club.example' };
  const shown = await visitor.get(at('log-in'));
  assert.match(shown.setCookies[0], /^__Host-rollcall_form=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  assert.equal(shown.headers.get('strict-transport-security'), 'max-age=31536000');
  const answer = await visitor.post(at('log-in'), { email: EMAIL, password: PASSWORD });
  assert.equal(answer.status, 303, answer.text);
  assert.match(
    answer.setCookies.join('\n'),
    /^__Host-rollcall_session=rcs_[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/m,
  );
  visitor.headers = { origin: world.url };
  assert.equal((await visitor.post(at('log-out'), {})).status, 403, 'a page of the plain address is none of ours');
});

test('no page reveals whether an address has an account', async () => {
  const shown = async (page: string, fields: Record<string, string>) => {
    const visitor = client();
    await visitor.get(at(page));
    const answer = await visitor.post(at(page), fields);
    return {
      status: answer.status,
      location: answer.headers.get('location')?.replace(/rct_[\w-]{49}$/, 'SECRET'),
      text: answer.text.replaceAll(/[\w-]{86}/g, 'TOKEN').replaceAll(fields.email, 'ADDRESS'),
      cookies: answer.setCookies,
    };
  };
  const [known, unknown] = ['ada@example.com', 'nobody@example.com'];
  assert.deepEqual(
    await shown('log-in', { email: known, password: 'wrong password here' }),
    await shown('log-in', { email: unknown, password: 'wrong password here' }),
  );
  assert.deepEqual(
    await shown('forgot-password', { email: known }),
    await shown('forgot-password', { email: unknown }),
  );
  const sign = (email: string) =>
    shown('sign-up', { first_name: 'Ada', last_name: 'Byron', email, password: PASSWORD });
  const signed = await sign(known);
  assert.deepEqual([signed.status, signed.location], [303, `${at('check-mail')}?with_code=1`]);
  assert.deepEqual(signed, await sign(unknown));
  assert.deepEqual(signed, await sign(unknown), 'and again, before it is confirmed');
});

// Guards against: A session planted or stolen
test('a log-in never adopts a session that somebody else planted in the browser', async () => {
  const planted = await loggedIn();
  const visitor = client();
  const session = planted.cookies.get('rollcall_session')!;
  visitor.cookies.set('rollcall_session', session);
  await visitor.get(at('forgot-password'));
  const answer = await visitor.post(at('log-in'), { email: EMAIL, password: PASSWORD });
  assert.equal(answer.status, 303, answer.text);
  assert.notEqual(visitor.cookies.get('rollcall_session'), session);
  assert.ok(await isLoggedIn(visitor));
  assert.ok(!(await isLoggedIn(planted)), 'the planted one is over');
});

// Guards against: A session planted or stolen
test('after the log-out the cookie is gone and its value is worthless', async () => {
  const visitor = await loggedIn();
  const stolen = client();
  stolen.cookies.set('rollcall_session', visitor.cookies.get('rollcall_session')!);
  assert.ok(await isLoggedIn(stolen));
  await visitor.get(at('profile'));
  assert.equal((await visitor.post(at('log-out'), {})).status, 303);
  assert.equal(visitor.cookies.has('rollcall_session'), false);
  assert.ok(!(await isLoggedIn(stolen)));
});

// Guards against: Pages that are framed, run scripts, or lead people elsewhere
test('no page can be framed, runs scripts, is stored, or tells other sites where the reader was', async () => {
  const visitor = await loggedIn();
  for (const [path, status] of [
    [at('profile'), 200],
    [at('sign-up'), 303],
    [at('forgot-password'), 200],
    [at('reset-password?ticket=x'), 410],
    [at('nowhere'), 404],
    ['/account/nobody/log-in', 404],
  ] as const) {
    const { headers, status: got } = await visitor.get(path);
    assert.equal(got, status, path);
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "style-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      assert.ok(policy.includes(part), `${path}: ${part}`);
    assert.doesNotMatch(policy, /unsafe|script-src|\*/);
    assert.deepEqual(
      [
        'x-frame-options',
        'x-content-type-options',
        'referrer-policy',
        'cross-origin-opener-policy',
        'cache-control',
      ].map((name) => headers.get(name)),
      ['DENY', 'nosniff', 'same-origin', 'same-origin', 'no-store'],
      path,
    );
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\)/);
  }
});

// Guards against: Pages that are framed, run scripts, or lead people elsewhere
test('a log-in leads only to our own pages, whatever return address it is given', async () => {
  for (const hostile of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    '/account/../../evil',
    '/%2f%2fevil.example',
    '/account/1/\r\nset-cookie: x=1',
    'javascript:alert(1)',
  ]) {
    const visitor = client();
    const page = await visitor.get(`${at('log-in')}?return_to=${encodeURIComponent(hostile)}`);
    assert.ok(!page.text.includes('evil.example'), hostile);
    const answer = await visitor.post(at('log-in'), { email: EMAIL, password: PASSWORD, return_to: hostile });
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, at('profile')], hostile);
  }
  const back = client();
  assert.match(
    (await back.get(`${at('log-in')}?return_to=${encodeURIComponent(at('consent/abc'))}`)).text,
    /name="return_to" value="\/account\/\d+\/consent\/abc"/,
  );
  assert.equal(
    (await back.post(at('log-in'), { email: EMAIL, password: PASSWORD, return_to: at('consent/abc') })).headers.get(
      'location',
    ),
    at('consent/abc'),
  );
});

test('a log-in for an application continues through a page of its own, because a redirect to another site would be blocked', async () => {
  const visitor = client();
  await visitor.get(at('log-in'));
  const answer = await visitor.post(at('log-in'), {
    email: EMAIL,
    password: PASSWORD,
    return_to: '/api/v2/auth/oauth/authorize/abc?x=1',
  });
  assert.equal(answer.status, 200);
  assert.match(answer.text, /<meta http-equiv="refresh" content="0; url=\/api\/v2\/auth\/oauth\/authorize\/abc\?x=1">/);
});

// Guards against: Hostile forms
test('hostile forms get a page with the errors, never a failure', async () => {
  const visitor = client();
  await visitor.get(at('log-in'));
  const token = visitor.token!;
  const send = (body: string, type = 'application/x-www-form-urlencoded') =>
    visitor.send('POST', at('log-in'), { body, headers: { 'content-type': type } });
  const forms: [string, number, RegExp][] = [
    [`form_token=${token}&email=a@b.example&email=c@d.example&password=x`, 422, /Send this field only once/],
    [`form_token=${token}&form_token=${token}&email=a@b.example&password=x`, 403, /Please send that again/],
    [`form_token=${token}&email=a%00b@c.example&password=x`, 422, /Email address: Enter an email address in full/],
    [
      `form_token=${token}&email=${encodeURIComponent('"><script>alert(1)</script>@x.example')}&password=x`,
      422,
      /value="&quot;&gt;&lt;script&gt;/,
    ],
    [`form_token=${token}&email=${'a'.repeat(300)}@b.example&password=x`, 422, /Enter an email address in full/],
    [`form_token=${token}&email=a@b.example&password=${'x'.repeat(600)}`, 422, /Use at most 512 characters/],
    [`form_token=${token}&email=a@b.example&password=%ED%A0%80%FF%FE`, 422, /is wrong/],
    [`form_token=${token}&__proto__=x&constructor=y&email=&password=`, 422, /Enter your email address/],
    [`form_token=${token}&email=a@b.example&password=${'x'.repeat(20_000)}`, 413, /That was too long/],
    ['', 403, /Please send that again/],
    ['%%%&=&&&=', 403, /Please send that again/],
  ];
  for (const [body, status, words] of forms) {
    const answer = await send(body);
    assert.equal(answer.status, status, body.slice(0, 200));
    assert.match(answer.text, words);
    assert.doesNotMatch(answer.text, /<script|x{600}/);
  }
  for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain'])
    assert.equal((await send('{}', type)).status, 415, type);
  assert.equal((await visitor.send('PUT', at('log-in'))).status, 404);
});

test('an unknown business and an invalid id have no pages', async () => {
  for (const id of ['0', '-1', '1e3', '999999', '99999999999999999999', 'x', '%00', '1%2F2']) {
    const answer = await client().get(`/account/${id}/log-in`);
    assert.equal(answer.status, 404, id);
    assert.match(answer.text, /Page not found/);
  }
});

test('too many requests from one address get a page that says when to continue, and other pages still respond', async () => {
  const visitor = client(limited);
  await visitor.get(at('forgot-password', limited));
  const statuses: number[] = [];
  let last = await visitor.post(at('second-factor', limited), { code: '123456', pending: 'none' });
  for (let i = 0; i < 200 && last.status !== 429; i++) {
    last = await visitor.post(at('second-factor', limited), { code: '123456', pending: 'none' });
    statuses.push(last.status);
  }
  assert.equal(last.status, 429);
  assert.ok(statuses.length >= 30, statuses.join());
  assert.match(last.text, /Too many requests/);
  assert.ok(Number(last.headers.get('retry-after')) > 0);
  assert.equal((await visitor.get(at('log-in', limited))).status, 200);
});

test('people who guess passwords have to wait, and the page says so', async () => {
  await addUser(world, 'guessed@example.com');
  const visitor = client();
  await visitor.get(at('log-in'));
  let last = await visitor.post(at('log-in'), { email: 'guessed@example.com', password: 'guess number 0' });
  for (let i = 1; i < 30 && last.status !== 429; i++)
    last = await visitor.post(at('log-in'), { email: 'guessed@example.com', password: `guess number ${i}` });
  assert.equal(last.status, 429);
  assert.match(last.text, /Too many attempts\. Try again in \d+ (seconds|minutes)/);
});

// Guards against: An unattended browser that somebody else finds
test('the secret of a second step is created or shown only after a recent proof of identity', async (t) => {
  t.after(() => world.resetNow());
  const visitor = await loggedIn();
  const start = at('profile/second-factor');
  assert.doesNotMatch((await visitor.get(start)).text, /Your password<\/label>/);
  assert.equal((await visitor.post(`${start}/begin`, {})).status, 303);
  assert.match((await visitor.get(start)).text, /data:image\/svg\+xml/);
  world.setNow(world.now + 20 * 60_000);
  const later = await visitor.get(start);
  assert.match(later.text, /Your password<\/label>/);
  assert.doesNotMatch(later.text, /data:image\/svg\+xml/);
  assert.equal((await visitor.post(`${start}/begin`, { current_password: 'not my password' })).status, 422);
  assert.equal((await visitor.post(`${start}/begin`, { current_password: PASSWORD })).status, 303);
  assert.match((await visitor.get(start)).text, /data:image\/svg\+xml/);
});

test('nobody ends the session of somebody else', async () => {
  const mine = await loggedIn();
  await addUser(world, 'eve@example.com');
  const eve = client();
  await eve.get(at('log-in'));
  await eve.post(at('log-in'), { email: 'eve@example.com', password: PASSWORD });
  await eve.get(at('profile'));
  for (let id = 1; id <= 20; id++) await eve.post(at('profile/sessions/end'), { id: String(id) });
  for (const id of ['0', '-1', 'x', '1e9', '9'.repeat(18), ''])
    assert.equal((await eve.post(at('profile/sessions/end'), { id })).status, 303, id);
  assert.ok(await isLoggedIn(mine));
});

test('browsers cache style sheets and revalidate them by their ETag, and a business has its own colors', async () => {
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { branding: { color: '#ffee00' } } });
  const page = await client().get(at('log-in'));
  const hrefs = [...page.text.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(([, href]) => href);
  assert.equal(hrefs.length, 2);
  for (const href of hrefs) {
    const answer = await client().get(href);
    assert.equal(answer.headers.get('content-type'), 'text/css; charset=utf-8');
    const again = await client().send('GET', href, { headers: { 'if-none-match': answer.headers.get('etag')! } });
    assert.deepEqual([again.status, again.text], [304, '']);
  }
  assert.match((await client().get(hrefs[1])).text, /--brand: #ffee00; --on-brand: #000000/);
  assert.equal((await client().get(`/account/${world.meadow}/theme.css`)).text, '');
});

test('a person allows or denies an application, and the answer goes back to it', async (t) => {
  const answers: string[] = [];
  const consents: ConsentDesk = {
    question: async (id, { account }) =>
      id === 'asked' && account.email === EMAIL
        ? {
            id,
            application: 'Calendar <Sync>',
            destination: 'calendar.example',
            wishes: ['read'],
            businesses: [],
            choices: null,
          }
        : null,
    answer: async (id, { account }, allowed) => {
      if (id !== 'asked' || account.email !== EMAIL) return null;
      answers.push(`${account.email} ${allowed}`);
      return `https://calendar.example/back?code=${allowed}`;
    },
  };
  const url = await served(t, { consents });
  const stranger = new PageClient(url);
  assert.equal(
    (await stranger.get(at('consent/asked'))).headers.get('location'),
    `${at('log-in')}?return_to=${encodeURIComponent(at('consent/asked'))}`,
  );
  const visitor = new PageClient(url);
  for (const [name, value] of (await loggedIn()).cookies) visitor.cookies.set(name, value);
  const page = await visitor.get(at('consent/asked'));
  assert.match(page.text, /Let Calendar &lt;Sync&gt; act for you\?[^]*calendar\.example/);
  const allowed = await visitor.post(at('consent/allow'), { request: 'asked' });
  assert.match(allowed.text, /content="0; url=https:\/\/calendar\.example\/back\?code=true"/);
  assert.match((await visitor.post(at('consent/refuse'), { request: 'asked' })).text, /code=false"/);
  assert.equal((await visitor.post(at('consent/allow'), { request: 'other' })).status, 410);
  assert.equal((await visitor.get(at('consent/other'))).status, 410);
  assert.deepEqual(answers, [`${EMAIL} true`, `${EMAIL} false`]);
});
