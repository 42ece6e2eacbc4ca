/** Passes for the wallets of phones: their content, who gets them, and where they are offered. */
import { entryCode } from '../../people/customers/index.ts';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt, jwtVerify } from 'jose';
import { appleFiles, googleFile, PASS_TYPE, TEAM, type AppleFiles } from '../../../test/outside/wallet-keys.ts';
import { book, newEvent, newPlace, newVenue, type Place } from '../../../test/schedule-world.ts';
import { createUser } from '../../people/identity/index.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageVisitor } from '../../../test/pages/page-visitor.ts';
import { until } from '../../../test/storm.ts';
import { TestGoogle } from './test/google.ts';
import { verifyPass, type ReadPass } from './test/verify-pass.ts';
import { START } from '../../../test/clock.ts';

const PASSWORD = 'otter kettle midnight ferry';
const ANDROID = 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile Safari';
const ISSUER = '3388000000012345678';

let apple: AppleFiles;
let google: TestGoogle;
let publicKey: CryptoKey;
const codeFor = (customer: number, at = world): string => entryCode(at.app.installation.box, at.harbour, customer, 1);

let world: World;
/** a world without any keys */
let bare: World;
let place: Place;

before(async () => {
  [apple, google] = await Promise.all([appleFiles(), TestGoogle.start()]);
  const account = await googleFile(google.tokenUrl);
  publicKey = google.publicKey = account.publicKey;
  world = await startWorld({
    own: true,
    worker: true,
    env: {
      ...apple.env,
      GOOGLE_WALLET_ISSUER: ISSUER,
      GOOGLE_WALLET_KEY: account.file,
      GOOGLE_WALLET_URL: google.url,
      OUTBOUND_ALLOW: '127.0.0.1/32',
    },
  });
  bare = await startWorld();
  const set = await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { name: 'Harbour', contact_info: { email: 'hello@harbour.example' }, branding: { color: '#0f766e' } },
  });
  assert.equal(set.status, 200, set.text);
  place = {
    offering: (await newPlace(world)).offering,
    venue: await newVenue(world, {
      name: 'Pier "4"',
      timezone: 'Europe/London',
      physical_address: { street: '1 Pier', city: 'London' },
    }),
  };
});
after(async () => {
  await Promise.all([world?.close(), bare?.close(), google?.close()]);
});

let people = 0;
/** Creates a customer who is logged in. */
async function someone(of = world): Promise<{ id: number; email: string; visitor: PageClient }> {
  const email = `wallet${++people}@example.com`;
  const userId = await of.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const visitor = new PageClient(of.url);
  await visitor.get(`/account/${of.harbour}/log-in`);
  assert.equal((await visitor.post(`/account/${of.harbour}/log-in`, { email, password: PASSWORD })).status, 303);
  return {
    id: await of.newCustomer({ user_id: userId, email, first_name: 'Ada', last_name: 'Byron' }),
    email,
    visitor,
  };
}

const at = (page: string) => `/account/${world.harbour}/passes/${page}`;
/** Next year, in the last days of summer time in London. */
const DAY = `${new Date(START).getUTCFullYear() + 1}-10-20`;
const ROWING = { name: 'Rowing', starts_at: `${DAY}T18:00`, ends_at: `${DAY}T19:30` };

async function booked(values: Record<string, unknown> = ROWING) {
  const ada = await someone();
  const { id: event } = await newEvent(world, place, values);
  await book(world, event, ada.id);
  return { ...ada, event };
}

async function applePass({ visitor }: { visitor: PageClient }, page: string): Promise<ReadPass> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${world.url}${at(page)}/apple`, { headers: { cookie } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/vnd.apple.pkpass');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return verifyPass(Buffer.from(await answer.arrayBuffer()), apple.root);
}

const statusOf = async (visitor: PageClient, page: string, wallet = 'apple') =>
  (await visitor.get(`${at(page)}/${wallet}`)).status;

test("a booking becomes a pass that a phone accepts: signed, in the business's colors, with the code that the desk scans", async () => {
  const ada = await booked();
  const { pass } = await applePass(ada, `events/${ada.event}/${ada.id}`);
  assert.deepEqual([pass.passTypeIdentifier, pass.teamIdentifier, pass.formatVersion], [PASS_TYPE, TEAM, 1]);
  assert.equal(pass.organizationName, 'Harbour');
  assert.deepEqual(pass.barcodes, [
    { format: 'PKBarcodeFormatQR', message: codeFor(ada.id), messageEncoding: 'iso-8859-1', altText: codeFor(ada.id) },
  ]);
  assert.deepEqual([pass.backgroundColor, pass.foregroundColor], ['rgb(15, 118, 110)', 'rgb(255, 255, 255)']);
  // Six in the evening at the venue; the business is in Toronto.
  assert.deepEqual([pass.relevantDate, pass.expirationDate], [`${DAY}T18:00:00+01:00`, `${DAY}T19:30:00+01:00`]);
  const { primaryFields, secondaryFields, auxiliaryFields, backFields } = pass.eventTicket;
  assert.deepEqual(
    [...primaryFields, ...secondaryFields, ...auxiliaryFields, ...backFields].map(({ key, value }) => [key, value]),
    [
      ['event', 'Rowing'],
      ['when', `${DAY}T18:00:00+01:00`],
      ['where', 'Pier "4"'],
      ['name', 'Ada Byron'],
      ['address', '1 Pier, London'],
      ['contact', 'hello@harbour.example'],
      ['page', `${world.url}/harbour/events/${ada.event}`],
    ],
  );
  assert.equal(secondaryFields[0].ignoresTimeZone, true);
});

test('a phone finds every label of a pass in each of the nine languages', async () => {
  const ada = await booked();
  const passes = [await applePass(ada, `${ada.id}`), await applePass(ada, `events/${ada.event}/${ada.id}`)];
  for (const { pass, texts } of passes) {
    assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(LANGUAGES).toSorted());
    const labels = Object.values({ ...pass.eventTicket, ...pass.generic } as Record<string, any[]>)
      .flat()
      .flatMap(({ label }) => label ?? []);
    assert.ok(labels.length >= 2);
    for (const [language, all] of Object.entries(texts))
      for (const label of labels) assert.ok(all[label], `${language}: ${label}`);
    assert.equal(texts.de['Name'], 'Für');
  }
});

test('the code for the door is a pass too, which never expires and is the same each time it is issued', async () => {
  const ada = await someone();
  const [{ pass }, { pass: again }] = [await applePass(ada, `${ada.id}`), await applePass(ada, `${ada.id}`)];
  assert.equal(pass.barcodes[0].message, codeFor(ada.id));
  assert.equal(pass.expirationDate, undefined);
  assert.equal(pass.serialNumber, again.serialNumber);
  // A serial number identifies nobody to anyone without the secret key.
  assert.match(pass.serialNumber, /^[\w-]{43}$/);
  assert.deepEqual(
    pass.generic.primaryFields.map(({ value }: { value: string }) => value),
    ['Ada Byron'],
  );
});

// Guards against: A pass for a wallet that somebody else gets, or that tells Google more than it shows
test("nobody gets a pass of somebody else, of an event that they haven't booked, or of one that is over", async () => {
  const [ada, eve] = [await booked(), await someone()];
  assert.equal(await statusOf(eve.visitor, `${ada.id}`), 404);
  assert.equal(await statusOf(eve.visitor, `events/${ada.event}/${ada.id}`), 404);
  assert.equal(await statusOf(eve.visitor, `events/${ada.event}/${ada.id}`, 'google'), 404);
  assert.equal(await statusOf(eve.visitor, `events/${ada.event}/${eve.id}`), 404);
  const stranger = await new PageClient(world.url).get(`${at(`${ada.id}`)}/apple`);
  assert.equal(stranger.status, 303);
  assert.match(stranger.headers.get('location')!, /\/log-in\?return_to=/);
  await world.post(`/events/${ada.event}/unregister`, { as: world.machine, body: { customer: ada.id } });
  assert.equal(await statusOf(ada.visitor, `events/${ada.event}/${ada.id}`), 404);
  const { visitor, id, event } = await booked({});
  assert.equal(await statusOf(visitor, `events/${event}/${id}`), 200);
  const before = world.now;
  try {
    // It is the next day for an hour.
    world.setNow(before + 26 * 3_600_000);
    assert.equal(await statusOf(visitor, `events/${event}/${id}`), 404);
  } finally {
    world.setNow(before);
  }
});

test('people get passes of their children', async () => {
  const ada = await someone();
  const { body: child } = await world.post(`/customers/${ada.id}/add_child`, {
    as: world.machine,
    body: { first_name: 'Ben', last_name: 'Byron' },
  });
  const { pass } = await applePass(ada, `${child.id}`);
  assert.equal(pass.barcodes[0].message, codeFor(child.id));
  const { text } = await ada.visitor.get(`/account/${world.harbour}/profile`);
  assert.match(text, new RegExp(`passes/${child.id}/apple"[^>]*aria-label="Add to Apple Wallet: Ben"`));
});

// Guards against: A pass for a wallet that somebody else gets, or that tells Google more than it shows
test('Google gets the content of a pass, and the address of the link reveals nothing of it', async () => {
  const ada = await booked();
  const answer = await ada.visitor.get(`${at(`events/${ada.event}/${ada.id}`)}/google`);
  assert.equal(answer.status, 303);
  const [, token] = /^https:\/\/pay\.google\.com\/gp\/v\/save\/(.+)$/.exec(answer.headers.get('location')!)!;
  const { payload } = await jwtVerify(token, publicKey, {
    issuer: 'wallet@example.iam.gserviceaccount.com',
    audience: 'google',
  });
  assert.equal(payload.typ, 'savetowallet');
  const [{ id, classId }] = (payload.payload as any).eventTicketObjects;
  assert.deepEqual(Object.keys((payload.payload as any).eventTicketObjects[0]), ['id', 'classId']);
  assert.ok(id.startsWith(`${ISSUER}.`) && classId.startsWith(`${ISSUER}.`));
  const object = google.kept.get(`eventTicketObject/${id}`);
  assert.deepEqual(
    [object.classId, object.barcode.value, object.ticketHolderName, object.validTimeInterval.end.date],
    [classId, codeFor(ada.id), 'Ada Byron', `${DAY}T19:30:00+01:00`],
  );
  const of = google.kept.get(`eventTicketClass/${classId}`);
  assert.deepEqual(
    [of.eventName.defaultValue.value, of.dateTime.start, of.venue.name.defaultValue.value, of.hexBackgroundColor],
    ['Rowing', `${DAY}T18:00:00+01:00`, 'Pier "4"', '#0f766e'],
  );
});

test('a pass that is added again updates the data at Google', async () => {
  const ada = await booked();
  const page = `${at(`events/${ada.event}/${ada.id}`)}/google`;
  await ada.visitor.get(page);
  await world.patch(`/events/${ada.event}`, {
    as: world.machine,
    body: { starts_at: `${DAY}T20:00`, ends_at: `${DAY}T21:00` },
  });
  const link = (await ada.visitor.get(page)).headers.get('location')!;
  const [{ classId }] = (decodeJwt(link.split('/').at(-1)!).payload as any).eventTicketObjects;
  assert.equal(google.kept.get(`eventTicketClass/${classId}`).dateTime.start, `${DAY}T20:00:00+01:00`);
});

test('the code for the door has its label in nine languages at Google too', async () => {
  const ada = await someone();
  const link = (await ada.visitor.get(`${at(`${ada.id}`)}/google`)).headers.get('location')!;
  const [{ id }] = (decodeJwt(link.split('/').at(-1)!).payload as any).genericObjects;
  const { subheader, header, barcode } = google.kept.get(`genericObject/${id}`);
  assert.deepEqual([header.defaultValue.value, barcode.value], ['Ada Byron', codeFor(ada.id)]);
  assert.equal(subheader.translatedValues.length, Object.keys(LANGUAGES).length - 1);
});

test('if Google does not respond, the page says so and offers to try again', async () => {
  const ada = await someone();
  google.failing = 500;
  try {
    const answer = await ada.visitor.get(`${at(`${ada.id}`)}/google`);
    assert.equal(answer.status, 503);
    assert.match(answer.text, /Google Wallet can’t be reached right now[^]*Try again/);
    assert.doesNotMatch(answer.text, /Not now/);
  } finally {
    google.failing = null;
  }
  assert.equal(await statusOf(ada.visitor, `${ada.id}`, 'google'), 303);
});

test('a token that Google revoked early is requested again with the next pass', async () => {
  const ada = await someone();
  assert.equal(await statusOf(ada.visitor, `${ada.id}`, 'google'), 303);
  google.token = 'another-token';
  assert.equal(await statusOf(ada.visitor, `${ada.id}`, 'google'), 503);
  assert.equal(await statusOf(ada.visitor, `${ada.id}`, 'google'), 303);
});

test('the page of a booking offers the wallet of the phone in use, and both on a computer', async () => {
  const ada = await booked();
  const offered = async (agent: string) => {
    ada.visitor.headers = { 'user-agent': agent };
    const { text } = await ada.visitor.get(`/harbour/events/${ada.event}`);
    return [...text.matchAll(/>Add to (Apple|Google) Wallet</g)].map(([, name]) => name);
  };
  assert.deepEqual(await offered(IPHONE), ['Apple']);
  assert.deepEqual(await offered(ANDROID), ['Google']);
  assert.deepEqual(await offered('Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0'), ['Apple', 'Google']);
  const other = await newEvent(world, place, ROWING);
  const { text } = await ada.visitor.get(`/harbour/events/${other.id}`);
  assert.doesNotMatch(text, /Wallet/);
});

test('the page that the email links to offers a pass to each person with a booking, and a link to continue', async () => {
  const ada = await booked();
  const { text } = await ada.visitor.get(at(`events/${ada.event}`));
  assert.match(text, /Add to your phone’s wallet[^]*Rowing[^]*Add to Apple Wallet[^]*Go to Rowing/);
  await world.post(`/events/${ada.event}/unregister`, { as: world.machine, body: { customer: ada.id } });
  const later = await ada.visitor.get(at(`events/${ada.event}`));
  assert.match(later.text, /Nothing is booked here right now/);
  assert.doesNotMatch(later.text, /Add to Apple Wallet/);
});

test('the email that confirms a booking links to its pass if the person has an account', async () => {
  const [ada, guest] = [await booked(), await world.newCustomer()];
  await book(world, ada.event, guest);
  const mailTo = (customer: number) =>
    until('the booking is confirmed', async () => {
      const mail = await world.work(world.harbour, ({ tx }) =>
        tx.one<{ text: string }>(
          sql`SELECT text_part AS text FROM message WHERE provider_id = ${world.harbour} AND customer_id = ${customer}
            AND kind = 'event_registration_confirmed'`,
        ),
      );
      return mail?.text;
    });
  const text = await mailTo(ada.id);
  assert.match(text, /Add it to the wallet of your phone:\nhttp\S+\/passes\/events\/\d+\n/);
  assert.ok(text.includes(`${world.url}${at(`events/${ada.event}`)}`));
  assert.doesNotMatch(await mailTo(guest), /wallet/);
});

test('everybody can use the buttons: next to the code, on the page of a booking, and on the page that the email links to', async () => {
  const ada = await booked();
  const visitor = new PageVisitor(world.url);
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': ada.email, Password: PASSWORD });
  await visitor.open(`/account/${world.harbour}/profile`);
  await visitor.checkAccessible('passes-account');
  await visitor.open(at(`events/${ada.event}`));
  await visitor.checkAccessible('passes-mailed');
  await visitor.leave(visitor.page.getByRole('link', { name: 'Go to Rowing' }));
  assert.equal(visitor.path, `/harbour/events/${ada.event}`);
  await visitor.checkAccessible('passes-booking');
  const download = await visitor.download(visitor.page.getByRole('link', { name: 'Add to Apple Wallet' }));
  assert.equal(download.name, 'pass.pkpass');
  const { pass } = verifyPass(download.body, apple.root);
  assert.equal(pass.barcodes[0].message, codeFor(ada.id));
  await visitor.close();
});

test('without keys there are no passes, and nothing offers them', async () => {
  const ada = await someone(bare);
  const { text } = await ada.visitor.get(`/account/${bare.harbour}/profile`);
  assert.match(text, new RegExp(codeFor(ada.id, bare)));
  assert.doesNotMatch(text, /Wallet/);
  for (const wallet of ['apple', 'google'])
    assert.equal((await ada.visitor.get(`/account/${bare.harbour}/passes/${ada.id}/${wallet}`)).status, 404);
});

test('once the certificate has expired, no page offers Apple Wallet', async () => {
  const ada = await someone();
  const before = world.now;
  try {
    world.setNow(before + 301 * 86_400_000);
    const { visitor } = await someone();
    const { text } = await visitor.get(`/account/${world.harbour}/profile`);
    assert.match(text, /Add to Google Wallet/);
    assert.doesNotMatch(text, /Add to Apple Wallet/);
  } finally {
    world.setNow(before);
  }
  assert.equal(await statusOf(ada.visitor, `${ada.id}`), 200);
});
