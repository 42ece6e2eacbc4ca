/** The pages of the library, requested like people who are logged in and visitors do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { done } from '../../../availability/courses/test/world.ts';
import { LANGUAGES } from '../../../../kernel/base/languages/languages.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../../test/worlds/direct-auth-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { newPlace, row } from '../../../../test/schedule-world.ts';
import { PageClient } from '../../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let slug: string;
before(async () => {
  world = await startWorld();
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
});
after(() => world.close());

const seen = (path: string) => {
  const visitor = new PageClient(world.url);
  visitor.headers = { accept: 'text/html', 'accept-language': 'en-GB' };
  return visitor.get(path);
};

const plain = (text: string): string => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

async function someone(): Promise<{ visitor: PageClient; customer: number }> {
  const member = await newMember(world);
  const customer = await makeCustomer(world, member);
  const visitor = new PageClient(world.url);
  visitor.headers = { 'accept-language': 'en-GB' };
  const logIn = `/account/${world.harbour}/log-in`;
  await visitor.get(logIn);
  await visitor.post(logIn, { email: member.email, password: PASSWORD });
  return { visitor, customer };
}

async function newCollection(over: object = {}): Promise<{ page: string; item: number }> {
  const { id } = await done(world, 'POST', '/content_collections', { name: 'Morning flows', published: true, ...over });
  const { id: item } = await done(world, 'POST', '/content', {
    name: 'Sun salutation',
    collection: id,
    url: 'https://videos.example.org/sun.m3u8',
    duration_minutes: 12,
    published: true,
  });
  return { page: `/${slug}/library/${id}`, item };
}

test('the library is in the menu and lists collections, in every language', async () => {
  const { page } = await newCollection();
  assert.match((await seen(`/${slug}`)).text, new RegExp(`href="/${slug}/library"`));
  const list = await seen(`/${slug}/library`);
  assert.equal(list.status, 200, list.text);
  assert.match(plain(list.text), /Library .*Morning flows 1 item/);
  for (const language of Object.keys(LANGUAGES))
    for (const path of [`/${slug}/library`, page]) {
      const { status, text } = await seen(`${path}?lang=${language}`);
      assert.equal(status, 200, text);
      assert.match(text, new RegExp(`<html lang="${language}`));
    }
});

test('visitors see what is in a collection, and neither a button nor an address', async () => {
  const { page } = await newCollection();
  const { text } = await seen(page);
  assert.match(
    plain(text),
    /You don’t have access yet Log in to open what Harbour offers here.*Sun salutation.*12 minutes/,
  );
  assert.doesNotMatch(text, /videos\.example\.org|\/open"/);
});

test('a customer opens an item, which counts as one view, and keeps it as a favorite', async () => {
  const { page, item } = await newCollection();
  const { visitor, customer } = await someone();
  assert.match((await visitor.get(page)).text, new RegExp(`action="${page}/open"`));
  const opened = await visitor.post(`${page}/open`, { content: String(item) });
  assert.equal(opened.status, 200, opened.text);
  assert.match(opened.text, /https:\/\/videos\.example\.org\/sun\.m3u8/);
  const report = `/reports/content_views/data?content=${item}&customers=${customer}`;
  assert.equal((await world.get(report, { as: world.machine })).body.total, 1);
  await visitor.get(page);
  const kept = await visitor.post(`${page}/favorite`, { content: String(item), favorite: 'add' });
  assert.equal(kept.headers.get('location'), `${page}#item-${item}`, kept.text);
  assert.match((await visitor.get(page)).text, /Remove from favorites/);
  assert.match(plain((await visitor.get(`/${slug}/library`)).text), /Your favorites Sun salutation/);
});

test('a restricted collection shows what opens it, and nobody opens it by its form', async () => {
  const product = await done(world, 'POST', '/store/products', { name: 'Video course', price: '20.00' });
  const { page, item } = await newCollection({ access: 'restricted', products: [product.id] });
  const { visitor } = await someone();
  const { text } = await visitor.get(page);
  assert.match(text, new RegExp(`Any of these gives you access[^]*href="/${slug}/shop/${product.id}">Video course`));
  assert.doesNotMatch(text, /\/open"/);
  // Any page with a form has the token.
  await visitor.get((await newCollection()).page);
  const refused = await visitor.post(`${page}/open`, { content: String(item) });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /You don’t have access to “Morning flows” yet/);
});

test('the page of a membership lists what it opens', async () => {
  const category = await row(world, 'membership_category', { name: 'Passes' });
  const m = new MembershipWorld(world, await newPlace(world), category);
  const membership = await m.pack(5, { name: 'Five visits', one_time_fee: '70.00' });
  const { page } = await newCollection({ access: 'restricted', memberships: [membership] });
  const { text } = await seen(`/${slug}/memberships/${membership}`);
  assert.match(text, new RegExp(`Also in the library:[^]*href="${page}">Morning flows`));
});

test('tags narrow a collection, and the page shows when nothing matches', async () => {
  const { page, item } = await newCollection();
  const filter = await done(world, 'POST', '/content_filters', { name: 'Level' });
  const tag = (name: string) => done(world, 'POST', '/content_tags', { filter: filter.id, name });
  const [easy, hard] = [await tag('Beginner'), await tag('Expert')];
  await done(world, 'PATCH', `/content/${item}`, { tags: [easy.id] });
  assert.match((await seen(`${page}?tag=${easy.id}`)).text, /<option value="\d+" selected>Beginner[^]*Sun salutation/);
  assert.match((await seen(`${page}?tag=${hard.id}&tag=`)).text, /Nothing in this collection matches/);
});
