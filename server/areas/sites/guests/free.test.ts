/**
 * Free bookings without an account: places are held until the booking is confirmed by email, and released if nobody
 * confirms.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { hashOf } from '../../people/identity/index.ts';
import { Mailbox, type ReceivedMail } from '../../../test/outside/mailbox.ts';
import { makeCustomer, newMember } from '../../../test/worlds/direct-auth-world.ts';
import { newCustomers, seats } from '../../../test/schedule-world.ts';
import { newRun } from '../../availability/courses/test/world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { sweepGuestBookings } from './booking.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { times, until } from '../../../test/storm.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let mailbox: Mailbox;
let world: World;
let c: CheckoutWorld;
let browser: PageBrowser;
let slug: string;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    own: true,
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  c = await CheckoutWorld.of(world);
  browser = new PageBrowser(world.url);
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  const body = { booking_site: { sells_to_guests: true } };
  const changed = await world.patch(`/providers/${world.harbour}`, { as: world.machine, body });
  assert.equal(changed.status, 200, changed.text);
});
after(async () => {
  await c?.close();
  await mailbox?.close();
});

const list = async (path: string): Promise<any[]> => {
  const { status, body, text } = await world.get(path, { as: world.machine });
  assert.equal(status, 200, text);
  return body.results;
};

const customersOf = (email: string) => list(`/customers?query=${encodeURIComponent(email)}&sort=id`);
const booked = async (event: number) => (await list(`/attendances?event=${event}`)).map(({ status }) => status);
const kinds = async (customer: number): Promise<string[]> =>
  (await list(`/feed_items?object=customer&object_id=${customer}&page_size=100`))
    .map(({ type }) => type)
    .filter((type) => type.startsWith('customer.guest_booking'));

/** Waits until these items are in the feed, in any order: the worker numbers them after the commit. */
const recorded = (customer: number, expected: readonly string[]): Promise<true> =>
  until(`the feed has ${expected.join(', ')}`, async () =>
    isDeepStrictEqual((await kinds(customer)).toSorted(), expected) ? true : undefined,
  );

let people = 0;
/** Requests from one network are limited, so each test runs at a different hour. */
const newAddress = (): string => `free${++people}@example.com`;

const FORMS = {
  en: { button: 'Book', fields: ['First name', 'Last name (optional)', 'Email address'] },
  de: { button: 'Buchen', fields: ['Vorname', 'Nachname (freiwillig)', 'E-Mail-Adresse'] },
};

async function asked(page: string, email: string, language: 'en' | 'de' = 'en'): Promise<PageVisitor> {
  const visitor = await browser.visitor();
  await visitor.open(`${page}?lang=${language}`);
  const { button, fields } = FORMS[language];
  const said = ['Ada', 'Byron', email];
  await visitor.submit(button, Object.fromEntries(fields.map((label, n) => [label, said[n]])));
  return visitor;
}

const linkIn = ({ text }: ReceivedMail): string =>
  /https?:\/\/[^/\s]+(\/account\/\d+\/guest\/confirm\?ticket=[\w-]+)/.exec(text)![1];
const codeIn = ({ text }: ReceivedMail): string => /where you booked: (\d{6})/.exec(text)![1];

/** Waits for the email of a booking, until its link works. */
async function mailOf(email: string, subject = /^Confirm your booking at Harbour/): Promise<ReceivedMail> {
  const mail = await mailbox.next(email, subject);
  const hash = hashOf(new URLSearchParams(linkIn(mail).split('?')[1]).get('ticket')!);
  await until('the link works', async () => {
    const { rows } = await c.owner.query('SELECT 1 FROM guest_booking WHERE secret_hash = $1', [hash]);
    return rows.length > 0;
  });
  return mail;
}

const guestPage = (event: number) => `/${slug}/events/${event}/guest`;

test('a guest’s free booking is held until they press the button in the email, then booked once', async () => {
  const event = await c.event({ price: '0.00', max_occupancy: 1 });
  const email = newAddress();
  const visitor = await asked(guestPage(event), email);
  assert.ok(visitor.path.endsWith('check-mail'), await visitor.text());
  assert.match(visitor.path, /\/guest\/check-mail$/);
  assert.match(await visitor.text(), /We hold a spot for you until 11:30/);
  await visitor.checkAccessible('guest-check-mail');
  assert.deepEqual(await seats(world, event), { attending: 0, held: 1, waiting: 0, booked: 0 });
  assert.deepEqual(await booked(event), []);
  // In the meantime, nobody else gets the place.
  const [other] = await newCustomers(world, 1);
  const refused = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer: other } });
  assert.equal(refused.body.code, 'event_full');
  const mail = await mailOf(email);
  assert.match(mail.text, /We hold it for you until 11:30/);
  assert.match(mail.raw, /text\/html/);
  assert.doesNotMatch(mail.text, /Ada/, 'whoever typed the address may have typed any name');
  const reader = await browser.visitor();
  await reader.open(linkIn(mail));
  assert.equal(await reader.heading(), 'Confirm your booking');
  await reader.checkAccessible('guest-confirm');
  assert.deepEqual(await booked(event), [], 'opening the link books nothing');
  await reader.submit('Confirm booking');
  assert.equal(reader.path, `/${slug}/events/${event}`);
  assert.ok(await reader.page.getByRole('status').isVisible());
  assert.deepEqual(await seats(world, event), { attending: 1, held: 0, waiting: 0, booked: 1 });
  for (const [who, page] of [
    [reader, linkIn(mail)],
    [visitor, `${visitor.path}?booking=${await bookingOf(email)}`],
  ] as const) {
    await who.open(page);
    assert.equal(await who.heading(), 'You’ve confirmed this already');
  }
  await mailbox.next(email, /^Create your account at Harbour/);
  const [{ id }] = await customersOf(email);
  await recorded(id, ['customer.guest_booking_confirmed', 'customer.guest_booking_held']);
});

test('the code in the email confirms the booking in the browser in which it was made, and nowhere else', async () => {
  const event = await c.event({ price: '0.00' });
  const email = newAddress();
  const visitor = await asked(guestPage(event), email);
  const page = `${visitor.path}?${new URLSearchParams({ booking: String(await bookingOf(email)) })}`;
  const code = codeIn(await mailOf(email));
  const stranger = await browser.visitor();
  await stranger.open(page);
  assert.match(await stranger.text(), /This link no longer works/);
  await visitor.submit('Confirm booking', { 'Code from the email': code === '000000' ? '000001' : '000000' });
  assert.match(await visitor.text(), /That code is wrong/);
  await visitor.submit('Confirm booking', { 'Code from the email': code });
  assert.equal(visitor.path, `/${slug}/events/${event}`);
  assert.deepEqual(await booked(event), ['registered']);
});

test('a code can be tried five times', async () => {
  const event = await c.event({ price: '0.00' });
  const email = newAddress();
  const visitor = await asked(guestPage(event), email);
  const code = codeIn(await mailOf(email));
  for (let n = 0; n < 5; n++)
    await visitor.submit('Confirm booking', { 'Code from the email': code === '000000' ? '000001' : '000000' });
  await visitor.submit('Confirm booking', { 'Code from the email': code });
  assert.match(await visitor.text(), /Codes no longer work here/);
  assert.deepEqual(await booked(event), []);
});

const bookingOf = async (email: string): Promise<number> => {
  const { rows } = await c.owner.query('SELECT id FROM guest_booking WHERE email_key = $1', [email]);
  return Number(rows[0].id);
};

test('the sweep records that a booking expired whose job was lost with its queue', async () => {
  world.setNow(world.now + HOUR);
  const event = await c.event({ price: '0.00', max_occupancy: 1 });
  const email = newAddress();
  await asked(guestPage(event), email);
  const key = `%:guest_booking:${await bookingOf(email)}`;
  const { rowCount } = await c.owner.query('DELETE FROM graphile_worker._private_jobs WHERE key LIKE $1', [key]);
  assert.equal(rowCount, 1);
  world.setNow(world.now + 41 * MINUTE);
  await world.app.db.acrossTenants('the sweep is tested', (tx) => sweepGuestBookings(tx, world.now));
  const [{ id }] = await customersOf(email);
  await recorded(id, ['customer.guest_booking_expired', 'customer.guest_booking_held']);
  assert.equal((await seats(world, event)).held, 0);
});

test('a place that nobody confirms in time goes to the waitlist, and the late link offers the waitlist', async () => {
  world.setNow(world.now + HOUR);
  const event = await c.event({ price: '0.00', max_occupancy: 1 });
  const email = newAddress();
  const visitor = await asked(guestPage(event), email);
  const mail = await mailOf(email);
  const [waiting] = await newCustomers(world, 1);
  const joined = await world.post(`/events/${event}/join_waitlist`, { as: world.machine, body: { customer: waiting } });
  assert.equal(joined.status, 200, joined.text);
  world.setNow(world.now + 31 * MINUTE);
  await until('the place goes on', async () => (await booked(event)).includes('registered'));
  const [{ id }] = await customersOf(email);
  await until('the feed says so', async () => (await kinds(id)).includes('customer.guest_booking_expired'));
  await visitor.open(`${visitor.path}?booking=${await bookingOf(email)}`);
  assert.match(await visitor.text(), /We held a spot for you until/);
  const reader = await browser.visitor();
  await reader.open(linkIn(mail));
  assert.match(await reader.text(), /We held a spot for you until/);
  await reader.submit('Confirm booking');
  assert.equal(await reader.heading(), 'There’s no spot left');
  await reader.checkAccessible('guest-full');
  await reader.submit('Join the waitlist');
  assert.equal(await reader.heading(), 'You’re on the waitlist');
  assert.deepEqual(
    (await list(`/waitlist_spots?event=${event}&active=true`)).map(({ customer }) => customer),
    [id],
  );
  assert.deepEqual(await seats(world, event), { attending: 1, held: 0, waiting: 1, booked: 1 });
  await mailbox.next(email, /^Create your account at Harbour/);
});

test('a late confirmation books if there is still room, and guests who never confirm are deleted after a day', async () => {
  world.setNow(world.now + 2 * HOUR);
  const event = await c.event({ price: '0.00', max_occupancy: 2, in: 72 });
  const [late, never] = [newAddress(), newAddress()];
  await asked(guestPage(event), late);
  await asked(guestPage(event), never);
  const mails = [await mailOf(late), await mailOf(never)];
  world.setNow(world.now + 31 * MINUTE);
  await until('the places are free', async () => (await seats(world, event)).held === 0);
  const reader = await browser.visitor();
  await reader.open(linkIn(mails[0]));
  await reader.submit('Confirm booking');
  assert.equal(reader.path, `/${slug}/events/${event}`);
  assert.deepEqual(await booked(event), ['registered']);
  world.setNow(world.now + 24 * HOUR);
  await until('nobody is left of it', async () => (await customersOf(never)).length === 0);
  assert.equal((await customersOf(late)).length, 1);
  await reader.open(linkIn(mails[1]));
  assert.match(await reader.text(), /This link no longer works/);
});

test('the place in a class that begins sooner is held until it begins, and the email is in the guest’s language', async () => {
  world.setNow(world.now + 2 * HOUR);
  const event = await c.event({ price: '0.00', in: 48 });
  const [{ starts_at }] = await list(`/events?ids=${event}`);
  world.setNow(Date.parse(starts_at) - 10 * MINUTE);
  const email = newAddress();
  await asked(guestPage(event), email, 'de');
  const mail = await mailOf(email, /^Bestätigen Sie Ihre Buchung bei Harbour/);
  const { rows: kept } = await c.owner.query('SELECT expires_at FROM seat_hold WHERE event_id = $1', [event]);
  assert.equal(Math.floor(Number(new Date(kept[0].expires_at)) / 1000) * 1000, Date.parse(starts_at));
  assert.match(mail.text, /Buchung bestätigen:/);
  world.resetNow();
});

test('an address that was confirmed here before is booked immediately, on a page that looks the same', async () => {
  world.setNow(world.now + 40 * 24 * HOUR);
  const [first, second] = [await c.event({ price: '0.00' }), await c.event({ price: '0.00' })];
  const member = await newMember(world);
  await makeCustomer(world, member);
  const visitor = await asked(guestPage(first), member.email);
  assert.match(await visitor.text(), /We hold a spot for you until/);
  assert.deepEqual(await booked(first), ['registered']);
  assert.ok(
    !mailbox.mails.some(({ to, subject }) => to === member.email && subject.startsWith('Confirm your booking')),
  );
  // Anyone else who knows the address can't fill the class with it.
  await asked(guestPage(first), member.email);
  await mailOf(member.email);
  assert.deepEqual(await booked(first), ['registered']);
  const guest = newAddress();
  await asked(guestPage(first), guest);
  const reader = await browser.visitor();
  await reader.open(linkIn(await mailOf(guest)));
  await reader.submit('Confirm booking');
  await asked(guestPage(second), guest);
  assert.deepEqual(await booked(second), ['registered']);
});

test('all dates of a free course are held, and booked when the guest confirms by email', async () => {
  world.setNow(world.now + HOUR);
  const { course, series } = await newRun(world, { sessions: 3, price: '0.00', max_occupancy: 1 });
  const email = newAddress();
  await asked(`/${slug}/courses/${course}/${series}/guest`, email);
  assert.deepEqual(await list(`/course_enrollments?course_date_series=${series}`), []);
  const { rows } = await c.owner.query("SELECT count(*)::int AS n FROM seat_hold WHERE held_for = 'guest_booking'");
  assert.equal(rows[0].n >= 3, true);
  const reader = await browser.visitor();
  await reader.open(linkIn(await mailOf(email)));
  await reader.submit('Confirm booking');
  assert.equal(reader.path, `/${slug}/courses/${course}`);
  const [{ id }] = await customersOf(email);
  const enrolled = await list(`/course_enrollments?customer=${id}&status=active`);
  assert.deepEqual(
    enrolled.map((one) => [one.course_date_series, one.paid_by]),
    [[series, 'nothing']],
  );
});

test('a form that is sent twice creates one booking, and several confirmations book once', async () => {
  world.setNow(world.now + HOUR);
  const event = await c.event({ price: '0.00' });
  const email = newAddress();
  const client = new PageClient(world.url);
  const { text } = await client.get(guestPage(event));
  const form = /name="form" value="([\w-]+)"/.exec(text)![1];
  const sent = { form, first_name: 'Ada', last_name: 'Byron', email };
  const [first, second] = [await client.post(guestPage(event), sent), await client.post(guestPage(event), sent)];
  assert.match(first.headers.get('location')!, /check-mail\?booking=\d+$/);
  assert.equal(second.headers.get('location'), first.headers.get('location'));
  assert.equal((await customersOf(email)).length, 1);
  const link = linkIn(await mailOf(email));
  const readers = await times(4, async () => {
    const reader = await browser.visitor();
    await reader.open(link);
    return reader;
  });
  await Promise.all(readers.map((reader) => reader.submit('Confirm booking')));
  assert.deepEqual(await booked(event), ['registered']);
});

test('bookings by staff and through the API need no confirmation', async () => {
  const event = await c.event({ price: '0.00' });
  const [customer] = await newCustomers(world, 1);
  const made = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer } });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(await booked(event), ['registered']);
});

/** Returns the hidden fields of a form, as a browser would send them. */
const kept = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
      .map(([, name, value]) => [name, value])
      .filter(([name]) => name !== 'form_token'),
  );

test('a purchase that a discount code makes free is held until the guest confirms the address, and then bought once', async () => {
  world.setNow(world.now + HOUR);
  const event = await c.event({ price: '15.00', max_occupancy: 1 });
  const code = await c.code({ discount_percent: '100' });
  const email = newAddress();
  const client = new PageClient(world.url);
  client.headers = { accept: 'text/html', 'accept-language': 'en-GB' };
  const page = guestPage(event);
  const first = { ...kept((await client.get(page)).text), first_name: 'Ada', last_name: 'Byron', email };
  const checkout = (await client.post(page, first)).headers.get('location')!;
  const ticket = new URLSearchParams(checkout.split('?')[1]).get('ticket')!;
  await client.get(checkout);
  await client.post(`/account/${world.harbour}/checkout/code`, { ticket, code });
  const { text } = await client.get(checkout);
  const form = kept(text.slice(text.indexOf('checkout/pay?')));
  assert.equal(form.due, '0', text);
  const pay = () => client.post(`/account/${world.harbour}/checkout/pay`, form);
  const held = await pay();
  assert.match(held.headers.get('location') ?? held.text, /\/guest\/check-mail\?booking=\d+$/);
  assert.equal((await pay()).headers.get('location'), held.headers.get('location'), 'once');
  assert.match((await client.get(held.headers.get('location')!)).text, /We hold a spot for you/);
  assert.deepEqual(await seats(world, event), { attending: 0, held: 1, waiting: 0, booked: 0 });
  // Longer than a checkout is kept for somebody who pays.
  world.setNow(world.now + 25 * MINUTE);
  const mail = await mailOf(email);
  const reader = await browser.visitor();
  await reader.open(linkIn(mail));
  await reader.submit('Confirm booking');
  assert.equal(reader.path, `/${slug}/events/${event}`, await reader.text());
  assert.deepEqual(await seats(world, event), { attending: 1, held: 0, waiting: 0, booked: 1 });
  await reader.open(linkIn(mail));
  assert.equal(await reader.heading(), 'You’ve confirmed this already');
  await mailbox.next(email, /^Create your account at Harbour/);
  await c.balanced();
});
