/** Interrupted checkouts: the session ends, the browser is closed, or the event is cancelled. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { newRun } from '../../availability/courses/test/world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { unfinishedJob } from '../../commerce/checkouts/unfinished.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

const at = (page: string) => `/account/${world.harbour}/${page}`;

interface Someone {
  readonly visitor: PageClient;
  readonly customer: number;
  readonly email: string;
}

async function someone(): Promise<Someone> {
  const person = await newMember(world);
  const customer = await makeCustomer(world, person);
  const visitor = new PageClient(world.url);
  await visitor.get(at('log-in'));
  await visitor.post(at('log-in'), { email: person.email, password: PASSWORD });
  return { visitor, customer, email: person.email };
}

/** Creates a checkout with these items, and returns its page. */
async function paying({ customer }: Someone, ...items: Record<string, unknown>[]): Promise<string> {
  const id = await c.open(customer);
  for (const item of items) await c.add(id, item);
  const { next_url } = (await world.post(`/checkouts/${id}/page`, { as: world.customer(customer) })).body;
  return next_url.slice(world.url.length);
}

const FORMS = ['pay', 'code', 'code/remove', 'credit', 'cancel'];

/** Follows redirects from an address like a browser, logs in when asked to, and returns the final address. */
async function logInFrom({ visitor, email }: Someone, from: string): Promise<string> {
  let to = from;
  for (let hops = 0; hops < 8; hops++) {
    const { status, headers } = await visitor.get(to);
    if (status === 303) to = headers.get('location')!;
    else if (to.startsWith(at('log-in'))) {
      const return_to = new URLSearchParams(to.split('?')[1]).get('return_to') ?? '';
      to = (await visitor.post(at('log-in'), { email, password: PASSWORD, return_to })).headers.get('location')!;
    } else return to;
  }
  throw new Error(`${from} leads nowhere`);
}

const endSessions = () =>
  world.app.db.acrossTenants('a test ends sessions', (tx) => tx.run(sql`DELETE FROM user_session`));

test('somebody whose session has ended returns to their checkout, whichever form they send', async () => {
  const ada = await someone();
  const page = await paying(ada, { item_type: 'CLASS_DRP', event: await c.event() });
  for (const name of FORMS) {
    const { text } = await ada.visitor.get(page);
    assert.match(text, /Review and pay/, name);
    await endSessions();
    const ticket = new URLSearchParams(page.split('?')[1]).get('ticket')!;
    const sent = await ada.visitor.post(at(`checkout/${name}?ticket=${ticket}`), { ticket });
    assert.equal(sent.status, 303, name);
    assert.equal(await logInFrom(ada, sent.headers.get('location')!), page, name);
  }
});

test('a browser that has lost the session is refused, with a way back to the checkout', async () => {
  const ada = await someone();
  const page = await paying(ada, { item_type: 'CLASS_DRP', event: await c.event() });
  const { text } = await ada.visitor.get(page);
  const actions = [...text.matchAll(/action="([^"]*\/checkout\/[^"]*)"/g)].map(([, action]) => action);
  assert.ok(actions.length >= 3, text);
  for (const action of actions) {
    await ada.visitor.get(page);
    for (const name of ada.visitor.cookies.names)
      for (const path of ['/', '/account']) ada.visitor.cookies.delete(name, path);
    const refused = await ada.visitor.post(action, {});
    assert.equal(refused.status, 403);
    const [, again] = /<a class="button" href="([^"]*\/checkout[^"]*)"/.exec(refused.text) ?? [];
    assert.equal(await logInFrom(ada, again.replaceAll('&amp;', '&')), page, action);
  }
});

/** Runs the job that is due five minutes after the page was opened; returns the emails to this customer. */
async function reminded(customer: number, checkout: number): Promise<{ subject: string; text: string }[]> {
  await world.work(world.harbour, (work) => unfinishedJob.run(work, { checkout }));
  return world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT subject, text_part AS text FROM message
          WHERE provider_id = ${world.harbour} AND customer_id = ${customer} AND kind = 'checkout_unfinished'`,
    ),
  );
}

const checkoutsOf = async (customer: number): Promise<number[]> =>
  (await c.read(`/checkouts?customer=${customer}&fields=id`)).results.map(({ id }: { id: string }) => Number(id));

test('somebody who closed the browser gets one email while the spot is kept, and continues with its link, also in another browser', async () => {
  const ada = await someone();
  const page = await paying(ada, { item_type: 'CLASS_DRP', event: await c.event({ name: 'Mat Pilates' }) });
  const [checkout] = await checkoutsOf(ada.customer);
  for (let n = 0; n < 2; n++) assert.equal((await reminded(ada.customer, checkout)).length, 1, 'sent once');
  const [{ subject, text }] = await reminded(ada.customer, checkout);
  assert.match(subject, /^Finish your booking: Mat Pilates, /);
  assert.match(text, /Your spot is kept until [\d:]+ .*You haven’t been charged\./s);
  const link = new URL(/https?:\/\/\S+\/checkout\?\S+/.exec(text)![0]);
  const there: Someone = { ...ada, visitor: new PageClient(world.url) };
  const path = link.pathname + link.search;
  assert.equal(await logInFrom(there, path), path);
  assert.match((await there.visitor.get(path)).text, /Mat Pilates[^]*Pay \$/);
  assert.match((await ada.visitor.get(page)).text, /Pay \$/, 'the first tab still works');
  const stranger = await someone();
  assert.equal((await stranger.visitor.get(path)).status, 410, 'nobody else sees it');
  for (const wrong of [path.replace(/ticket=\d+/, `ticket=${checkout + 1}`), path.slice(0, -2)])
    assert.equal((await there.visitor.get(wrong)).status, 410);
});

async function begun(one: Someone, item: Record<string, unknown>): Promise<number> {
  await paying(one, item);
  return (await checkoutsOf(one.customer))[0];
}

test('no email is sent about a checkout that is paid, about to end, without a spot, or of somebody without an account', async () => {
  const [paid, late, shopping] = [await someone(), await someone(), await someone()];
  const ofPaid = await begun(paid, { item_type: 'CLASS_DRP', event: await c.event() });
  await c.pay(String(ofPaid), { payment_processor: c.sandbox });
  assert.deepEqual(await reminded(paid.customer, ofPaid), []);
  const ofLate = await begun(late, { item_type: 'CLASS_DRP', event: await c.event() });
  world.setNow(world.now + 14 * 60_000);
  assert.deepEqual(await reminded(late.customer, ofLate), []);
  world.resetNow();
  const ofPack = await begun(shopping, { item_type: 'MEM_PK', membership: await c.m.pack(5, { for_sale: true }) });
  assert.deepEqual(await reminded(shopping.customer, ofPack), []);
  const nobody = await world.newCustomer();
  const visitor = new PageClient(world.url);
  const ofNobody = await begun(
    { visitor, customer: nobody, email: '' },
    { item_type: 'CLASS_DRP', event: await c.event() },
  );
  assert.deepEqual(await reminded(nobody, ofNobody), []);
});

test('the page of a checkout says if its event was cancelled, and nothing is paid', async () => {
  const ada = await someone();
  const [event, run] = [await c.event({ name: 'Rowing' }), await newRun(world, { sessions: 2 })];
  const ofClass = await paying(ada, { item_type: 'CLASS_DRP', event });
  const ofCourse = await paying(ada, { item_type: 'CRS_DRP', course_date_series: run.series });
  const ofBoth = await paying(
    ada,
    { item_type: 'CLASS_DRP', event: await c.event() },
    { item_type: 'CRS_DRP', course_date_series: run.series },
  );
  for (const page of [ofClass, ofCourse, ofBoth]) assert.match((await ada.visitor.get(page)).text, /Pay \$/);
  for (const path of [`/events/${event}/cancel`, `/course_date_series/${run.series}/cancel`]) {
    const answer = await world.post(path, { as: world.machine, body: {} });
    assert.ok(answer.status < 300, answer.text);
  }
  for (const [page, name] of [
    [ofClass, 'Rowing'],
    [ofCourse, 'Autumn'],
    [ofBoth, 'Autumn'],
  ]) {
    const { text } = await ada.visitor.get(page);
    assert.match(text, new RegExp(`<h1>${name} has been cancelled</h1>`));
    assert.match(text, /Nothing was bought, and you haven(?:'|&#39;|’)t been charged/);
    assert.doesNotMatch(text, /spot is kept|Pay \$/);
    const ticket = new URLSearchParams(page.split('?')[1]).get('ticket')!;
    const sent = await ada.visitor.post(at(`checkout/pay?ticket=${ticket}`), { ticket, due: '1500', terms: '' });
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, page]);
    for (const language of Object.keys(LANGUAGES))
      assert.match((await ada.visitor.get(`${page}&lang=${language}`)).text, new RegExp(`<h1>[^<]*${name}`), language);
    await ada.visitor.get(`${page}&lang=en`);
  }
  assert.deepEqual((await c.read(`/invoices?payer=${ada.customer}`)).results, []);
});
