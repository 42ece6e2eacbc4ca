/** A business with content on every page of its site, for tests that visit all of them. */
import { CheckoutWorld } from '../../../commerce/checkouts/test/world.ts';
import { createUser } from '../../../people/identity/index.ts';
import { done, newRun } from '../../../availability/courses/test/world.ts';
import { iso, newEvent, newInstructor, newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { newPractice } from '../../../../test/worlds/slot-world.ts';
import { newProduct } from '../../../commerce/store/test/seeds.ts';
import { picture } from '../../../platform/images/test/pictures.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { TestBrowser, Visitor } from '../../../../test/pages/browser.ts';
import type { World } from '../../../../test/world.ts';

const HOUR = 3_600_000;
const PASSWORD = 'otter kettle midnight ferry';

export interface Tour {
  readonly c: CheckoutWorld;
  readonly slug: string;
  /** a free event */
  readonly free: number;
  /** an event for 15.00 */
  readonly paid: number;
  /** addresses of pages that strangers see, by name */
  readonly open: Readonly<Record<string, string>>;
  /** pages for somebody who is logged in */
  readonly own: Readonly<Record<string, string>>;
}

async function upload(world: World, width: number, height: number): Promise<number> {
  const jpeg = await picture({ width, height }).jpeg().toBuffer();
  return (await done(world, 'POST', '/images', { image: jpeg.toString('base64') })).id;
}

/** Creates a collection for all customers, and a restricted one in which every property has a value. */
async function newLibrary(
  world: World,
  { image, instructor, opens }: { image: number; instructor: number; opens: object },
): Promise<readonly [open: number, restricted: number]> {
  const add = async (path: string, body: Record<string, unknown>): Promise<number> =>
    (await done(world, 'POST', path, body)).id;
  const item = { name: 'Sun salutation', url: 'https://videos.example.org/sun.m3u8', published: true };
  const collection = await add('/content_collections', { name: 'Morning flows', published: true });
  await add('/content', { ...item, collection });
  const restricted = await add('/content_collections', {
    name: 'Members’ recordings',
    description: 'Classes that you missed.',
    published: true,
    access: 'restricted',
    thumbnail: image,
    ...opens,
  });
  const filter = await add('/content_filters', { name: 'Level' });
  await add('/content', {
    ...item,
    collection: restricted,
    description: 'Slowly.\n\nWith breaks.',
    duration_minutes: 40,
    thumbnail: image,
    instructors: [instructor],
    tags: [await add('/content_tags', { filter, name: 'Beginner' })],
  });
  return [collection, restricted];
}

export async function prepareTour(world: World): Promise<Tour> {
  const c = await CheckoutWorld.of(world);
  const slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  const { instructor } = await newInstructor(world);
  const venue = await newVenue(world, { name: 'Quay Hall', description: 'Ring twice.\n\nThe door is green.' });
  const image = await upload(world, 900, 600);
  const at = (hours: number) => ({
    starts_at: iso(world.now + hours * HOUR),
    ends_at: iso(world.now + (hours + 1) * HOUR),
    instructors: [instructor],
  });
  const plain = { venue, offering: await newOffering(world, { name: 'Tidal Yoga' }) };
  const priced = { venue, offering: await newOffering(world, { name: 'Rowing', dropin_price_minor: 1500 }) };
  const { id: free } = await newEvent(world, plain, { ...at(26), name: 'Tidal Yoga', max_occupancy: 9 });
  const long = 'Rowing with a very long name that has to break somewhere';
  const { id: paid } = await newEvent(world, priced, { ...at(28), name: long });
  await newEvent(world, priced, { ...at(50), name: 'Full Rowing', max_occupancy: 0 });
  const run = await newRun(world, { sessions: 4, price: '120.00', instructors: [instructor] });
  await done(world, 'PATCH', `/courses/${run.course}`, { name: 'Pottery for people who have never touched clay' });
  const practice = await newPractice(world, { dropin_price_minor: 6000 });
  const product = await newProduct(world, {
    name: 'Towel',
    price: '24.00',
    category: 'For the water',
    images: [image],
  });
  const membership = await c.m.recurring([], {}, { name: 'Harbour Club' });
  await c.m.pack(5, { name: 'Five visits', one_time_fee: '70.00', description: 'For five classes of your choice.' });
  const unnamed = await newRun(world, { sessions: 1 });
  const opens = {
    memberships: [membership.membership],
    courses: [run.course, unnamed.course],
    products: [product.product],
  };
  const [library, restricted] = await newLibrary(world, { image, instructor, opens });
  const cards = { is_enabled_customer_site: true, amount_choices: ['25.00', '50.00'] };
  await done(world, 'PATCH', '/gift_cards/config', cards);
  await done(world, 'PATCH', `/providers/${world.harbour}`, {
    name: 'Harbour',
    description: 'Yoga and rowing by the water.\n\nBeginners are welcome.',
    contact_info: { email: 'hello@harbour.example', phone_number: '+1 416 555 0100' },
    branding: { color: '#0f766e', cover: await upload(world, 1600, 700) },
  });
  const site = (path: string): string => `/${slug}${path}`;
  const account = (path: string): string => `/account/${world.harbour}/${path}`;
  const open = {
    home: site(''),
    timetable: site('/timetable'),
    day: site(`/timetable?day=${wallAt(world.now + 26 * HOUR, 'America/Toronto').date}`),
    event: site(`/events/${paid}`),
    courses: site('/courses'),
    course: site(`/courses/${run.course}`),
    shop: site('/shop'),
    product: site(`/shop/${product.product}`),
    'gift-cards': site('/gift-cards'),
    library: site('/library'),
    collection: site(`/library/${library}`),
    'restricted-collection': site(`/library/${restricted}`),
    memberships: site('/memberships'),
    membership: site(`/memberships/${membership.membership}`),
    book: site('/book'),
    'free-times': site(`/book/${practice.offering}?day=${practice.date}`),
    'log-in': account('log-in'),
    'sign-up': account('sign-up'),
    'not-found': site('/nowhere'),
  };
  const own = {
    account: account('profile'),
    'own-memberships': account('profile/memberships'),
    payments: account('profile/payments'),
    settings: account('profile/settings'),
    messages: account('profile/messages'),
    event: open.event,
    product: open.product,
    'gift-card': account('gift-card/buy'),
    collection: open.collection,
  };
  return { c, slug, free, paid, open, own };
}

let people = 0;
/** Creates a person with an account and a customer record, logged in unless `logsIn` is false. */
export async function newMember(
  world: World,
  browser: TestBrowser,
  { logsIn = true }: { logsIn?: boolean } = {},
): Promise<{ visitor: Visitor; email: string; password: string; customer: number }> {
  const email = `ada.tour${++people}@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const customer = await world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
  const visitor = await browser.visitor();
  if (logsIn) {
    await visitor.open(`/account/${world.harbour}/log-in`);
    await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  }
  return { visitor, email, password: PASSWORD, customer };
}
