/** What a business shows of itself, in a real browser: on a desk and on a phone, light and dark. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { drawOwn } from '../../platform/images/index.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { TestBrowser } from '../../../test/browser.ts';

let world: World;
let browser: TestBrowser;
let slug: string;
before(async () => {
  world = await startWorld();
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  browser = await TestBrowser.start(world.url);
});
after(async () => {
  await browser?.close();
  await world?.close();
});

async function upload(width: number, height: number, svg: string): Promise<number> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${svg}</svg>`;
  const png = await drawOwn(drawing, width);
  const made = await world.post('/images', { as: world.machine, body: { image: png.toString('base64') } });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}

test('a business is recognised on its pages, nothing moves when its pictures come, and pages stay small', async () => {
  const logo = await upload(600, 600, '<circle cx="300" cy="300" r="290" fill="#7c2d12"/>');
  const cover = await upload(
    1680,
    900,
    '<rect width="1680" height="900" fill="#fde7c8"/><circle cx="1200" cy="420" r="260" fill="#f59e0b"/><path d="M0 620q420-160 840 0t840 0v280H0z" fill="#0e7490"/>',
  );
  const done = await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: {
      description: 'Yoga and rowing by the water.',
      logo,
      branding: { color: '#f59e0b', cover, font: 'humanist', heading_font: 'old_style', heading_size: 'large' },
    },
  });
  assert.equal(done.status, 200, done.text);
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}`);
  const { page } = visitor;
  // Every picture is there, in a format that is small, and as large as its attributes promised.
  const pictures = await page.locator('img').evaluateAll((all: any[]) =>
    all.map((one) => ({
      came: one.complete && one.naturalWidth > 0,
      from: one.currentSrc.split('.').at(-1),
      ratio: one.width / one.height,
      of: one.className,
    })),
  );
  assert.deepEqual(
    pictures.map(({ came, from, of }) => [came, from, of]),
    [
      [true, 'avif', 'logo clear'],
      [true, 'avif', 'cover'],
    ],
  );
  assert.equal(pictures[0].ratio, 1);
  assert.match(
    await page.locator('h1').evaluate((e) => (globalThis as any).getComputedStyle(e).fontFamily),
    /Iowan Old Style/,
  );
  await visitor.checkAccessible('brand-home');
  const sent = await Promise.all(
    [
      `/${slug}`,
      ...(await page.locator('link[rel=stylesheet]').evaluateAll((all: any[]) => all.map((e) => e.href))),
    ].map(async (path) => (await fetch(new URL(path, world.url))).text()),
  );
  assert.ok(brotliCompressSync(sent.join('')).length < 30_000);
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.checkAccessible('brand-log-in');
  await visitor.close();
});
