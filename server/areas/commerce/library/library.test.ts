import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileOf } from './links.ts';
import { row } from '../../../test/schedule-world.ts';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type Ask, type World } from '../../../test/world.ts';
import { sweepContentFiles } from './sweep.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

type Method = 'post' | 'patch' | 'delete' | 'get';

async function done(method: Method, path: string, body?: unknown, as = world.machine): Promise<any> {
  const answer = await world[method](path, { as, body } as Ask);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

async function refused(method: Method, path: string, body?: unknown, as = world.machine): Promise<any> {
  const answer = await world[method](path, { as, body } as Ask);
  assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.status} ${answer.text}`);
  return { status: answer.status, ...answer.body };
}

const newCollection = (over: object = {}) =>
  done('post', '/content_collections', { name: 'Basics', published: true, ...over });
const newContent = (collection: number, over: object = {}) =>
  done('post', '/content', {
    name: 'Warm-up',
    collection,
    url: 'https://vimeo.com/76979871',
    published: true,
    ...over,
  });
const person = async () => {
  const id = await world.newCustomer();
  return { id, as: world.customer(id) };
};
const namesOf = (page: any): string[] => page.results.map((one: any) => one.name);
const hasAccess = async (collection: number, { as }: { as: string }) =>
  (await done('get', `/content_collections/${collection}?expand=active_customer_has_access`, undefined, as))
    .active_customer_has_access;

test('customers and visitors see what is published, and never where it is', async () => {
  const open = await newCollection();
  const [shown, draft] = [await newContent(open.id), await newContent(open.id, { published: false })];
  const hidden = await newContent((await newCollection({ published: false })).id);
  const { as } = await person();
  const seen = await done('get', `/content?collection=${open.id}`, undefined, as);
  assert.deepEqual(
    seen.results.map((one: any) => [one.id, one.url, one.file]),
    [[shown.id, null, null]],
  );
  for (const { id } of [draft, hidden]) {
    assert.equal((await refused('get', `/content/${id}`, undefined, as)).status, 404);
    assert.equal((await refused('post', `/content/${id}/generate_access_link`, {}, as)).status, 404);
  }
  assert.equal((await done('get', `/content_collections/${open.id}`, undefined, as)).content_count, 1);
});

test('a restricted collection opens with a membership, until it ends', async () => {
  const membership = await seed(world, 'membership');
  const collection = await newCollection({ access: 'restricted', memberships: [membership] });
  const { id } = await newContent(collection.id);
  const me = await person();
  const locked = await refused('post', `/content/${id}/generate_access_link`, {}, me.as);
  assert.deepEqual([locked.status, locked.code], [409, 'content_not_included']);
  assert.match(locked.detail ?? locked.message, /You don’t have access to “Basics” yet/);
  assert.equal(await hasAccess(collection.id, me), false);
  const owned = await row(world, 'customer_membership', {
    customer_id: me.id,
    membership_id: membership,
    membership_type: 'pack',
    bought_on: '2026-01-01',
    billed_price_minor: 0,
  }).catch(async () => null);
  if (owned === null) return assert.fail('the membership was not created');
  assert.equal(await hasAccess(collection.id, me), true);
  const link = await done('post', `/content/${id}/generate_access_link`, {}, me.as);
  assert.deepEqual([link.url, link.is_external], ['https://vimeo.com/76979871', true]);
  assert.match(link.oembed.html, /player\.vimeo\.com\/video\/76979871/);
  await world.work(world.harbour, ({ tx, now }) =>
    tx.run(sql`UPDATE customer_membership SET status = 'cancelled', cancellation_reason = 'cancelled',
      ended_at = to_timestamp(${now / 1000}) WHERE provider_id = ${world.harbour} AND id = ${owned}`),
  );
  assert.equal(await hasAccess(collection.id, me), false);
  await refused('post', `/content/${id}/generate_access_link`, {}, me.as);
});

test('a restricted collection opens for who takes part in a course, and for who bought a product once', async () => {
  const enrollment = await seed(world, 'course_enrollment');
  const [course, customer] = await world.work(world.harbour, async ({ tx }) => {
    const found = (await tx.one<{ course: number; customer: number }>(sql`
      SELECT s.course_id AS course, e.customer_id AS customer FROM course_enrollment e
      JOIN course_date_series s ON s.provider_id = e.provider_id AND s.id = e.course_date_series_id
      WHERE e.provider_id = ${world.harbour} AND e.id = ${enrollment}`))!;
    await tx.run(sql`UPDATE course_enrollment SET status = 'active', cancelled_at = NULL
      WHERE provider_id = ${world.harbour} AND id = ${enrollment}`);
    return [found.course, found.customer];
  });
  const ofCourse = await newCollection({ access: 'restricted', courses: [course] });
  assert.equal(await hasAccess(ofCourse.id, { as: world.customer(customer) }), true);
  assert.equal(await hasAccess(ofCourse.id, await person()), false);

  const item = await seed(world, 'store_order_item');
  const sold = await world.work(world.harbour, async ({ tx }) => {
    const found = (await tx.one<{ product: number; customer: number; order: number }>(sql`
      SELECT v.store_product_id AS product, o.customer_id AS customer, o.id AS order FROM store_order_item i
      JOIN store_order o ON o.provider_id = i.provider_id AND o.id = i.store_order_id
      JOIN store_product_variant v ON v.provider_id = i.provider_id AND v.id = i.store_product_variant_id
      WHERE i.provider_id = ${world.harbour} AND i.id = ${item}`))!;
    await tx.run(sql`UPDATE store_order SET status = 'paid', paid_at = now(), fulfilled_at = NULL, cancelled_at = NULL,
      locked_at = NULL, locked_for_id = NULL, cancelling = false
      WHERE provider_id = ${world.harbour} AND id = ${found.order}`);
    return found;
  });
  const ofProduct = await newCollection({ access: 'restricted', products: [sold.product] });
  assert.equal(await hasAccess(ofProduct.id, { as: world.customer(sold.customer) }), true);
  assert.equal(await hasAccess(ofProduct.id, await person()), false);
});

test('a file has signed addresses, which expire, and serves the parts that a player asks for', async () => {
  const bytes = Buffer.from('%PDF-1.7 the whole plan of the course');
  const file = await done('post', '/content_files', { name: 'Plän.pdf', file: bytes.toString('base64') });
  assert.deepEqual([file.media_type, file.size], ['application/pdf', bytes.length]);
  const { id } = await newContent((await newCollection()).id, { url: undefined, file: file.id, type: 'document' });
  const { as } = await person();
  const link = await done('post', `/content/${id}/generate_access_link`, {}, as);
  assert.deepEqual([link.is_external, link.oembed], [false, null]);
  const at = (url: string, headers = {}) => fetch(new URL(new URL(url).pathname, world.url), { headers });
  const whole = await at(link.url);
  assert.deepEqual([whole.status, Buffer.from(await whole.arrayBuffer())], [200, bytes]);
  assert.equal(whole.headers.get('cache-control'), 'private, no-store');
  assert.equal(whole.headers.get('referrer-policy'), 'no-referrer');
  assert.match(whole.headers.get('content-disposition')!, /filename\*=UTF-8''Pl%C3%A4n\.pdf/);
  const part = await at(link.url, { range: 'bytes=0-4' });
  assert.deepEqual([part.status, await part.text()], [206, '%PDF-']);
  assert.equal((await at(link.url, { range: 'bytes=900-' })).status, 416);
  assert.equal((await at(link.url.slice(0, -3))).status, 404);
  assert.equal((await at(link.url.replace(`/files/${world.harbour}/`, `/files/${world.harbour + 1}/`))).status, 404);
  world.setNow(world.now + 4 * 3_600_000);
  assert.equal((await at(link.url)).status, 404);
  world.resetNow();
});

test('only files of the kinds that the library takes are stored', async () => {
  const html = Buffer.from('<html><script>alert(1)</script></html>').toString('base64');
  const { field_errors: errors } = await refused('post', '/content_files', { name: 'Plan.pdf', file: html });
  assert.deepEqual(errors, { file: ['Must be a PDF, an MP4 video or an MP3 recording.'] });
});

test('content is either a link or a file, and a new one replaces the other', async () => {
  const collection = (await newCollection()).id;
  const file = await seed(world, 'content_file');
  assert.deepEqual(Object.keys((await refused('post', '/content', { name: 'x', collection })).field_errors), ['url']);
  const both = { name: 'x', collection, url: 'https://example.org/a.m3u8', file };
  assert.deepEqual(Object.keys((await refused('post', '/content', both)).field_errors), ['file']);
  const { id } = await newContent(collection);
  const changed = await done('patch', `/content/${id}`, { file });
  assert.deepEqual([changed.url, changed.file], [null, file]);
  const back = await done('patch', `/content/${id}`, { url: 'https://example.org/a.m3u8' });
  assert.deepEqual([back.url, back.file], ['https://example.org/a.m3u8', null]);
});

test('tags narrow the library: any tag of a filter, and all filters', async () => {
  const collection = (await newCollection()).id;
  const filter = async (...names: string[]) => {
    const { id } = await done('post', '/content_filters', { name: 'Level' });
    const tags: number[] = [];
    for (const name of names) tags.push((await done('post', '/content_tags', { filter: id, name })).id);
    return tags;
  };
  const [[easy, hard], [short]] = [await filter('Easy', 'Hard'), await filter('Short')];
  await newContent(collection, { name: 'A', tags: [easy, short] });
  await newContent(collection, { name: 'B', tags: [hard] });
  const found = async (query: string) => namesOf(await done('get', `/content?collection=${collection}&${query}`));
  assert.deepEqual(await found(`tags=${easy},${hard}`), ['A', 'B']);
  assert.deepEqual(await found(`tags=${easy},${hard},${short}`), ['A']);
  assert.deepEqual(await found('query=b'), ['B']);
  const filters = await done('get', `/content_filters?collection=${collection}&expand=tags`);
  assert.deepEqual(
    filters.results.map((one: any) => namesOf({ results: one.tags })),
    [['Easy', 'Hard'], ['Short']],
  );
});

test('favorites are a customer’s own, and adding one twice is the same favorite', async () => {
  const { id } = await newContent((await newCollection()).id);
  const [me, other] = [await person(), await person()];
  for (let i = 0; i < 2; i++) await done('post', `/content/${id}/add_favorite`, {}, me.as);
  const favorites = async (whose: number, as: string) =>
    (await done('get', `/content?favorited_by=${whose}`, undefined, as)).count;
  assert.deepEqual([await favorites(me.id, me.as), await favorites(me.id, world.machine)], [1, 1]);
  const shown = await done('get', `/content/${id}?expand=is_favorited_by_active_customer`, undefined, me.as);
  assert.equal(shown.is_favorited_by_active_customer, true);
  const asked = `/content/${id}?expand=is_favorited_by_active_customer&active_customer=${me.id}`;
  assert.equal((await done('get', asked)).is_favorited_by_active_customer, true);
  await refused('post', `/content/${id}/add_favorite`, { customer: me.id }, other.as);
  await done('post', `/content/${id}/remove_favorite`, {}, me.as);
  assert.equal(await favorites(me.id, me.as), 0);
});

test('content that was opened, and a collection with content, are not deleted', async () => {
  const collection = (await newCollection()).id;
  const { id } = await newContent(collection);
  assert.equal((await refused('delete', `/content_collections/${collection}`)).code, 'in_use');
  await done('post', `/content/${id}/generate_access_link`, {});
  await done('post', `/content/${id}/generate_access_link`, { customer: (await person()).id });
  assert.equal((await refused('delete', `/content/${id}`)).code, 'in_use');
  const unopened = await newContent(collection);
  await done('delete', `/content/${unopened.id}`);
});

test('lists that open a collection to nobody else are refused, and removed when it opens to everybody', async () => {
  const membership = await seed(world, 'membership');
  const { field_errors: errors } = await refused('post', '/content_collections', {
    name: 'x',
    memberships: [membership],
  });
  assert.deepEqual(Object.keys(errors), ['memberships']);
  const { id } = await newCollection({ access: 'restricted', memberships: [membership] });
  const opened = await done('patch', `/content_collections/${id}?expand=memberships`, { access: 'all_customers' });
  assert.deepEqual(opened.memberships, []);
});

const sendFile = () =>
  done('post', '/content_files', { name: 'Plan.pdf', file: Buffer.from('%PDF-1.7 a plan').toString('base64') });

test('a file that nothing uses for a week is removed, and one that content uses stays', async () => {
  const [used, unused] = [await sendFile(), await sendFile()];
  await newContent((await newCollection()).id, { url: undefined, file: used.id });
  const later = world.now + 8 * 86_400_000;
  const left = await world.work(world.harbour, async ({ tx }) => {
    const { files } = world.app.installation;
    const [before] = await tx.rows<{ key: string }>(sql`SELECT key FROM content_file
      WHERE provider_id = ${world.harbour} AND id = ${unused.id}`);
    assert.ok(await files.get(fileOf({ provider: world.harbour, key: before!.key })));
    await sweepContentFiles(tx, later, { files });
    return tx.rows<{ id: number }>(sql`SELECT id FROM content_file
      WHERE provider_id = ${world.harbour} AND id = ANY(${[used.id, unused.id]}::bigint[])`);
  });
  assert.deepEqual(left, [{ id: used.id }]);
});
