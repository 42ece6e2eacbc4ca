/** The page of an event as people experience it: from the email to the spot, without JavaScript. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  book,
  newEvent,
  newInstructor,
  newOffering,
  newPlace,
  newVenue,
  type Place,
} from '../../../test/schedule-world.ts';
import { createUser } from '../../people/identity/index.ts';
import { pngOf } from '../../platform/images/test/pictures.ts';
import { Mailbox, type ReceivedMail } from '../../../test/outside/mailbox.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';
import { TestBrowser, type Visitor } from '../../../test/pages/browser.ts';

const HOUR = 3_600_000;
const MONTH_AND_DAY = { month: 'long', day: 'numeric' } as const;
const PASSWORD = 'otter kettle midnight ferry';

let mailbox: Mailbox;
let world: World;
let browser: PageBrowser;
let place: Place;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  browser = new PageBrowser(world.url);
  place = await newPlace(world);
  const settings = {
    name: 'Harbour',
    branding: { color: '#0f766e' },
    waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'reserve', claim_minutes: 60 }] },
  };
  const changed = await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: settings });
  assert.equal(changed.status, 200, changed.text);
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});

/** Creates a customer with an account. */
async function someone(email: string, firstName: string): Promise<number> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName, lastName: 'Byron' }),
  );
  return world.newCustomer({ user_id: userId, email, first_name: firstName });
}

/** Returns the only address in the text that leads to an event, without that of the service. */
function linkOf({ text }: Pick<ReceivedMail, 'text'>, event: number): string {
  const links = [...new Set([...text.matchAll(/https?:\/\/\S+\/events\/\d+/g)].map(([url]) => url))];
  assert.deepEqual(links, [`${world.url}/account/${world.harbour}/events/${event}`], text);
  return new URL(links[0]).pathname;
}

const logIn = (visitor: Pick<Visitor, 'submit'>, email: string) =>
  visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });

/** Other connections see a commit shortly after the email about it. */
const offered = (customer: number) =>
  world.work(world.harbour, ({ tx }) =>
    tx.one(
      sql`SELECT status FROM waitlist_spot WHERE provider_id = ${world.harbour} AND customer_id = ${customer}
        AND ended_at IS NULL`,
    ),
  );

test('people on the waitlist get an email when a spot is free, follow its link, log in, and claim the spot', async () => {
  const [holder, ada] = [await world.newCustomer(), await someone('ada@example.com', 'Ada')];
  const { id } = await newEvent(world, place, { max_occupancy: 1, in: 200 });
  await book(world, id, holder);
  await world.post(`/events/${id}/join_waitlist`, { as: world.machine, body: { customer: ada } });
  assert.match((await mailbox.next('ada@example.com', /On the waitlist/)).text, /You are on the waitlist/);
  await world.post(`/events/${id}/unregister`, { as: world.machine, body: { customer: holder } });
  const mail = await mailbox.next('ada@example.com', /A spot is free/);
  assert.match(mail.text, /Hi Ada,\s+There is a free spot for you:/);
  assert.deepEqual(await offered(ada), { status: 'spot_reserved' });

  const visitor = await browser.visitor();
  await visitor.open(linkOf(mail, id));
  assert.match(await visitor.text(), /Rowing[^]*Pier 4[^]*Full[^]*Want to come\?/);
  await visitor.checkAccessible('event-visitor');
  await visitor.follow('Log in');
  await logIn(visitor, 'ada@example.com');
  assert.equal(visitor.path, `/harbour/events/${id}`);
  assert.match(await visitor.text(), /A spot is kept for you until/);
  await visitor.checkAccessible('event-kept');
  await visitor.submit('Take the spot');
  assert.match(await visitor.text(), /Booked\.[^]*You.re booked/);
  await visitor.checkAccessible('event-booked');
  const confirmed = await mailbox.next('ada@example.com', /^Booked/);
  assert.match(confirmed.text, /You are booked:/);
  linkOf(confirmed, id);
  assert.match(
    confirmed.raw.replaceAll(/=?\r\n ?/g, ''),
    new RegExp(`URL[^:]*:${world.url}/account/${world.harbour}/events/${id}`),
  );

  await visitor.submit('Cancel booking');
  assert.match(await visitor.text(), /The booking is cancelled\.[^]*You.re not booked yet/);
  assert.match((await mailbox.next('ada@example.com', /^Cancelled/)).text, /Your booking is cancelled:/);
  await visitor.close();
});

test('a parent books, joins the waitlist and cancels for the children, whom the pages call by name', async () => {
  const parent = await someone('mary@example.com', 'Mary');
  const sam = (
    await world.post(`/customers/${parent}/add_child`, {
      as: world.machine,
      body: { first_name: 'Sam', last_name: 'Byron' },
    })
  ).body.id;
  const { instructor } = await newInstructor(world);
  const offering = await newOffering(world, { cancellation_notice_interval: 24 * 60 });
  const { id } = await newEvent(
    world,
    { ...place, offering },
    {
      max_occupancy: 1,
      in: 100,
      instructors: [instructor],
      description: 'Bring a towel.\nAnd a friend.\n\nWe row in any weather.',
    },
  );
  const visitor = await browser.visitor();
  await visitor.open(`/harbour/events/${id}`);
  await visitor.follow('Log in');
  await logIn(visitor, 'mary@example.com');
  await visitor.checkAccessible('event-family');
  await visitor.submit('Book for Sam');
  assert.match(
    await visitor.text(),
    /This class is full\. If you join the waitlist, you.ll be number 1\.[^]*Sam is booked[^]*After that, cancelling counts as late/,
  );
  await visitor.checkAccessible('event-family-full');
  await visitor.submit('Join the waitlist', { 'Book me in even after the free cancellation time has passed': true });
  assert.match(await visitor.text(), /You.re number 1 on the waitlist/);
  assert.match((await mailbox.next('mary@example.com', /^Booked/)).text, /Hi Mary,\s+Sam is booked:/);
  assert.match((await mailbox.next('mary@example.com', /On the waitlist/)).text, /You are on the waitlist/);
  assert.equal(
    (await world.get(`/customers/${sam}/messages?expand=body`, { as: world.customer(parent) })).body.count,
    1,
  );
  await visitor.submit('Leave the waitlist');
  assert.match(await visitor.text(), /left the waitlist[^]*You.re not booked yet/);

  // The window was opened before the cut-off.
  await visitor.open(`/harbour/events/${id}`);
  world.setNow(world.now + 90 * HOUR);
  await visitor.submit('Cancel booking for Sam');
  assert.match(
    await visitor.text(),
    /There is a problem[^]*Cancelling now counts as late\. Cancel again[^]*Cancelling now counts as late/,
  );
  await visitor.checkAccessible('event-late');
  await visitor.submit('Cancel late for Sam');
  assert.match(
    await visitor.text(),
    /The booking is cancelled\. It counts as a late cancellation\.[^]*Sam cancelled late/,
  );
  assert.match((await mailbox.next('mary@example.com', /^Cancelled/)).text, /Sam.s booking is cancelled:/);
  await visitor.close();
});

test('a parent books the whole family by keyboard only, in the language of the browser', async (t) => {
  const parent = await someone('nele@example.com', 'Nele');
  for (const first_name of ['Jo', 'Kim'])
    await world.post(`/customers/${parent}/add_child`, { as: world.machine, body: { first_name, last_name: 'Byron' } });
  const { instructor } = await newInstructor(world);
  const venue = await newVenue(world, {
    name: 'Pier 9',
    physical_address: { street: '1 Quay', city: 'Toronto', lat: 43.6, lng: -79.4 },
  });
  const offering = await newOffering(world, { allows_dropins: true, cancellation_notice_interval: 24 * 60 });
  const there = { venue, offering };
  const uploaded = await world.post('/images', {
    as: world.machine,
    body: { image: (await pngOf({ width: 1200, height: 600 })).toString('base64') },
  });
  await world.patch(`/offering_types/${offering}`, { as: world.machine, body: { image: uploaded.body.id } });
  await world.patch(`/instructors/${instructor}`, {
    as: world.machine,
    body: { picture_url: uploaded.body.url, description: 'Has rowed since 2001.' },
  });
  await newEvent(world, there, { in: 260, name: 'Sculling' });
  const { id } = await newEvent(world, there, { in: 150, name: 'Sculling', instructors: [instructor] });
  const realBrowser = await TestBrowser.start(world.url);
  t.after(() => realBrowser.close());
  const visitor = await realBrowser.visitor();
  await visitor.open(`/harbour/events/${id}?lang=de`);
  assert.match(
    await visitor.text(),
    /Noch 4 frei[^]*Kostenlos[^]*Möchten Sie kommen\?[^]*Das könnte Ihnen auch gefallen/,
  );
  await visitor.checkAccessible('event-visitor-de');
  await visitor.open(`/harbour/events/${id}?lang=en`);
  await visitor.follow('Log in');
  await logIn(visitor, 'nele@example.com');
  await visitor.checkAccessible('event-together');
  const { page } = visitor;
  await page.getByLabel('You', { exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/done=booked/);
  visitor.check();
  assert.match(await visitor.text(), /Booked: You and Kim\.[^]*You.re booked[^]*Jo is not booked yet[^]*Kim is booked/);
  await visitor.checkAccessible('event-together-booked');
  await visitor.close();
});

test('somebody books the same evening for several weeks, and sees which dates cannot be booked', async () => {
  const tove = await someone('tove@example.com', 'Tove');
  await world.post(`/customers/${tove}/add_child`, {
    as: world.machine,
    body: { first_name: 'Jo', last_name: 'Byron' },
  });
  const there = { ...place, offering: await newOffering(world) };
  const ids: number[] = [];
  const first = wallAt(world.now, 'America/Toronto').date;
  const days = [14, 21, 28, 35].map((ahead) => addDays(first, ahead));
  for (const [i, day] of days.entries()) {
    const times = { starts_at: `${day}T18:00`, ends_at: `${day}T19:00` };
    ids.push((await newEvent(world, there, { ...times, ...(i === 1 && { max_occupancy: 1 }) })).id);
  }
  await book(world, ids[1], await world.newCustomer());
  const visitor = await browser.visitor();
  await visitor.open(`/harbour/events/${ids[0]}/series`);
  await logIn(visitor, 'tove@example.com');
  assert.equal(visitor.path, `/harbour/events/${ids[0]}/series`);
  await visitor.leave(visitor.page.getByRole('main').getByRole('link', { name: 'Jo', exact: true }));
  await visitor.checkAccessible('event-series');
  await visitor.page.getByRole('checkbox').last().uncheck();
  await visitor.submit('Book the chosen dates for Jo');
  await visitor.checkAccessible('event-series-booked');
  // Formatted like `March 2`.
  const [one, two] = days.map((day) =>
    new Date(day).toLocaleDateString('en-CA', { ...MONTH_AND_DAY, timeZone: 'UTC' }),
  );
  assert.match(
    await visitor.text(),
    new RegExp(`2 dates are booked\\.[^]*${one}, [^]*Booked[^]*${two}, [^]*This class is full`),
  );
  await visitor.close();
});

test('an event that is not visible leads to the log-in and back, and reveals nothing', async () => {
  const { id } = await newEvent(
    world,
    { ...place, offering: await newOffering(world, { customer_visibility: 'private' }) },
    { in: 300 },
  );
  const eve = await someone('eve@example.com', 'Eve');
  await book(world, id, eve);
  const visitor = await browser.visitor();
  await visitor.open(linkOf(await mailbox.next('eve@example.com', /^Booked/), id));
  assert.equal(await visitor.heading(), 'Page not found');
  assert.doesNotMatch(await visitor.text(), /Rowing/);
  await visitor.checkAccessible('event-hidden');
  await visitor.follow('Log in');
  await logIn(visitor, 'eve@example.com');
  assert.match(await visitor.text(), /Rowing[^]*You.re booked/);
  await visitor.close();
});
