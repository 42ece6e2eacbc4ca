/** The page of an event without a browser: who sees it, what its forms do, and what they refuse. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  book,
  feedEnd,
  feedSince,
  iso,
  newEvent,
  newInstructor,
  newOffering,
  newPlace,
  newVenue,
  seats,
  type Place,
} from '../../../test/schedule-world.ts';
import { createUser } from '../../people/identity/index.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { pngOf } from '../../platform/images/test/pictures.ts';
import { readPenalties } from '../../../test/worlds/penalty-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

const HOUR = 3_600_000;
const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  // Keeps its dates in the future, whenever the tests run.
  world.setNow(Date.parse('2027-01-15T17:00Z'));
  place = await newPlace(world);
});
after(() => world?.close());

const page = (event: number, site = world.site) => `${site}/events/${event}`;
const policy = (action: string) =>
  world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: {
      name: 'Harbour',
      waitlist_settings: {
        waitlist_policy: [{ until_minutes_before: null, action, ...(action === 'reserve' && { claim_minutes: 30 }) }],
      },
    },
  });

interface Someone {
  readonly id: number;
  readonly userId: number;
  readonly visitor: PageClient;
}

let people = 0;
async function account(): Promise<{ userId: number; visitor: PageClient; email: string }> {
  const email = `person${++people}.event@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const visitor = new PageClient(world.url);
  await visitor.get(`/account/${world.harbour}/log-in`);
  assert.equal((await visitor.post(`/account/${world.harbour}/log-in`, { email, password: PASSWORD })).status, 303);
  return { userId, visitor, email };
}

/** Creates a customer of Harbour who is logged in. */
async function someone(): Promise<Someone> {
  const { userId, visitor, email } = await account();
  return { id: await world.newCustomer({ user_id: userId, email, first_name: 'Ada' }), userId, visitor };
}

/** Opens the page, then sends one of its forms. Returns the text of the next page as a person reads it. */
async function sent(
  { visitor }: Pick<Someone, 'visitor'>,
  event: number,
  form: string,
  fields: Record<string, string>,
): Promise<{ status: number; location: string | null; text: string }> {
  // A missing page has no form with a token.
  await visitor.get(`/account/${world.harbour}/profile`);
  await visitor.get(page(event));
  const answer = await visitor.post(`${page(event)}/${form}`, fields);
  return { status: answer.status, location: answer.headers.get('location'), text: plain(answer.text) };
}

/** Returns the text of the page on a desk: the facts beside the main button are for phones. */
const plain = (text: string) =>
  text
    .slice(text.indexOf('<main'))
    .replaceAll(/<span class="deal">[^<]*<\/span>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#39;|’/g, "'")
    .replaceAll(/\s+/g, ' ');
const shown = async ({ visitor }: Pick<Someone, 'visitor'>, event: number) =>
  plain((await visitor.get(page(event))).text);
const statusOf = async (event: number, customer: number) =>
  (
    await world.work(world.harbour, ({ tx }) =>
      tx.one<{ status: string }>(
        sql`SELECT status FROM attendance WHERE provider_id = ${world.harbour} AND event_id = ${event}
          AND customer_id = ${customer}`,
      ),
    )
  )?.status;

test('anybody sees a public event, in the zone of its venue, with its instructors and free spots', async () => {
  const there: Place = {
    venue: await newVenue(world, { name: 'Thames <b>', timezone: 'Europe/London' }),
    offering: place.offering,
  };
  const { instructor } = await newInstructor(world);
  const { id } = await newEvent(world, there, {
    name: 'Sculling & more',
    starts_at: '2027-10-30T18:00',
    ends_at: '2027-10-30T19:30',
    instructors: [instructor],
  });
  const answer = await new PageClient(world.url).get(page(id));
  assert.equal(answer.status, 200);
  assert.match(
    plain(answer.text),
    /Sculling &amp; more Date Saturday, October 30, 2027 Time 6:00–7:30 p\.m\. \(United Kingdom Time\) Where Thames &lt;b&gt; With Kim \w+ Spots 4 left Price Free Add to calendar Want to come\? .* Continue/,
  );
  const start = `action="/account/${world.harbour}/log-in/start" novalidate><input type="hidden" name="return_to" value="${page(id)}">`;
  assert.ok(answer.text.includes(start));
  await world.patch(`/instructors/${instructor}`, { as: world.machine, body: { archived: true } });
  await world.post(`/events/${id}/cancel`, { as: world.machine, body: {} });
  const later = plain((await new PageClient(world.url).get(page(id))).text);
  assert.match(later, /Spots Cancelled/);
  assert.doesNotMatch(later, /Continue/);
});

test('the page has one address: the one in emails redirects to it, with the result of the action', async () => {
  const { id } = await newEvent(world, place);
  const visitor = new PageClient(world.url);
  const old = `/account/${world.harbour}/events/${id}`;
  for (const [asked, to] of [
    [old, page(id)],
    [`${old}?done=bought&x=1`, `${page(id)}?done=bought&x=1`],
    [`${old}/calendar.ics`, `${page(id)}/calendar.ics`],
  ]) {
    const answer = await visitor.get(asked);
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, to]);
  }
  // A business without a booking site has the page at the address in emails.
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE provider SET slug = NULL WHERE provider_id = ${world.harbour}`),
  );
  const alone = await visitor.get(old);
  assert.equal(alone.status, 200);
  assert.ok(alone.text.includes(`href="${old}/calendar.ics"`));
  assert.doesNotMatch(alone.text, /timetable|memberships/);
  assert.equal((await visitor.get(page(id))).status, 404);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE provider SET slug = ${world.site.slice(1)} WHERE provider_id = ${world.harbour}`),
  );
});

const LINKED_DATA = /<script type="application\/ld\+json">(.*?)<\/script>/s;

test('search engines read what it is, where, when, by whom and what it costs, in every language', async () => {
  const offering = await newOffering(world, { allows_dropins: true, dropin_price_minor: 1800 });
  const address = { street: '1 Quay', city: 'Toronto' };
  const venue = await newVenue(world, { name: 'Pier 9', physical_address: address });
  const { id } = await newEvent(
    world,
    { venue, offering },
    { name: 'Yoga </script>', starts_at: '2027-10-30T18:00', ends_at: '2027-10-30T19:30' },
  );
  const answer = await new PageClient(world.url).get(`${page(id)}?lang=de`);
  assert.equal(answer.headers.get('x-robots-tag'), null);
  assert.match(answer.text, /<html lang="de">/);
  assert.match(
    plain(answer.text),
    /Datum Samstag, 30\. Oktober 2027 Uhrzeit 18:00–19:30 Uhr \(.+\) Wo Pier 9 1 Quay, Toronto Plätze Noch 4 frei Preis 18,00 \$ für einen Besuch In den Kalender Möchten Sie kommen\?/,
  );
  assert.ok(answer.text.includes(`<link rel="canonical" href="${world.url}${page(id)}">`));
  assert.ok(answer.text.includes(`hreflang="pl" href="${world.url}${page(id)}?lang=pl"`));
  assert.ok(answer.text.includes('https://www.openstreetmap.org/search?query=1%20Quay%2C%20Toronto'));
  const [event] = JSON.parse(LINKED_DATA.exec(answer.text)![1])['@graph'];
  assert.deepEqual(
    [event.name, event['@type'], event.startDate, event.eventStatus, event.location.name, event.organizer.name],
    [
      'Yoga </script>',
      'https://schema.org/Event',
      '2027-10-30T18:00:00-04:00',
      'https://schema.org/EventScheduled',
      'Pier 9',
      'Harbour',
    ],
  );
  assert.deepEqual(
    [event.offers.price, event.offers.priceCurrency, event.offers.availability],
    ['18.00', 'CAD', 'https://schema.org/InStock'],
  );
  await world.post(`/events/${id}/cancel`, { as: world.machine, body: {} });
  const cancelled = LINKED_DATA.exec((await new PageClient(world.url).get(page(id))).text)![1];
  assert.match(cancelled, /EventCancelled/);
  assert.doesNotMatch(cancelled, /"offers"/);
});

test('anyone who sees an event can save it to a calendar, in its own time zone', async () => {
  const { id } = await newEvent(world, place, {
    name: 'Rowing, again',
    starts_at: '2027-10-30T18:00',
    ends_at: '2027-10-30T19:30',
  });
  const file = await new PageClient(world.url).get(`${page(id)}/calendar.ics`);
  assert.equal(file.headers.get('content-type'), 'text/calendar; charset=utf-8');
  assert.equal(file.headers.get('content-disposition'), `attachment; filename="event-${id}.ics"`);
  const lines = file.text.replaceAll('\r\n ', '');
  assert.match(lines, /SUMMARY:Rowing\\, again\r\n/);
  assert.match(lines, /DTSTART;TZID=America\/Toronto:20271030T180000\r\n/);
  assert.ok(lines.includes(`${world.url}${page(id)}`));
  const hidden = await newEvent(world, {
    ...place,
    offering: await newOffering(world, { customer_visibility: 'private' }),
  });
  assert.equal((await new PageClient(world.url).get(`${page(hidden.id)}/calendar.ics`)).status, 404);
});

test('pictures of the offering and the instructors are shown if they are hosted by this service', async () => {
  const uploaded = await world.post('/images', {
    as: world.machine,
    body: { image: (await pngOf({ width: 640, height: 320 })).toString('base64') },
  });
  assert.equal(uploaded.status, 201, uploaded.text);
  const { id: image, url } = uploaded.body;
  const offering = await newOffering(world);
  const shows = await world.patch(`/offering_types/${offering}`, { as: world.machine, body: { image } });
  assert.equal(shows.status, 200, shows.text);
  const teachers = [(await newInstructor(world)).instructor, (await newInstructor(world)).instructor];
  for (const [i, picture_url] of [url, 'https://elsewhere.example/kim.jpg'].entries())
    assert.equal(
      (await world.patch(`/instructors/${teachers[i]}`, { as: world.machine, body: { picture_url } })).status,
      200,
    );
  const { id } = await newEvent(world, { ...place, offering }, { instructors: teachers });
  const { text } = await new PageClient(world.url).get(page(id));
  assert.match(text, /<source type="image\/avif" srcset="\/images\/\S+ 320w, \/images\/\S+ 640w"/);
  assert.equal(text.match(/<img [^>]*class="face"/g)?.length, 1);
  assert.ok(text.includes(`src="${new URL(url).pathname}"`));
  assert.doesNotMatch(text, /elsewhere\.example/);
});

test('people who booked an online class find its link, and nobody else does', async () => {
  const venue = await newVenue(world, {
    name: 'Our studio',
    venue_type: 'online',
    video_url: 'https://video.example/room',
  });
  const { id } = await newEvent(world, { ...place, venue });
  const ada = await someone();
  for (const visitor of [new PageClient(world.url), ada.visitor]) {
    const { text } = await visitor.get(page(id));
    assert.match(plain(text), /Where Our studio Online .*People who booked it find the link here\./);
    assert.doesNotMatch(text, /video\.example/);
  }
  await book(world, id, ada.id);
  const { text } = await ada.visitor.get(page(id));
  assert.match(text, new RegExp(`href="/account/${world.harbour}/online/\\S+">Join online`));
  assert.doesNotMatch(text, /video\.example/);
});

// Guards against: Using its page to find out that a hidden event exists
test('a hidden event, an unknown one and one of another business show the same 404 page', async () => {
  const hidden = (
    await newEvent(world, { ...place, offering: await newOffering(world, { customer_visibility: 'private' }) })
  ).id;
  const later = (await newEvent(world, place, { calendar_opens_at: iso(world.now + HOUR), in: 48 })).id;
  const open = (await newEvent(world, place)).id;
  const [nobody, ada] = [new PageClient(world.url), await someone()];
  for (const path of [page(hidden), page(later), page(99_999_999), page(open, world.meadowSite)]) {
    for (const visitor of [nobody, ada.visitor]) assert.equal((await visitor.get(path)).status, 404, path);
  }
  const text = async (id: number) => plain((await nobody.get(page(id))).text);
  assert.equal(await text(hidden), await text(99_999_999));
  for (const wrong of ['0', 'x', '1e3', '-1', '9'.repeat(30)])
    assert.equal((await nobody.get(`${world.site}/events/${wrong}`)).status, 404, wrong);
  for (const id of [hidden, later, 99_999_999])
    assert.equal((await sent(ada, id, 'book', { customer: String(ada.id) })).status, 404);
  // People with a booking see it, and only if they are logged in.
  await book(world, hidden, ada.id);
  assert.match(await shown(ada, hidden), /You're booked/);
  assert.equal((await nobody.get(page(hidden))).status, 404);
});

test('a booking and a cancellation on the page leave the same records as through an application of the customer', async () => {
  const ada = await someone();
  const { id } = await newEvent(world, place);
  const from = await feedEnd(world);
  assert.match(await shown(ada, id), /You're not booked yet Book/);
  assert.equal((await sent(ada, id, 'book', { customer: String(ada.id) })).location, `${page(id)}?done=booked`);
  assert.match(await shown(ada, id), /You're booked You can cancel until it starts\. Cancel booking/);
  assert.equal(
    (await sent(ada, id, 'cancel', { customer: String(ada.id), in_time: 'yes' })).location,
    `${page(id)}?done=cancelled&for=${ada.id}`,
  );
  const feed = await feedSince(world, from);
  assert.deepEqual(
    feed.map((item) => [item.kind, item.payload.reason ?? item.payload.from]),
    [
      ['event_registration.created', 'registration'],
      ['event_registration.cancelled', 'customer'],
    ],
  );
  const audit = await world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT DISTINCT action, actor, user_id, mode FROM audit_entry WHERE provider_id = ${world.harbour}
        AND object = 'attendance' AND user_id = ${ada.userId} ORDER BY action`,
    ),
  );
  assert.deepEqual(
    audit,
    ['POST /events/{id}/register', 'POST /events/{id}/unregister'].map((action) => ({
      action,
      actor: `user:${ada.userId}`,
      user_id: ada.userId,
      mode: 'customer',
    })),
  );
});

test('a form that is sent twice has its effect once', async () => {
  await policy('auto_promote');
  const ada = await someone();
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  const me = { customer: String(ada.id) };
  const from = await feedEnd(world);
  const twice = async (form: string, done: string) => {
    for (const _ of [1, 2])
      assert.equal((await sent(ada, id, form, { ...me, in_time: 'yes' })).location, `${page(id)}?done=${done}`, form);
  };
  await twice('book', 'booked');
  await Promise.all([1, 2, 3].map(() => ada.visitor.post(`${page(id)}/book`, me)));
  await twice('cancel', `cancelled&for=${ada.id}`);
  const other = await world.newCustomer();
  await book(world, id, other);
  await twice('wait', 'waiting');
  await twice('leave', 'left-waitlist');
  const mine = (await feedSince(world, from))
    .filter((item) => item.payload.customer === ada.id)
    .map((item) => item.kind);
  assert.deepEqual(mine, [
    'event_registration.created',
    'event_registration.cancelled',
    'waitlist.joined',
    'waitlist.left',
  ]);
  assert.deepEqual(await seats(world, id), { attending: 1, held: 0, waiting: 0, booked: 1 });
});

// Guards against: A customer reads or acts for somebody else
test('a parent acts for each child of the family, and nobody acts for anybody else', async () => {
  const [ada, eve] = [await someone(), await someone()];
  const sam = (
    await world.post(`/customers/${ada.id}/add_child`, {
      as: world.machine,
      body: { first_name: 'Sam', last_name: 'Byron' },
    })
  ).body.id;
  const { id } = await newEvent(world, place);
  assert.match(await shown(ada, id), /You're not booked yet Book Sam is not booked yet Book for Sam/);
  assert.equal((await sent(ada, id, 'book', { customer: String(sam) })).status, 303);
  assert.match(await shown(ada, id), /You're not booked yet Book Sam is booked .+ Cancel booking for Sam/);
  await book(world, id, ada.id);
  for (const customer of [ada.id, sam, 99_999_999]) {
    for (const form of ['cancel', 'book', 'wait', 'leave'])
      assert.equal(
        (await sent(eve, id, form, { customer: String(customer), in_time: 'yes' })).status,
        404,
        `${form} ${customer}`,
      );
  }
  for (const customer of ['', 'x', '1 OR 1', '-1'])
    assert.equal((await sent(eve, id, 'book', { customer })).status, 404, customer);
  assert.doesNotMatch(await shown(eve, id), /Sam/);
  assert.deepEqual([await statusOf(id, ada.id), await statusOf(id, sam)], ['registered', 'registered']);
});

/** Sends the form of a family for all selected people. */
async function sentTogether({ visitor }: Pick<Someone, 'visitor'>, event: number, customers: readonly number[]) {
  await visitor.get(page(event));
  const body = new URLSearchParams([
    ['form_token', visitor.token!],
    ['together', '1'],
    ...customers.map((id) => ['customer', String(id)]),
  ]).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await visitor.send('POST', `${page(event)}/book`, { body, headers });
  return { status: answer.status, location: answer.headers.get('location'), text: plain(answer.text) };
}

const addChild = async (parent: number, name: string): Promise<number> =>
  (
    await world.post(`/customers/${parent}/add_child`, {
      as: world.machine,
      body: { first_name: name, last_name: 'Byron' },
    })
  ).body.id;

test('a parent books for several people with one form, however often it is sent, and sees the result of each', async () => {
  const [ada, eve] = [await someone(), await someone()];
  const [sam, tom] = [await addChild(ada.id, 'Sam'), await addChild(ada.id, 'Tom')];
  const { id } = await newEvent(world, place, { max_occupancy: 3 });
  assert.match(await shown(ada, id), /Who's coming\? You Sam Tom Book for everyone chosen You're not booked yet/);
  const from = await feedEnd(world);
  for (const _ of [1, 2]) {
    const done = await sentTogether(ada, id, [ada.id, sam, sam]);
    assert.deepEqual([done.status, done.location], [303, `${page(id)}?done=booked&for=${ada.id},${sam}`]);
    const text = plain((await ada.visitor.get(done.location!)).text);
    assert.match(text, /Booked: You and Sam\. .*You're booked .*Sam is booked .*Tom is not booked yet/);
    assert.doesNotMatch(text, /Who's coming/);
  }
  assert.equal((await feedSince(world, from)).length, 2);
  assert.deepEqual(await seats(world, id), { attending: 2, held: 0, waiting: 0, booked: 2 });
  // Nobody learns from the address who has a booking.
  assert.doesNotMatch(plain((await eve.visitor.get(`${page(id)}?done=booked&for=${ada.id},${sam}`)).text), /Sam/);
  const other = await newEvent(world, place);
  assert.match((await sentTogether(ada, other.id, [])).text, /Choose who you want to book for\./);
  assert.equal((await sentTogether(eve, other.id, [eve.id, sam])).status, 404);
  assert.equal((await sentTogether(ada, other.id, [ada.id, eve.id])).status, 404);
  assert.deepEqual(await seats(world, other.id), { attending: 0, held: 0, waiting: 0, booked: 0 });
  const last = await newEvent(world, place, { max_occupancy: 1 });
  const both = await sentTogether(ada, last.id, [tom, sam]);
  assert.equal(both.status, 422);
  assert.match(both.text, /There is a problem Sam: This class is full\..* Booked: Tom\. .*Tom is booked/);
  assert.deepEqual([await statusOf(last.id, tom), await statusOf(last.id, sam)], ['registered', undefined]);
});

test('what several people owe is paid together, and those who owe nothing are booked', async () => {
  const ada = await someone();
  const sam = await addChild(ada.id, 'Sam');
  const offering = await newOffering(world, { allows_dropins: true, dropin_price_minor: 1800 });
  const { id } = await newEvent(world, { ...place, offering });
  assert.match(await shown(ada, id), /Who's coming\? You \$18\.00 Sam \$18\.00 Book/);
  const begun = await sentTogether(ada, id, [ada.id, sam]);
  assert.match(begun.location ?? '', /\/checkout\?ticket=/, begun.text);
  assert.match(
    plain((await ada.visitor.get(begun.location!)).text),
    /Rowing .*\$18\.00 .*Rowing .*\$18\.00 .*\$36\.00/,
  );
  assert.deepEqual(await seats(world, id), { attending: 0, held: 2, waiting: 0, booked: 0 });
});

// Guards against: Another site submits a form in a person's name
test('no form of the page acts without its token, without a log-in, or at another business', async () => {
  const ada = await someone();
  const { id } = await newEvent(world, place);
  const fields = { customer: String(ada.id), in_time: 'yes' };
  await ada.visitor.get(page(id));
  for (const form of ['book', 'wait', 'leave', 'cancel', 'join', 'buy']) {
    for (const token of [null, '', 'A'.repeat(86)])
      assert.equal((await ada.visitor.post(`${page(id)}/${form}`, fields, { token })).status, 403, form);
    assert.equal(
      (await ada.visitor.post(`${page(id)}/${form}`, fields, { headers: { origin: 'https://evil.example' } })).status,
      403,
      form,
    );
    const again = await ada.visitor.get(`${page(id)}/${form}?lang=en`);
    assert.deepEqual([again.status, again.headers.get('location')], [303, page(id)]);
  }
  const nobody = new PageClient(world.url);
  await nobody.get(`/account/${world.harbour}/log-in`);
  const asked = await nobody.post(`${page(id)}/book`, fields);
  assert.deepEqual(
    [asked.status, asked.headers.get('location')],
    [303, `/account/${world.harbour}/log-in?return_to=${encodeURIComponent(page(id))}`],
  );
  await ada.visitor.get(`/account/${world.meadow}/profile`);
  assert.equal((await ada.visitor.post(`${page(id, world.meadowSite)}/book`, fields)).status, 404);
  assert.equal(await statusOf(id, ada.id), undefined);
});

test("a refused booking shows the interface's message for customers, with times in a readable form", async () => {
  const ada = await someone();
  const old = await newEvent(world, { ...place, offering: await newOffering(world, { min_allowed_age: 8 }) });
  const closed = await newEvent(
    world,
    { ...place, offering: await newOffering(world, { registrations_open_interval: 60 }) },
    { starts_at: '2028-10-20T18:00', ends_at: '2028-10-20T19:00' },
  );
  for (const { id } of [old, closed]) {
    const explained = (await world.get(`/events/${id}/explain`, { as: world.customer(ada.id) })).body.rules.find(
      (r: any) => !r.passed,
    ).message;
    const refused = await sent(ada, id, 'book', { customer: String(ada.id) });
    assert.equal(refused.status, 422);
    const sentence = explained.replace('Friday, 20 October 2028, 17:00', 'Friday, October 20, 2028, 5:00 p.m.');
    for (const text of [refused.text, await shown(ada, id)])
      assert.ok(text.includes(sentence), `${sentence} in ${text}`);
    assert.doesNotMatch(await shown(ada, id), /Book |waitlist/);
  }
});

test("a full event offers the waitlist with the person's number, and a reserved spot can be claimed until it expires", async () => {
  await policy('reserve');
  const [ada, bob] = [await someone(), await someone()];
  const holder = await world.newCustomer();
  const { id } = await newEvent(world, place, { max_occupancy: 1, in: 400 });
  await book(world, id, holder);
  assert.match(
    await shown(ada, id),
    /Spots Full .*You're not booked yet This class is full\. If you join the waitlist, you'll be number 1\. If a spot opens up, we email you and keep it for you for 30 minutes\. Join the waitlist/,
  );
  const full = await sent(ada, id, 'book', { customer: String(ada.id) });
  assert.deepEqual([full.status, /This class is full/.test(full.text)], [422, true]);
  for (const one of [ada, bob])
    assert.equal((await sent(one, id, 'wait', { customer: String(one.id) })).location, `${page(id)}?done=waiting`);
  assert.match(await shown(bob, id), /You're number 2 on the waitlist .+ Leave the waitlist/);
  await world.post(`/events/${id}/unregister`, { as: world.machine, body: { customer: holder } });
  assert.match(
    await shown(ada, id),
    /A spot is kept for you until (\w+, \w+ \d+, \d+ at )?\d+:\d\d [ap]\.m\. .*Take the spot Don't take it/,
  );
  assert.match(
    (await sent(bob, id, 'book', { customer: String(bob.id) })).text,
    /This class is full/,
    'nobody else gets it',
  );
  assert.equal((await sent(ada, id, 'book', { customer: String(ada.id) })).location, `${page(id)}?done=booked`);
  assert.deepEqual(await seats(world, id), { attending: 1, held: 0, waiting: 1, booked: 1 });
  // The next reserved spot is claimed too late.
  await sent(ada, id, 'cancel', { customer: String(ada.id), in_time: 'yes' });
  const { now } = world;
  world.setNow(now + HOUR);
  const late = await sent(bob, id, 'book', { customer: String(bob.id) });
  assert.deepEqual([late.status, /A spot was kept for you until/.test(late.text)], [422, true]);
  assert.equal(await statusOf(id, bob.id), 'not_registered');
  world.setNow(now);
});

test('a late cancellation is announced before it happens, and is never made if the page said that it is in time', async () => {
  const ada = await someone();
  const late = { ...place, offering: await newOffering(world, { cancellation_notice_interval: 120 }) };
  const { id } = await newEvent(world, late, { starts_at: '2028-03-01T18:00', ends_at: '2028-03-01T19:00' });
  const me = { customer: String(ada.id) };
  assert.match(
    await shown(ada, id),
    /You can cancel until Wednesday, March 1, 2028 at 4:00 p\.m\. After that, cancelling counts as late\. Book/,
  );
  await sent(ada, id, 'book', me);
  assert.match(
    await shown(ada, id),
    /You can cancel until Wednesday, March 1, 2028 at 4:00 p\.m\. After that, cancelling counts as late\. Cancel booking/,
  );
  const { now } = world;
  world.setNow(Date.parse('2028-03-01T17:00-05:00'));
  const again = new PageClient(world.url);
  const { email } = (await world.work(world.harbour, ({ tx }) =>
    tx.one<{ email: string }>(sql`SELECT email FROM customer WHERE provider_id = ${world.harbour} AND id = ${ada.id}`),
  ))!;
  await again.get(`/account/${world.harbour}/log-in`);
  await again.post(`/account/${world.harbour}/log-in`, { email, password: PASSWORD });
  const stopped = await sent({ visitor: again }, id, 'cancel', { ...me, in_time: 'yes' });
  assert.deepEqual([stopped.status, /Cancelling now counts as late\. Cancel again/.test(stopped.text)], [422, true]);
  assert.equal(await statusOf(id, ada.id), 'registered');
  assert.match(
    stopped.text,
    /Cancelling now counts as late\. Free cancellation ended on Wednesday, March 1, 2028 at 4:00 p\.m\. Cancel late/,
  );
  assert.equal(
    (await sent({ visitor: again }, id, 'cancel', { ...me, in_time: 'no' })).location,
    `${page(id)}?done=cancelled-late&for=${ada.id}`,
  );
  assert.equal(await statusOf(id, ada.id), 'late_cancelled');
  assert.match(await shown({ visitor: again }, id), /You cancelled late/);
  world.setNow(Date.parse('2028-03-01T20:00-05:00'));
  assert.match(await shown({ visitor: new PageClient(world.url) }, id), /Spots Over/);
  world.setNow(now);
});

test('a late cancellation shows its cost beforehand, as its dry run does', async () => {
  const [ada, m] = [await someone(), await MembershipWorld.of(world)];
  const membership = await m.pack(10);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE offering_type SET cancellation_notice_interval = 120 WHERE provider_id = ${world.harbour}
        AND id = ${m.offering}`,
    ),
  );
  const rules = {
    name: 'House rules',
    memberships: [membership],
    deferred_charge_days: 2,
    late_cancel_rule: { price: '10.00', max_infractions: 1, days: 30 },
  };
  assert.equal((await world.post('/membership_penalty_systems', { as: world.machine, body: rules })).status, 201);
  await m.give(ada.id, membership);
  for (const says of [
    /It costs nothing yet: 1 is free within 30 days, and this would be number 1\./,
    /It costs \$10\.00, due on \w+, \w+ \d+, \d{4}\./,
  ]) {
    const { id } = await newEvent(world, m.place, { in: 1 });
    assert.equal((await book(world, id, ada.id)).status, 200);
    const text = await shown(ada, id);
    assert.match(text, /Cancelling now counts as late/);
    assert.match(text, says);
    assert.equal(await statusOf(id, ada.id), 'registered', 'looking cancels nothing');
    await sent(ada, id, 'cancel', { customer: String(ada.id), in_time: 'no', confirmed: 'yes' });
    await readPenalties(world);
  }
});

test('somebody with an account who is new at the business joins it on the page, and then books', async () => {
  const { visitor } = await account();
  const { id } = await newEvent(world, place);
  assert.match(await shown({ visitor }, id), /Become a customer of Harbour .+ Join Harbour/);
  assert.equal((await sent({ visitor }, id, 'book', { customer: '1' })).status, 404);
  assert.equal((await sent({ visitor }, id, 'join', {})).location, `${page(id)}?done=joined`);
  assert.match(await shown({ visitor }, id), /You're not booked yet Book/);
});

test('people choose to come or to take part online, switch between the two, and find the call only if they are online', async () => {
  const online = await newVenue(world, {
    venue_type: 'online',
    name: 'Video call',
    video_url: 'https://meet.example.com/both',
  });
  const { id } = await newEvent(world, place, { max_occupancy: 1, online_venue: online, online_max_occupancy: 2 });
  const [first, second] = [await someone(), await someone()];
  await book(world, id, first.id);
  const full = await second.visitor.get(page(id));
  assert.match(plain(full.text), /All spots in person are taken, but there are spots online\./);
  assert.ok(full.text.includes(`href="${page(id)}?place=online"`));
  assert.match(plain(full.text), /In person Full Online 2 left/);
  const away = await second.visitor.get(`${page(id)}?place=online`);
  assert.match(away.text, /action="[^"]*\/book\?place=online"/);
  const booked = await second.visitor.post(`${page(id)}/book?place=online`, { customer: String(second.id) });
  assert.equal(booked.status, 303, booked.text);
  const seen = await second.visitor.get(page(id));
  assert.match(plain(seen.text), /You're booked Online/);
  assert.match(seen.text, /href="[^"]*\/online\/[^"]+"/, 'the link to the call');
  const there = await first.visitor.get(page(id));
  assert.match(plain(there.text), /You're booked In person/);
  assert.doesNotMatch(there.text, /\/online\/[^"]+"/);
  assert.match(there.text, /Take part online instead/);
  assert.doesNotMatch(seen.text, /Come in person instead/, 'no spot is free there');
  const switched = await first.visitor.post(`${page(id)}/switch`, { customer: String(first.id), to: 'online' });
  assert.equal(switched.status, 303);
  assert.match(await shown(first, id), /You're booked Online/);
  const calendar = await first.visitor.get(`${page(id)}/calendar.ics`);
  assert.match(calendar.text, /LOCATION:Video call/);
  const refused = await second.visitor.post(`${page(id)}/switch`, { customer: String(first.id), to: 'venue' });
  assert.equal(refused.status, 404, 'not for other people');
});
