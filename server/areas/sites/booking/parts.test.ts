/**
 * Pages of a business and a customer's account: with everything that they can show, without it, and with a part that
 * fails.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Asks } from './test/asks.ts';
import { book, iso, newEvent, newInstructor, newOffering, newVenue, row } from '../../../test/schedule-world.ts';
import { done, newRun } from '../../availability/courses/test/world.ts';
import { newMember, prepareTour, type Tour } from './test/tour.ts';
import { newPractice } from '../../../test/worlds/slot-world.ts';
import { newProduct } from '../../commerce/store/test/seeds.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { picture } from '../../platform/images/test/pictures.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

const HOUR = 3_600_000;

let world: World;
let tour: Tour;
let asks: Asks;
let browser: PageBrowser;
let member: { visitor: PageVisitor; customer: number };
/** pages of objects with nothing to show but their name, or with everything */
let others: string[];
before(async () => {
  world = await startWorld();
  tour = await prepareTour(world);
  others = await opposites();
  browser = new PageBrowser(world.url);
  member = (await newMember(world, browser as never)) as never;
  await holdings(member.customer);
  asks = new Asks(world.app.registry);
});
after(async () => {
  asks.end();
  await tour.c.close();
});

/**
 * Creates a counterpart for each object on the pages of the tour: with what that one lacks, and without what it has.
 */
async function opposites(): Promise<string[]> {
  const { c, slug } = tour;
  const jpeg = await picture({ width: 300, height: 200 }).jpeg().toBuffer();
  const image = (await done(world, 'POST', '/images', { image: jpeg.toString('base64') })).id;
  const category = await row(world, 'offering_type_category', { name: 'By the water' });
  const all = {
    description: 'For everybody who can swim.',
    image,
    category,
    min_allowed_age: 12,
    max_allowed_age: 99,
    online_dropin_price: '8.00',
  };
  const offering = await newOffering(world, { name: 'Canoeing' });
  await done(world, 'PATCH', `/offering_types/${offering}`, all);
  const pier = await newVenue(world, {
    name: 'Canoe Pier',
    description: null,
    physical_address: { lat: 43.6, lng: -79.4 },
  });
  await row(world, 'venue_room', { venue_id: pier, name: 'Boathouse', image_id: image });
  await row(world, 'venue_room', { venue_id: pier, name: 'Shed' });
  const { id: canoe } = await newEvent(
    world,
    { venue: pier, offering },
    {
      starts_at: iso(world.now + 27 * HOUR),
      ends_at: iso(world.now + 28 * HOUR),
      instructors: [],
      category,
      online_venue: await newVenue(world, { name: 'Canoe talk', venue_type: 'online', description: 'Bring a paddle.' }),
      online_max_occupancy: 20,
    },
  );
  const { id: endless } = await newEvent(
    world,
    { venue: pier, offering },
    {
      starts_at: iso(world.now + 29 * HOUR),
      ends_at: iso(world.now + 30 * HOUR),
      max_occupancy: null,
      online_venue: await newVenue(world, { name: 'Canoe call', venue_type: 'online' }),
      online_max_occupancy: 20,
    },
  );
  const { instructor } = await newInstructor(world);
  await done(world, 'PATCH', `/instructors/${instructor}`, { description: 'Paddles since 1999.' });
  const course = await newOffering(world, { name: 'Weaving', schedule_type: 'course' });
  await done(world, 'PATCH', `/offering_types/${course}`, { description: 'With a loom of your own.' });
  const { id } = await done(world, 'POST', '/courses', { offering_type: course, published: true });
  const weaving = { offering: course, venue: pier, course: id };
  const run = await newRun(world, { sessions: 2, price: '60.00', of: weaving, max_occupancy: null });
  await newRun(world, { sessions: 2, of: weaving, single_date_price: '25.00' });
  const terms = { committed_billing_periods: 12, cancellation_notice_days: 30, fixed_billing_day_of_month: 1 };
  const bound = await c.m.recurring([], terms, { name: 'Season', description: 'A year.' });
  const onMondays = { billing_period_unit: 'weeks', fixed_billing_day_of_week: 'monday' };
  const weekly = await c.m.recurring([], onMondays, { name: 'Weekly' });
  await c.joiningFee(bound.plan, '25.00');
  const month = await c.m.prepaid({ name: 'A month', duration: 1, duration_unit: 'months' });
  const [massage] = (await done(world, 'GET', '/offering_types?schedule_type=appointment')).results;
  await done(world, 'PATCH', `/offering_types/${massage.id}`, { description: 'For an hour.' });
  const practice = await newPractice(world, { name: 'Advice' });
  const bare = await newProduct(world, { name: 'Cap', price: '9.00', category: null, images: [] });
  const [, product] = (await done(world, 'GET', '/store/products')).results;
  const [towel] = (await done(world, 'GET', `/store/product_variants?store_product=${product.id}`)).results;
  await done(world, 'PATCH', `/store/product_variants/${towel.id}`, { images: [image] });
  const site = (path: string): string => `/${slug}/${path}`;
  return [
    site(`book/${practice.offering}?day=${practice.date}`),
    site(`events/${canoe}`),
    site(`events/${endless}`),
    site(`courses/${run.course}`),
    site(`memberships/${bound.membership}`),
    site(`memberships/${weekly.membership}`),
    site(`memberships/${month}`),
    site(`shop/${bare.product}`),
  ];
}

/** Creates everything that an account can show for the customer. */
async function holdings(customer: number): Promise<void> {
  const { c } = tour;
  await c.m.give(customer, await c.m.pack(10));
  const club = await c.m.recurring();
  await c.m.give(customer, club.membership, { payment_plan: club.plan });
  const { id: held } = await c.m.give(customer, club.membership, { payment_plan: club.plan });
  await done(world, 'POST', '/customer_membership_holds', {
    customer_membership: held,
    start_date: '2026-07-15',
    days: 10,
  });
  const lasting = await c.m.prepaid({ name: 'Month', duration: 1, duration_unit: 'months' });
  await c.m.give(customer, lasting);
  await c.m.give(
    customer,
    await c.m.prepaid({ name: 'Later', begin_on_first_registration: true, duration: 1, duration_unit: 'months' }),
  );
  const full = await c.memberEvent({ name: 'Full rowing', in: 40, max_occupancy: 1 });
  assert.equal((await book(world, await c.memberEvent({ in: 30 }), customer)).status, 200);
  await c.book(full);
  await done(world, 'POST', `/events/${full}/join_waitlist`, { customer });
  const order = await c.open(customer);
  await c.add(order, { item_type: 'CLASS_DRP', event: await c.event({ name: 'Drop in', in: 60 }) });
  await c.pay(order, { payment_processor: c.sandbox });
  const owing = await c.m.give(customer, club.membership, { payment_plan: club.plan });
  const later = await c.open(customer);
  await c.add(later, { item_type: 'CLASS_DRP', event: await c.event({ name: 'On account', in: 61 }) });
  await c.pay(later, { pay_later: true });
  const [{ id: invoice }] = (await done(world, 'GET', `/invoices?payer=${customer}&sort=-id`)).results;
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE customer_membership SET unpaid_invoice_id = ${invoice} WHERE provider_id = ${world.harbour}
        AND id = ${owing.id}`,
    ),
  );
  const card = {
    customer_id: customer,
    payment_processor_id: c.sandbox,
    type: 'credit_card',
    brand: 'Visa',
    holder: 'Ada',
  };
  await row(world, 'payment_method', {
    ...card,
    token: 'a card',
    last_four: '4242',
    expiration_month: 5,
    expiration_year: 2031,
  });
  await row(world, 'payment_method', { ...card, token: 'another card', last_four: '1881' });
  const online = await newVenue(world, {
    name: 'Online',
    venue_type: 'online',
    video_url: 'https://video.example/room',
  });
  const { id: meeting } = await newEvent(world, { ...c.m.place, venue: online }, { name: 'On screen' });
  assert.equal((await book(world, meeting, customer)).status, 200);
  others.push(`/${tour.slug}/events/${meeting}`);
  const freed = await c.memberEvent({ name: 'Freed', in: 90, max_occupancy: 1 });
  await c.book(freed);
  await done(world, 'POST', `/events/${freed}/join_waitlist`, { customer });
  await world.work(world.harbour, async ({ tx }) => {
    const here = sql`provider_id = ${world.harbour}`;
    await tx.run(sql`UPDATE event SET max_occupancy = 2 WHERE ${here} AND id = ${freed}`);
    await tx.run(
      sql`UPDATE waitlist_spot SET status = 'spot_reserved', reserved_spot_expires_at = '2030-01-01' WHERE ${here}
        AND event_id = ${freed}`,
    );
  });
}

const STAFF = 'it is hidden from some staff alone';

/** Properties that are always present or never, whatever a business does. */
const ALWAYS: Readonly<Record<string, string>> = {
  'GET /account_entries amount': STAFF,
  'GET /account_entries explanation': STAFF,
  'GET /attendances customer': STAFF,
  'GET /customer_memberships billed_price': STAFF,
  'GET /customers/{id} is_opted_into_broadcast_messages': STAFF,
  'GET /customers/{id} is_opted_into_sms_marketing': STAFF,
  'GET /invoices outstanding_amount': STAFF,
  'GET /invoices total_amount_due': STAFF,
  'GET /content_filters tags': 'a filter is listed because of a tag',
  'GET /course_date_series starts_at': 'a run that is offered has a date',
  'GET /course_date_series ends_at': 'a run that is offered has a date',
  'GET /waitlist_spots position': 'a spot that is shown has a number',
  'GET /memberships price': 'what is offered has a price',
  'GET /memberships/{id} price': 'what is offered has a price',
};

test('everything nullable that a page reads was present once and missing once', async () => {
  const stranger = await browser.visitor();
  const open = [...Object.values(tour.open), ...others];
  const cardless = await newMember(world, browser as never);
  const club = await tour.c.m.recurring();
  await tour.c.m.give(cardless.customer, club.membership, { payment_plan: club.plan });
  const ending = await tour.c.m.give(cardless.customer, club.membership, { payment_plan: club.plan });
  await done(world, 'POST', `/customer_memberships/${ending.id}/cancel`, {});
  await cardless.visitor.open(tour.own.payments);
  for (const path of [...open, ...Object.values(tour.own)]) await member.visitor.open(path);
  for (const path of open) await stranger.open(path);
  await stranger.open(others.find((path) => path.includes('/memberships/'))!);
  assert.match(await stranger.text(), /plus a one-time joining fee of \$25\.00[^]*You agree to at least 12 payments\./);
  const lacking = [...asks.seen]
    .filter(([key, saw]) => saw.size < 2 && !(key in ALWAYS))
    .map(([key, saw]) => `${key}: only ${[...saw][0]}`)
    .toSorted();
  assert.deepEqual(lacking, []);
});

test('every page is laid out from right to left in Hebrew', async () => {
  const stranger = await browser.visitor();
  for (const [visitor, paths] of [
    [stranger, tour.open],
    [member.visitor, tour.own],
  ] as const) {
    const { headers } = visitor;
    visitor.headers = { ...headers, 'accept-language': 'he-IL' };
    for (const [name, path] of Object.entries(paths)) {
      assert.match((await visitor.get(path)).text, /<html lang="he-IL" dir="rtl">/, path);
      await visitor.open(path);
      await visitor.checkAccessible(`${name} in Hebrew`);
    }
    visitor.headers = headers;
  }
});

const MISSING = "This part can't be shown right now.";

test('a part of a page that fails is shown as missing, and the others are shown', async () => {
  const stranger = await browser.visitor();
  const ways: Record<string, (within: any) => Promise<never>> = {
    'of ours': async () => {
      throw new TypeError('not an amount');
    },
    'of the database': async (tx) => (await tx.rows(sql`SELECT 1 / 0`)) as never,
  };
  for (const [way, fail] of Object.entries(ways))
    for (const [operation, page, visitor, there, gone] of [
      ['GET /memberships', tour.open.home, stranger, /Tidal Yoga[^]*Where to find us|Quay Hall/, /Harbour Club/],
      ['GET /offering_types', tour.open.timetable, stranger, /Tidal Yoga/, /Show only/],
      ['GET /attendances', tour.own.account, member.visitor, /Full rowing[^]*At the door/, /Drop in/],
      ['GET /invoices', tour.own.payments, member.visitor, /Visa 4242/, /INV-/],
    ] as const) {
      asks.broken.set(operation, fail);
      await visitor.open(page);
      const text = await visitor.text();
      assert.ok(text.includes(MISSING), `${operation}, a failure ${way}: ${text}`);
      assert.match(text, there);
      assert.doesNotMatch(text, gone);
      asks.broken.clear();
      await visitor.open(page);
      assert.ok(!(await visitor.text()).includes(MISSING), `${page} is kept without a part`);
    }
});

test('a page of which nothing can be read says that something went wrong', async () => {
  for (const operation of ['GET /memberships', 'GET /memberships/{id}']) {
    asks.broken.set(operation, async () => {
      throw new TypeError('not an amount');
    });
  }
  const answer = await fetch(world.url + tour.open.memberships, { headers: { accept: 'text/html' } });
  assert.equal(answer.status, 500);
  assert.match(await answer.text(), /Something went wrong/);
  asks.broken.clear();
});
