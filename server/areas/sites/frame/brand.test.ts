import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { at } from './entrance.ts';
import { brandOf, themeOf, type Look } from './brand.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let slug: string;
before(async () => {
  world = await startWorld();
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
});
after(() => world.close());

/** Uploads a picture of one color as the business. */
async function upload(
  width: number,
  height: number,
  background: string | { r: number; g: number; b: number; alpha: number } = '#cc2222',
): Promise<any> {
  const channels = typeof background === 'string' ? 3 : 4;
  const png = await sharp({ create: { width, height, channels, background } }).png().toBuffer();
  const made = await world.post('/images', { as: world.machine, body: { image: png.toString('base64') } });
  assert.equal(made.status, 201, made.text);
  return made.body;
}
const set = async (body: object): Promise<void> => {
  const done = await world.patch(`/providers/${world.harbour}`, { as: world.machine, body });
  assert.equal(done.status, 200, done.text);
};
const shown = async (path: string): Promise<string> => (await new PageClient(world.url).get(path)).text;
const pathOf = (url: string): string => new URL(url).pathname;

async function icon(size: number): Promise<{ bytes: Buffer; href: string }> {
  const page = await shown(`/${slug}`);
  const href = new RegExp(`href="(/images/${world.harbour}/icon-${size}\\.png\\?v=[0-9a-f]{8})"`).exec(page)?.[1] ?? '';
  const answer = await fetch(world.url + href);
  assert.equal(answer.status, 200, href);
  assert.equal(answer.headers.get('content-type'), 'image/png');
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  return { bytes: Buffer.from(await answer.arrayBuffer()), href };
}
async function pixel(bytes: Buffer, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const from = (y * info.width + x) * info.channels;
  return `#${data.subarray(from, from + 3).toString('hex')}`;
}
const isNear = (a: string, b: string): boolean =>
  [1, 3, 5].every((i) => Math.abs(parseInt(a.slice(i, i + 2), 16) - parseInt(b.slice(i, i + 2), 16)) < 12);

test('every page shows the logo with its dimensions, next to the name, or in its place if the logo is a word', async () => {
  const square = await upload(400, 400);
  await set({ logo: square.id });
  for (const path of [`/${slug}`, `/${slug}/timetable`, `/${slug}/memberships`, at({ id: world.harbour }, 'log-in')]) {
    const page = await shown(path);
    const mark = /<a class="name" href="[^"]+">([^]*?)<\/a>/.exec(page)![1];
    assert.match(
      mark,
      /<source type="image\/avif" srcset="\/images\/\d+\/[\w-]{22}\/320\.avif 320w, [^"]+" sizes="40px">/,
    );
    assert.match(
      mark,
      /<source type="image\/webp"[^>]+><img src="[^"]+" srcset="[^"]+" sizes="40px" width="400" height="400" alt=""/,
    );
    assert.match(mark, /<\/picture>Harbour/, path);
  }
  await set({ logo: (await upload(800, 200)).id });
  const mark = /<a class="name" href="[^"]+">([^]*?)<\/a>/.exec(await shown(`/${slug}`))![1];
  assert.match(mark, /width="800" height="200" alt="Harbour[^"]*"[^>]*><\/picture>$/);
  // Without it, the first letter is shown again.
  await set({ logo: null });
  assert.match(await shown(`/${slug}`), /<span class="mark" aria-hidden="true">H<\/span>/);
});

test('the icon is the first letter on the color, then the logo, then the picture that was uploaded for it', async () => {
  await set({ logo: null, branding: { color: '#0f766e' } });
  const letter = await icon(180);
  assert.deepEqual(
    await sharp(letter.bytes)
      .metadata()
      .then(({ width, height }) => [width, height]),
    [180, 180],
  );
  assert.ok(isNear(await pixel(letter.bytes, 5, 5), '#0f766e'));
  // The letter H: its bar crosses the center, and is white on this color.
  assert.ok(isNear(await pixel(letter.bytes, 90, 90), '#ffffff'));

  await set({ logo: (await upload(300, 300, '#cc2222')).id });
  const logo = await icon(96);
  assert.notEqual(logo.href.split('v=')[1], letter.href.split('v=')[1]);
  assert.ok(isNear(await pixel(logo.bytes, 48, 48), '#cc2222'));

  // Transparent parts become white: phones would make them black.
  await set({ logo: (await upload(300, 300, { r: 34, g: 34, b: 204, alpha: 0.5 })).id });
  const clear = await icon(180);
  assert.ok(isNear(await pixel(clear.bytes, 2, 2), '#ffffff'));
  assert.ok(isNear(await pixel(clear.bytes, 90, 90), '#9090e5'));

  // A word is unreadable in so small a square.
  await set({ logo: (await upload(800, 200)).id });
  assert.ok(isNear(await pixel((await icon(180)).bytes, 5, 5), '#0f766e'));

  const own = await upload(500, 500, '#22aa22');
  const themed = await world.patch(`/providers/${world.harbour}/theme`, {
    as: world.machine,
    body: { homescreen_logo: own.id },
  });
  assert.equal(themed.status, 200, themed.text);
  assert.ok(isNear(await pixel((await icon(180)).bytes, 2, 2), '#22aa22'));
});

test('icons of businesses exist in their sizes, and in no others', async () => {
  for (const path of [`/images/${world.harbour}/icon-181.png`, '/images/999999/icon-180.png', '/images/x/icon-180.png'])
    assert.equal((await fetch(world.url + path)).status, 404, path);
  const old = await fetch(`${world.url}/images/${world.harbour}/icon-180.png?v=00000000`);
  assert.deepEqual([old.status, old.headers.get('cache-control')], [200, 'public, max-age=300']);
});

const meta = (page: string, name: string): string | undefined =>
  new RegExp(`<meta property="${name}" content="([^"]*)">`).exec(page)?.[1];

test('messengers show the cover, or else the logo, at a full address with its dimensions', async () => {
  await set({ logo: null, branding: { cover: null } });
  assert.equal(meta(await shown(`/${slug}`), 'og:image'), undefined);
  const logo = await upload(300, 300);
  await set({ logo: logo.id });
  assert.equal(pathOf(meta(await shown(`/${slug}/timetable`), 'og:image')!), pathOf(logo.url));
  const cover = await upload(1800, 900);
  await set({ branding: { cover: cover.id } });
  const page = await shown(`/${slug}`);
  assert.match(meta(page, 'og:image')!, /^http:\/\/[^"]+\/1280\.(jpg|png)$/);
  assert.deepEqual([meta(page, 'og:image:width'), meta(page, 'og:image:height')], ['1280', '640']);
  assert.match(page, /<meta name="twitter:card" content="summary_large_image">/);
  assert.match(page, /<img src="[^"]+" srcset="[^"]+" sizes="[^"]+" width="1800" height="900" alt="" class="cover"/);
});

const PLAIN: Look = {
  id: 7,
  name: 'Quay',
  color: null,
  font: 'system',
  headingFont: null,
  headingSize: 'medium',
  logo: null,
  cover: null,
  icon: null,
};

test('colors and fonts are a style sheet, which leaves out the defaults', () => {
  assert.equal(themeOf(PLAIN), '');
  const sheet = themeOf({ ...PLAIN, color: '#ffee00', font: 'humanist', headingFont: 'slab', headingSize: 'large' });
  assert.match(sheet, /^:root \{ --brand: #ffee00; --on-brand: #000000;/);
  assert.match(sheet, /--font: Seravek[^;]+sans-serif; --head-font: Rockwell[^;]+serif; --head-size: 1\.16 \}/);
  assert.equal(themeOf({ ...PLAIN, font: 'slab', headingFont: 'slab' }).match(/--head-font/), null);
  assert.match(brandOf(PLAIN).head.text, /<meta name="theme-color" content="#1d4ed8">/);
});
