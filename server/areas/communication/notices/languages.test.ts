/** Notices to customers, in their language or in that of their business. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newPlace, type Place } from '../../../test/schedule-world.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld({ worker: true });
  await world.app.db.acrossTenants('a business moves to Austria', (tx) =>
    tx.run(sql`UPDATE provider SET country = 'AT' WHERE provider_id = ${world.harbour}`),
  );
  place = await newPlace(world);
});
after(() => world.close());

const mailOf = (customer: number, of: string) =>
  until('it is told', async () => {
    const [mail] = await world.app.db.acrossTenants('a test looks at the ledger', (tx) =>
      tx.rows(
        sql`SELECT subject, text_part, language, button FROM message WHERE customer_id = ${customer} AND kind = ${of}`,
      ),
    );
    return mail;
  });

/** Hours until noon, a number of days ahead: no class that begins then ends on another day. */
const HOUR = 3_600_000;
const untilNoon = (days: number): number =>
  (Date.parse(`${new Date(world.now + days * 24 * HOUR).toISOString().slice(0, 10)}T12:00:00Z`) - world.now) / HOUR;

test('customers are notified in the language of the business, with its days and times, and its own texts are unchanged', async () => {
  const as = world.machine;
  const type = '/communication/notification_types/event_registration_confirmed';
  const shown = await world.get(type, { as });
  assert.match(shown.body.default_subject, /^Gebucht: /);
  const { id } = await newEvent(world, place, { in: untilNoon(4), name: 'Rudern' });
  const ada = await world.newCustomer();
  await book(world, id, ada);
  const mail = await mailOf(ada, 'event_registration_confirmed');
  assert.match(mail.subject, /^Gebucht: Rudern, (?:Mo|Di|Mi|Do|Fr|Sa|So)\.?, \d+\. \p{L}+\.?, \d\d:\d\d$/u);
  assert.match(mail.text_part, /\d\d:\d\d–\d\d:\d\d Uhr/);
  assert.deepEqual([mail.language, mail.button], ['de', 'Details ansehen']);
  assert.equal((await world.patch(type, { as, body: { body: 'See you, {{customer.first_name}}!' } })).status, 200);
  const bob = await world.newCustomer();
  await book(world, id, bob);
  const own = await mailOf(bob, 'event_registration_confirmed');
  assert.match(own.text_part, /^See you, \w*!$/);
  assert.match(own.subject, /^Gebucht/);
});

test('a business that chose a language writes in it, with days and times as in its country', async () => {
  const as = world.machine;
  const choose = async (language: string | null) => {
    const answer = await world.patch(`/providers/${world.harbour}`, { as, body: { language } });
    assert.equal(answer.status, 200, answer.text);
  };
  await choose('it');
  // The worker caches a business for two seconds.
  const { id } = await newEvent(world, place, { in: untilNoon(5), name: 'Canottaggio' });
  const mail = await until('it is told in Italian', async () => {
    const ada = await world.newCustomer();
    await book(world, id, ada);
    const told = await mailOf(ada, 'event_registration_confirmed');
    await world.post(`/events/${id}/unregister`, { as, body: { customer: ada } });
    return told.language === 'it' ? told : null;
  });
  assert.match(mail.subject, /^Prenotato: Canottaggio, \p{L}+ \d+ \p{L}+, \d\d:\d\d$/u);
  const reminder = '/communication/notification_types/event_reminder/preview';
  const previewed = (await world.post(reminder, { as, body: {} })).body;
  assert.match(previewed.html, /<html lang="it"/);
  assert.match(previewed.text, /venerdì 2 ottobre 2026[^]*Puoi disdire gratis fino a/, 'its samples are Italian too');
  await choose(null);
  assert.match((await world.post(reminder, { as, body: {} })).body.html, /<html lang="de"/);
});

test('a preview is in the requested language, but texts of the business are unchanged, and a test of it goes to staff only', async () => {
  const type = '/communication/notification_types/event_reminder';
  const as = world.machine;
  const staff = await seed(world, 'staff');
  const shown = async (body: object) => (await world.post(`${type}/preview`, { as, body })).body;
  const [usual, french] = [await shown({}), await shown({ language: 'fr' })];
  assert.match(usual.html, /<html lang="de"/);
  assert.match(french.html, /<html lang="fr"/);
  assert.notEqual(usual.subject, french.subject);
  const post = (body: object) => world.post(`${type}/send_test_email`, { as, body });
  const sent = await post({ staff, language: 'fr' });
  assert.equal(sent.status, 200, sent.text);
  const { body: mail } = await world.get(`/messages/${sent.body.message}?expand=body`, { as });
  assert.deepEqual(
    [mail.subject, mail.body.text.startsWith('Bonjour'), mail.staff],
    [`[Test] ${french.subject}`, true, staff],
  );
  assert.deepEqual(Object.keys((await post({})).body.field_errors), ['staff'], 'a program has no mailbox');
  assert.ok((await post({ staff, body: '{{nothing}}' })).body.field_errors.body);
  assert.equal((await world.post(`${type}/preview`, { as, body: { language: 'xx' } })).status, 400);
  assert.equal((await shown({ language: 'fr', subject: 'Mine' })).subject, 'Mine');
});

/** Creates a customer who reads the pages of the business in this language. */
async function readerOf(accepts: string): Promise<number> {
  const member = await newMember(world);
  const customer = await makeCustomer(world, member);
  const visitor = new PageClient(world.url);
  visitor.headers = { 'accept-language': accepts };
  const page = (name: string) => `/account/${world.harbour}/${name}`;
  await visitor.get(page('log-in'));
  await visitor.post(page('log-in'), { email: member.email, password: PASSWORD });
  assert.equal((await visitor.get(page('profile'))).status, 200);
  return customer;
}

test('customers are notified in the language in which they read the pages, and their children’s notices are too', async () => {
  const { id } = await newEvent(world, place, { in: untilNoon(4), name: 'Rudern' });
  const [ada, bob, eve] = [await readerOf('fr-CA'), await readerOf('en-GB'), await readerOf('ja')];
  const child = await world.post(`/customers/${ada}/add_child`, {
    as: world.machine,
    body: { first_name: 'Ben', last_name: 'Byron' },
  });
  const ours = { email_enabled: true, subject: null, body: null, sms_body: null };
  await world.patch('/communication/notification_types/event_registration_confirmed', {
    as: world.machine,
    body: ours,
  });
  for (const one of [child.body.id, bob, eve]) await book(world, id, one);
  const [french, english, austrian] = [
    await mailOf(ada, 'event_registration_confirmed'),
    await mailOf(bob, 'event_registration_confirmed'),
    await mailOf(eve, 'event_registration_confirmed'),
  ];
  assert.deepEqual(
    [french, english, austrian].map(({ language }) => language),
    ['fr', 'en', 'de'],
  );
  assert.match(french.subject, /^Réservé : Rudern, \p{L}+\.? \d+ \p{L}+\.?,? \d\d? h \d\d$/u);
  assert.match(french.text_part, /Bonjour \w+,[^]*\d{1,2} h \d\d/);
  assert.match(english.subject, /^Booked: Rudern, \w{3} \d+ \w+, \d\d:\d\d$/);
  assert.match(austrian.subject, /^Gebucht: Rudern/);
});
