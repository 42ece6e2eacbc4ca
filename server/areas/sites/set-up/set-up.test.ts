import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../people/identity/index.ts';
import { isSetUpCode, setUpLink } from './code.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PageClient, type PageAnswer } from '../../../test/pages/page-client.ts';
import { SecretBox } from '../../../kernel/base/secret-box.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startService, type Service } from '../../../test/service.ts';
import { startWorld } from '../../../test/world.ts';

const PASSWORD = 'quiet otter seven lanterns';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service?.close());

const linkOf = ({ url, app }: Service): URL => new URL(setUpLink(url, app.installation.box));
const client = (of = service) => new PageClient(of.url);
const to = (answer: PageAnswer) => [answer.status, answer.headers.get('location')];
const businesses = (of = service) =>
  of.app.db.acrossTenants('a test looks', (tx) =>
    tx.rows<Record<string, any>>(
      sql`SELECT p.name, p.slug, p.country, p.timezone, p.currency, p.is_test, u.email, s.permissions,
            (SELECT json_agg(k.kind) FROM payment_processor k WHERE k.provider_id = p.provider_id) AS processors
          FROM provider p JOIN staff s ON s.provider_id = p.provider_id JOIN user_account u ON u.id = s.user_id
            ORDER BY p.provider_id`,
    ),
  );

/** Returns the hidden fields of the page. */
const carried = ({ text }: PageAnswer): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(?!form_token)(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value.replaceAll('&amp;', '&'),
    ]),
  );

type Entered = Record<'business' | 'details' | 'owner', Record<string, string>>;

/**
 * Returns the page of the next step: every step ends with a redirect, so that the browser's back button sends nothing
 * again.
 */
async function shownAfter(visitor: PageClient, path: string, fields: Record<string, string>): Promise<PageAnswer> {
  const sent = await visitor.post(path, fields);
  assert.equal(sent.status, 303, sent.text);
  const shown = await visitor.get(sent.headers.get('location')!);
  assert.equal(shown.status, 200, shown.text);
  return shown;
}

/** Goes to the last step, and returns a function that sends it. */
async function toLastStep(
  visitor: PageClient,
  of: Service,
  { business = {}, details = {}, owner = {} }: Entered,
): Promise<() => Promise<PageAnswer>> {
  const link = linkOf(of);
  const first = await visitor.get(link.pathname + link.search);
  const second = await shownAfter(visitor, '/set-up/business', {
    ...carried(first),
    name: 'Quay Yoga',
    country: 'DE',
    ...business,
  });
  const chosen = [...second.text.matchAll(/<option value="([^"]*)" selected>/g)].map(([, value]) => value);
  const third = await shownAfter(visitor, '/set-up/details', {
    ...carried(second),
    timezone: chosen[0],
    currency: chosen[1],
    mode: 'test',
    ...details,
  });
  return () =>
    visitor.post('/set-up/owner', {
      ...carried(third),
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada@example.com',
      password: PASSWORD,
      ...owner,
    });
}

const setUp = async (visitor: PageClient, of: Service, entered: Entered): Promise<PageAnswer> =>
  (await toLastStep(visitor, of, entered))();

const NOTHING = { business: {}, details: {}, owner: {} };

test('without a business, the first page leads to the setup, which asks for the code', async () => {
  const visitor = client();
  assert.deepEqual(to(await visitor.get('/')), [303, '/set-up']);
  const asked = await visitor.get('/set-up');
  assert.match(asked.text, /Set-up code[^]*npx rollcall set-up/);
  const { searchParams } = linkOf(service);
  assert.deepEqual(to(await visitor.post('/set-up', { code: searchParams.get('code')! })), [
    303,
    `/set-up?${searchParams}`,
  ]);
});

test('nobody passes any step without the code, and guessing is limited', async () => {
  const { box } = service.app.installation;
  const code = linkOf(service).searchParams.get('code')!;
  assert.ok(isSetUpCode(box, code));
  for (const wrong of ['', code.slice(1), `${code}0`, code.toUpperCase(), 'é'.repeat(32), `${code} `])
    assert.equal(isSetUpCode(box, wrong), false, wrong);
  const visitor = client();
  await visitor.get('/set-up');
  const all = {
    name: 'Mine',
    country: 'DE',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    mode: 'live',
    first_name: 'Eve',
    last_name: 'Taker',
    email: 'eve@example.com',
    password: PASSWORD,
  };
  for (const path of ['/set-up', '/set-up/business', '/set-up/details', '/set-up/owner']) {
    const refused = await visitor.post(path, { ...all, code: 'f'.repeat(32) });
    assert.equal(refused.status, 422, path);
    assert.match(refused.text, /That code is wrong/);
  }
  let slowed = 0;
  for (let n = 0; n < 40 && slowed === 0; n++) if ((await visitor.get(`/set-up?code=${n}`)).status === 429) slowed = n;
  assert.ok(slowed > 20, `${slowed}`);
  assert.deepEqual(await businesses(), []);
});

test('the code is derived from the secret key: every process knows it, and another installation has another one', () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const [, code] = setUpLink('', new SecretBox([one])).split('code=');
  assert.ok(isSetUpCode(new SecretBox([one]), code));
  assert.ok(isSetUpCode(new SecretBox([other, one]), code), 'after a change of keys the printed link still works');
  assert.equal(isSetUpCode(new SecretBox([other]), code), false);
});

test('errors of each step are shown there, and the input stays', async () => {
  const visitor = client();
  const { pathname, search } = linkOf(service);
  const first = await visitor.get(pathname + search);
  const none = await visitor.post('/set-up/business', { ...carried(first), name: '', country: 'XX' });
  assert.equal(none.status, 422);
  assert.match(none.text, /Fill this in[^]*Choose an option/);
  const weak = await setUp(visitor, service, { ...NOTHING, owner: { password: 'quayyoga11' } });
  assert.equal(weak.status, 422);
  assert.match(weak.text, /too easy to guess/);
  assert.match(weak.text, /value="ada@example\.com"/);
  assert.deepEqual(carried(weak).timezone, 'Europe/Berlin');
  const zone = await visitor.post('/set-up/details', { ...carried(weak), timezone: 'Mars/Olympus' });
  assert.equal(zone.status, 422);
  const forged = await visitor.post('/set-up/owner', { ...carried(weak), currency: 'XXX' });
  assert.match(forged.text, /Time and money/, 'what is carried along is checked again');
  assert.deepEqual(await businesses(), []);
});

test('every step has an address of its own, and the back button returns to it without losing input', async () => {
  const visitor = client();
  const { searchParams } = linkOf(service);
  const code = searchParams.get('code')!;
  const first = { code, name: 'Quay & Yoga', country: 'CH' };
  const details = { ...first, timezone: 'Europe/Zurich', currency: 'EUR', mode: 'live' };
  await visitor.get(`/set-up?code=${code}`);
  assert.deepEqual(to(await visitor.post('/set-up/business', first)), [
    303,
    `/set-up/details?${new URLSearchParams(first)}`,
  ]);
  assert.deepEqual(to(await visitor.post('/set-up/details', details)), [
    303,
    `/set-up/owner?${new URLSearchParams(details)}`,
  ]);
  const owner = await visitor.get(`/set-up/owner?${new URLSearchParams(details)}`);
  assert.deepEqual([owner.status, carried(owner)], [200, details]);
  const guessed = await visitor.get(`/set-up/details?${new URLSearchParams(first)}`);
  assert.match(guessed.text, /<option value="Europe\/Zurich" selected>[^]*<option value="CHF" selected>/);
  const again = await visitor.get(`/set-up/details?${new URLSearchParams(details)}`);
  assert.match(again.text, /<option value="EUR" selected>/);
  const back = /<p><a href="(\/set-up\/business[^"]*)"/.exec(again.text)![1].replaceAll('&amp;', '&');
  const business = await visitor.get(back);
  assert.match(business.text, /value="Quay &amp; Yoga"/);
  assert.match(business.text, /<option value="CH" selected>/);
  for (const page of ['business', 'details', 'owner']) {
    assert.deepEqual(to(await visitor.get(`/set-up/${page}`)), [303, '/set-up']);
    const wrong = await visitor.get(`/set-up/${page}?${new URLSearchParams({ ...details, code: 'f'.repeat(32) })}`);
    // Earlier wrong codes may have reached the limit.
    assert.ok([422, 429].includes(wrong.status));
    assert.match(wrong.text, /<h1>Set up Rollcall/);
  }
  const cut = await visitor.get(`/set-up/owner?${new URLSearchParams(first)}`);
  assert.match(cut.text, /Time and money/, 'an address that lacks a step leads to that step');
});

test('one pass creates the business and its owner, who is logged in and continues to the dashboard; then the setup is gone', async () => {
  const visitor = client();
  const second = client();
  const { pathname, search } = linkOf(service);
  const ready = [
    await toLastStep(visitor, service, NOTHING),
    await toLastStep(second, service, { ...NOTHING, owner: { email: 'second@example.com' } }),
  ];
  const [made, late] = await Promise.all(ready.map((send) => send()));
  const [winner, outcomes] = made.status === 303 ? [visitor, [made, late]] : [second, [late, made]];
  assert.deepEqual(to(outcomes[0]), [303, '/dashboard'], outcomes[0].text);
  assert.equal(outcomes[1].status, 404, 'of two at the same time, one');
  const [business, ...more] = await businesses();
  assert.deepEqual(more, []);
  assert.deepEqual(
    { ...business, email: '' },
    {
      name: 'Quay Yoga',
      slug: 'quay-yoga',
      country: 'DE',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      is_test: true,
      email: '',
      permissions: business.permissions,
      processors: ['sandbox'],
    },
  );
  assert.deepEqual(to(await winner.get('/log-in')), [303, '/dashboard'], 'the owner is logged in');
  for (const path of ['/set-up', pathname + search]) assert.equal((await client().get(path)).status, 404);
  const posted = client();
  await posted.get('/log-in');
  assert.equal((await posted.post('/set-up/owner', { code: linkOf(service).searchParams.get('code')! })).status, 404);
});

test('a business that starts live has no sandbox, and an existing account is used with its password', async (t) => {
  const own = await startService();
  t.after(() => own.close());
  await own.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email: 'ada@example.com', password: PASSWORD }),
  );
  const visitor = client(own);
  const wrong = await setUp(visitor, own, { ...NOTHING, owner: { password: 'another one entirely' } });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /There&#39;s an account with this address already/);
  const made = await setUp(visitor, own, { ...NOTHING, details: { mode: 'live', currency: 'CHF' } });
  assert.deepEqual(to(made), [303, '/dashboard'], made.text);
  const [business] = await businesses(own);
  assert.deepEqual([business.is_test, business.currency, business.processors], [false, 'CHF', null]);
});

test('the setup is available in every language', async (t) => {
  const own = await startService();
  t.after(() => own.close());
  const titles = new Set<string>();
  for (const language of Object.keys(LANGUAGES)) {
    const visitor = client(own);
    visitor.headers = { 'accept-language': `${language}-CH` };
    const { pathname, search } = linkOf(own);
    for (const page of ['/set-up', pathname + search]) {
      const { status, text } = await visitor.get(page);
      assert.equal(status, 200);
      titles.add(/<h1>([^<]*)<\/h1>/.exec(text)![1]);
      if (page !== '/set-up') assert.match(text, /<option value="CH" selected>/, 'where the browser says that it is');
    }
  }
  assert.equal(titles.size, Object.keys(LANGUAGES).length * 2);
});

test('an installation with a business has no setup', async (t) => {
  const world = await startWorld();
  t.after(() => world.close());
  assert.equal((await new PageClient(world.url).get('/set-up')).status, 404);
});
