/** A business's own pictures and look, in a real browser: on a desktop and on a phone, in light and dark mode. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { drawOwn } from '../../platform/images/index.ts';
import { iso, newEvent, newInstructor, newOffering, newVenue } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { sweepImages } from '../../platform/images/sweep.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { TestBrowser } from '../../../test/pages/browser.ts';

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

async function upload(width: number, height: number, svg: string): Promise<any> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${svg}</svg>`;
  const png = await drawOwn(drawing, width);
  const made = await world.post('/images', { as: world.machine, body: { image: png.toString('base64') } });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

test('a business is recognized on its pages, pictures cause no layout shift, and pages stay small', async () => {
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
      logo: logo.id,
      branding: {
        color: '#f59e0b',
        cover: cover.id,
        font: 'humanist',
        heading_font: 'old_style',
        heading_size: 'large',
      },
    },
  });
  assert.equal(done.status, 200, done.text);
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}`);
  const { page } = visitor;
  // Every picture is loaded, in a small format, and as large as its attributes promised.
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

test("classes, instructors and rooms are shown with the business's own pictures, which load when they come into view", async () => {
  const sea = await upload(
    900,
    600,
    '<rect width="900" height="600" fill="#0e7490"/><circle cx="450" cy="300" r="200" fill="#fde68a"/>',
  );
  const face = await upload(
    500,
    700,
    '<rect width="500" height="700" fill="#fda4af"/><circle cx="250" cy="300" r="150" fill="#7c2d12"/>',
  );
  const venue = await newVenue(world, { name: 'Quay Hall' });
  const offering = await newOffering(world, {
    name: 'Tidal Yoga',
    description: 'Slow, by the water.',
    image_id: sea.id,
  });
  await newOffering(world, { name: 'Rowing' });
  const { instructor } = await newInstructor(world);
  const { instructor: other } = await newInstructor(world);
  const set = async (path: string, body: object) => {
    const done = await world.patch(path, { as: world.machine, body });
    assert.equal(done.status, 200, done.text);
  };
  await set(`/instructors/${instructor}`, { picture_url: face.url, description: 'Teaches yoga.' });
  // Nothing is loaded from another host: nobody else learns who reads the page.
  await set(`/instructors/${other}`, { picture_url: 'https://elsewhere.example/images/1/face.jpg' });
  const room = await world.post('/venue_rooms', {
    as: world.machine,
    body: { venue, name: 'Sea Room', thumbnail: sea.id },
  });
  assert.equal(room.status, 201, room.text);
  const start = world.now + 30 * 3_600_000;
  await newEvent(
    world,
    { venue, offering },
    { name: 'Tidal Yoga', starts_at: iso(start), ends_at: iso(start + 3_600_000), instructors: [instructor] },
  );
  const visitor = await browser.visitor();
  await visitor.open(`/${slug}`);
  const { page } = visitor;
  const lazy = await page
    .locator('main img[loading=lazy]')
    .evaluateAll((all: any[]) => all.map((e) => [e.className, e.width > 0 && e.height > 0]));
  assert.deepEqual(lazy, [
    ['thumb', true],
    ['banner', true],
    ['banner', true],
    ['thumb', true],
  ]);
  assert.match(
    await page.locator('.person img').getAttribute('src').then(String),
    new RegExp(`^/images/${world.harbour}/[\\w-]{22}/320\\.png$`),
  );
  assert.equal(await page.locator('.person svg.icon').count(), 1);
  await visitor.checkAccessible('brand-pictures');
  await visitor.leave(page.locator('.part a').first());
  assert.match(page.url(), /what=\d+/);
  assert.equal(await page.locator('.event .thumb').count(), 1);
  await visitor.checkAccessible('brand-timetable');
  visitor.check();
  await visitor.close();
  // The picture of an instructor is kept, although only its address shows that it is used.
  await world.app.db.transaction(world.harbour, async (tx) => {
    await tx.run(
      sql`UPDATE image SET created_at = now() - interval '8 days' WHERE provider_id = ${world.harbour}
        AND id = ${face.id}`,
    );
    await sweepImages(tx, world.now, world.app.installation);
  });
  assert.equal((await world.get(`/images/${face.id}`)).status, 200);
});
