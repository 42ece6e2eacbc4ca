import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptPages, type KeptPagesOptions } from './kept.ts';
import { PLAIN } from './layout.ts';
import type { Site } from './visit.ts';

const kept = (body = 'page') => ({ document: { type: 'text/html', body, headers: {} }, etag: '"1"' });
const here: Site = { ...PLAIN, home: '/harbour' };
const there: Site = { ...PLAIN, home: '/meadow' };

/** Creates a cache for businesses whose version the test sets, and counts how often it was read. */
function pagesOf(options: Partial<KeptPagesOptions<Site>> = {}) {
  const world = { version: 'a' as string | null, now: 1_000_000, looks: 0 };
  const pages = new KeptPages<Site>({
    version: async () => (world.looks++, world.version),
    now: () => world.now,
    ...options,
  });
  return { world, pages };
}

test('a page is served from the cache while nothing happens, and one check serves all pages of a business', async () => {
  const { world, pages } = pagesOf();
  for (const key of ['one', 'two']) pages.keep(key, here, await pages.version(here), kept(key));
  for (const key of ['one', 'two', 'one']) assert.equal((await pages.find(key))!.document.body, key);
  assert.equal(world.looks, 1);
  assert.equal(await pages.find('three'), null);
});

test('a change is seen at the next check, and its page is built again', async () => {
  const { world, pages } = pagesOf({ lookEveryMs: 0 });
  pages.keep('one', here, await pages.version(here), kept());
  assert.notEqual(await pages.find('one'), null);
  world.version = 'b';
  assert.equal(await pages.find('one'), null);
  assert.equal(pages.bytes, 0);
});

test('a change during the build of a page makes that page outdated', async () => {
  const { world, pages } = pagesOf({ lookEveryMs: 0 });
  const before = await pages.version(here);
  world.version = 'b';
  pages.keep('one', here, before, kept());
  assert.equal(await pages.find('one'), null);
});

test('a page is not cached for long, because time passes even if nothing happens', async () => {
  const { world, pages } = pagesOf();
  pages.keep('one', here, 'a', kept());
  world.now += 14_000;
  assert.notEqual(await pages.find('one'), null);
  world.now += 2000;
  assert.equal(await pages.find('one'), null);
});

test('nothing of a business without a version is cached', async () => {
  const { world, pages } = pagesOf();
  world.version = null;
  pages.keep('one', here, await pages.version(here), kept());
  assert.equal(await pages.find('one'), null);
});

test('a failed check is not remembered, and the next request checks again', async () => {
  let fails = true;
  const { pages } = pagesOf({
    version: async () => {
      if (fails) throw new Error('away');
      return 'a';
    },
  });
  pages.keep('one', here, 'a', kept());
  await assert.rejects(pages.find('one'), /away/);
  fails = false;
  assert.notEqual(await pages.find('one'), null);
});

test('memory is bounded: the least recently used page goes first', async () => {
  const { pages } = pagesOf({ most: 10_000 });
  const body = 'x'.repeat(1000);
  for (const key of ['1', '2', '3']) pages.keep(key, here, 'a', kept(body));
  assert.notEqual(await pages.find('1'), null);
  pages.keep('4', there, 'a', kept(body));
  assert.equal(await pages.find('2'), null);
  for (const key of ['1', '3', '4']) assert.notEqual(await pages.find(key), null, key);
  assert.ok(pages.bytes <= 10_000);
  pages.keep('large', here, 'a', kept('x'.repeat(20_000)));
  assert.equal(await pages.find('large'), null);
  assert.notEqual(await pages.find('1'), null);
});

test('a page that is built again replaces its predecessor', async () => {
  const { pages } = pagesOf();
  pages.keep('one', here, 'a', kept('old'));
  const { bytes } = pages;
  pages.keep('one', here, 'a', kept('new'));
  assert.equal((await pages.find('one'))!.document.body, 'new');
  assert.equal(pages.bytes, bytes);
});
