// Guards against: Getting in with a link from a mailbox: late, twice, past the second step, or where the business
// offers none
/** Log-in by a link in an email: only if the business offers it, once, and for a quarter of an hour. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../people/identity/index.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';

const PASSWORD = 'otter kettle midnight ferry';
const MINUTE = 60_000;

let mailbox: Mailbox;
let world: World;
let browser: PageBrowser;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  browser = new PageBrowser(world.url);
  await offer(true);
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

async function offer(log_in_links: boolean): Promise<void> {
  const changed = await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { security: { log_in_links } },
  });
  assert.equal(changed.status, 200, changed.text);
}

const newUser = (email: string): Promise<number> =>
  world.app.db.acrossTenants('a test has an account', (tx) => createUser(tx, { email, password: PASSWORD }));

/** Requests a link and opens it; returns what the button would send. */
async function opened(email: string): Promise<{ client: PageClient; press: () => ReturnType<PageClient['post']> }> {
  const client = new PageClient(world.url);
  await client.get(at('log-in/link'));
  assert.equal((await client.post(at('log-in/link'), { email })).status, 303);
  const link = await mailbox.link(world, email, /^Log in to/, 'log-in/open');
  const { status } = await client.get(link);
  assert.equal(status, 200);
  const ticket = new URLSearchParams(link.split('?')[1]).get('ticket')!;
  return { client, press: () => client.post(at('log-in/open'), { ticket }) };
}

test('a person logs in by a link in an email and returns to where they were, and only its button uses it up', async () => {
  await newUser('ada@example.com');
  const visitor = await browser.visitor();
  await visitor.open(`${at('log-in')}?return_to=${encodeURIComponent(at('profile/second-factor'))}`);
  await visitor.follow('Log in with a link by email');
  await visitor.checkAccessible('log-in-link');
  await visitor.submit('Send the link', { 'Email address': 'ada@example.com' });
  assert.equal(await visitor.heading(), 'Check your email');
  const link = await mailbox.link(world, 'ada@example.com', /^Log in to Harbour/, 'log-in/open');
  for (let n = 0; n < 3; n++) await visitor.open(link);
  assert.match(await visitor.text(), /log in as ada@example\.com/);
  await visitor.checkAccessible('log-in-open');
  await visitor.submit('Log in');
  assert.equal(visitor.path, at('profile/second-factor'));
  await visitor.open(link);
  assert.equal(await visitor.heading(), 'This link no longer works');
  await visitor.close();
});

test('a link lets nobody in twice, after 15 minutes, after a new password, or past the second step', async () => {
  const user = await newUser('ben@example.com');
  const first = await opened('ben@example.com');
  assert.equal((await first.press()).status, 303);
  assert.equal((await first.client.get(at('profile'))).status, 200);
  await first.client.get(at('log-in/link'));
  assert.equal((await first.press()).status, 410);

  const late = await opened('ben@example.com');
  world.setNow(world.now + 15 * MINUTE);
  assert.equal((await late.press()).status, 410);

  const changed = await opened('ben@example.com');
  const owner = new PageClient(world.url);
  await owner.get(at('log-in'));
  await owner.post(at('log-in'), { email: 'ben@example.com', password: PASSWORD });
  await owner.get(at('profile'));
  const next = { old_password: PASSWORD, password: 'walnut harbour seventeen lamps' };
  assert.equal((await owner.post(at('profile/password'), next)).status, 303);
  assert.equal((await changed.press()).status, 410);

  await world.app.db.acrossTenants('a test turns on a second step', (tx) =>
    tx.run(
      sql`UPDATE user_account SET totp_secret =
        ${world.app.accounts.box.seal(`totp:${user}`, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')}, totp_confirmed_at = now()
        WHERE id = ${user}`,
    ),
  );
  const stepped = await opened('ben@example.com');
  assert.match((await stepped.press()).text, /Enter your code/);
  assert.equal((await stepped.client.get(at('profile'))).status, 303, 'the mail alone lets nobody in');
});

test('nobody learns whether an address has an account, and an unconfirmed account gets no log-in link', async () => {
  const user = await newUser('cleo@example.com');
  await world.app.db.acrossTenants('a test has an account that nobody confirmed', (tx) =>
    tx.run(sql`UPDATE user_account SET email_confirmed_at = NULL WHERE id = ${user}`),
  );
  const answers = await Promise.all(
    ['cleo@example.com', 'nobody@example.com'].map(async (email) => {
      const client = new PageClient(world.url);
      await client.get(at('log-in/link'));
      const { status, headers } = await client.post(at('log-in/link'), { email });
      return [status, headers.get('location')];
    }),
  );
  assert.deepEqual(answers[0], answers[1]);
  await mailbox.link(world, 'cleo@example.com', /Confirm/, 'confirm');
});

test('a business that offers no links has no such pages, and links that were already sent stop working', async () => {
  await newUser('dora@example.com');
  const { client, press } = await opened('dora@example.com');
  await offer(false);
  assert.equal((await press()).status, 404);
  assert.equal((await client.get(at('log-in/link'))).status, 404);
  assert.doesNotMatch((await client.get(at('log-in'))).text, /link by email/);
  await offer(true);
});
