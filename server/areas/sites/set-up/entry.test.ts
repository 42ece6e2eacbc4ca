import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enrol, makeStaff, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { get as httpGet } from 'node:http';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let mailbox: Mailbox;
let world: World;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});

const to = (answer: { status: number; headers: Headers }) => [answer.status, answer.headers.get('location')];

async function logIn(email: string, fields: Record<string, string> = {}, query = '') {
  const visitor = new PageClient(world.url);
  const page = await visitor.get(`/log-in${query}`);
  assert.equal(page.status, 200, page.text);
  const kept = /name="return_to" value="([^"]*)"/.exec(page.text)![1];
  const answer = await visitor.post('/log-in', { email, password: PASSWORD, return_to: kept, ...fields });
  return { visitor, answer };
}

test('people log in at the installation and continue to the dashboard, or to the page of it that they came from', async () => {
  const { email } = await newMember(world);
  const { visitor, answer } = await logIn(email);
  assert.deepEqual(to(answer), [303, '/dashboard']);
  assert.deepEqual(to(await visitor.get('/log-in')), [303, '/dashboard'], 'they are in already');
  assert.equal((await visitor.get(`/account/${world.harbour}/profile`)).status, 200, 'it is one session for all pages');
  const calendar = '/dashboard/calendar?week=2026-03-02';
  assert.deepEqual(to((await logIn(email, {}, `?return_to=${encodeURIComponent(calendar)}`)).answer), [303, calendar]);
});

test('nobody is led elsewhere, and a wrong password is refused as everywhere', async () => {
  const { email } = await newMember(world);
  for (const elsewhere of ['https://evil.example', '//evil.example', '/dashboard/../api', '/log-out'])
    assert.deepEqual(to((await logIn(email, { return_to: elsewhere })).answer), [303, '/dashboard'], elsewhere);
  const { visitor, answer } = await logIn(email, { password: 'not the one' });
  assert.equal(answer.status, 422);
  assert.match(answer.text, /The email address or the password is wrong\./);
  assert.equal(visitor.cookies.has('rollcall_session'), false);
});

test('a log-in at the installation claims no record at any business', async () => {
  const member = await newMember(world);
  const staff = await makeStaff(world, { ...member, userId: null as never });
  await logIn(member.email);
  const [row] = await world.app.db.acrossTenants('a test looks', (tx) =>
    tx.rows(sql`SELECT user_id FROM staff WHERE provider_id = ${world.harbour} AND id = ${staff}`),
  );
  assert.equal(row.user_id, null);
});

test('an account with a second step asks for its code, then continues', async () => {
  const member = await newMember(world);
  await makeStaff(world, member);
  const code = await enrol(world, member);
  const { visitor, answer } = await logIn(member.email, { return_to: '/dashboard/people' });
  assert.equal(answer.status, 200);
  assert.match(answer.text, /Enter your code[^]*action="\/second-factor"/);
  const pending = /name="pending" value="([^"]+)"/.exec(answer.text)![1];
  const send = (one: string) => visitor.post('/second-factor', { code: one, pending, return_to: '/dashboard/people' });
  assert.equal((await send('000000')).status, 422);
  assert.deepEqual(to(await send(code())), [303, '/dashboard/people']);
});

test('a password reset is emailed by a business that knows the person, and leads back to the dashboard', async () => {
  const member = await newMember(world);
  await makeStaff(world, member, [], world.meadow);
  const visitor = new PageClient(world.url);
  await visitor.get('/forgot-password?return_to=/dashboard/people');
  const asked = await visitor.post('/forgot-password', { email: member.email, return_to: '/dashboard/people' });
  assert.deepEqual(to(asked), [303, '/check-mail?return_to=%2Fdashboard%2Fpeople']);
  assert.match((await visitor.get('/check-mail')).text, /Check your email/);
  const link = new URL(await mailbox.link(world, member.email, /password/, 'reset-password'), world.url);
  assert.equal(link.pathname, `/account/${world.meadow}/reset-password`);
  const reset = await visitor.get(link.pathname + link.search);
  assert.equal(reset.status, 200);
  const saved = await visitor.post(link.pathname, {
    ticket: link.searchParams.get('ticket')!,
    password: 'walnut harbour seventeen lamps',
    return_to: '/dashboard/people',
  });
  assert.deepEqual(to(saved), [
    303,
    `/account/${world.meadow}/log-in?return_to=%2Fdashboard%2Fpeople&done=password-reset`,
  ]);
});

test('a request for a new password gives the same response for an address without an account, and sends no email', async () => {
  const visitor = new PageClient(world.url);
  await visitor.get('/forgot-password');
  const asked = await visitor.post('/forgot-password', { email: 'nobody@example.com' });
  assert.deepEqual(to(asked), [303, '/check-mail?return_to=%2Fdashboard']);
});

test('logging out ends the session, and only through a form of our own pages', async () => {
  const { email } = await newMember(world);
  const { visitor } = await logIn(email);
  const page = await visitor.get('/log-out');
  assert.match(page.text, /<h1>Log out<\/h1>/);
  assert.equal((await visitor.post('/log-out', {}, { token: 'x' })).status, 403);
  assert.deepEqual(to(await visitor.post('/log-out', {})), [303, '/log-in?done=logged-out']);
  assert.match((await visitor.get('/log-in?done=logged-out')).text, /You(?:'|&#39;)re logged out\./);
  assert.deepEqual(to(await visitor.get('/log-out')), [303, '/log-in']);
});

test('the log-in of the installation is available in every language, and links keep the return address', async () => {
  const titles = new Set<string>();
  for (const language of Object.keys(LANGUAGES)) {
    const visitor = new PageClient(world.url);
    visitor.headers = { 'accept-language': language };
    for (const page of ['/log-in', '/forgot-password', '/check-mail']) {
      const { status, text } = await visitor.get(`${page}?return_to=/dashboard/people`);
      assert.equal(status, 200);
      assert.match(text, new RegExp(`<html lang="${language}"`));
      assert.equal(text.match(/return_to=%2Fdashboard%2Fpeople&amp;lang=/g)?.length, Object.keys(LANGUAGES).length);
      titles.add(/<h1>([^<]*)<\/h1>/.exec(text)![1]);
    }
  }
  assert.equal(titles.size, Object.keys(LANGUAGES).length * 3);
});

test('under the host name of a business there is no log-in of the installation', async () => {
  await world.app.db.acrossTenants('a test gives a business its own host name', (tx) =>
    tx.run(
      sql`UPDATE provider SET site_domain = 'book.set-up.example', site_domain_verified_at = now()
        WHERE provider_id = ${world.meadow}`,
    ),
  );
  const { hostname, port } = new URL(world.url);
  const status = await new Promise((resolve) =>
    httpGet({ hostname, port, path: '/log-in', headers: { host: 'book.set-up.example' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }),
  );
  assert.equal(status, 404);
});
