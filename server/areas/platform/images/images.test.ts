import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import sharp from 'sharp';
import { BEGUN, folderOf } from './addresses.ts';
import { FolderStore } from '../../../kernel/base/files/folder-store.ts';
import { draw, drawOwn, formatOf, MAX_BYTES, turns } from './draw.ts';
import { imageUses } from './uses.ts';
import { picture, pngOf } from './test/pictures.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type ApiAnswer, type World } from '../../../test/world.ts';
import { sweepImages } from './sweep.ts';
import { until } from '../../../test/storm.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const send = (bytes: Buffer, as = world.machine, query = ''): Promise<ApiAnswer> =>
  world.ask('POST', `/images${query}`, { as, body: { image: bytes.toString('base64') } });
async function uploaded(bytes: Buffer): Promise<any> {
  const answer = await send(bytes);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}
async function refused(bytes: Buffer): Promise<string> {
  const answer = await send(bytes);
  assert.equal(answer.status, 400, answer.text);
  return answer.body.field_errors.image[0];
}
const fetched = async (url: string) => {
  const answer = await fetch(new URL(new URL(url).pathname, world.url));
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const keyOf = ({ url }: { url: string }): string => url.split('/').at(-2)!;
/** Returns red, green and blue at a point. */
async function colorAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + 3)];
}
const isRed = ([r, g, b]: number[]) => r > 180 && g < 90 && b < 90;
const isBlue = ([r, g, b]: number[]) => b > 180 && g < 90 && r < 90;

test('a picture is uploaded and served in every size and format, at addresses that never change', async () => {
  const image = await uploaded(await picture({ width: 1000, height: 500 }).jpeg().toBuffer());
  assert.deepEqual([image.object, image.original_width, image.original_height], ['image', 1000, 500]);
  assert.deepEqual(
    image.sources.map((one: any) => `${one.type} ${one.width}×${one.height}`),
    ['avif', 'webp', 'jpeg'].flatMap((type) =>
      ['320×160', '640×320', '1000×500'].map((size) => `image/${type} ${size}`),
    ),
  );
  assert.equal(image.url, image.sources.at(-1).url);
  for (const { type, width, height, url } of image.sources) {
    const { status, headers, bytes } = await fetched(url);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), type);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
    const read = await sharp(bytes).metadata();
    assert.deepEqual([read.width, read.height], [width, height]);
    assert.ok(isRed(await colorAt(bytes, 5, 5)) && isBlue(await colorAt(bytes, width - 5, height - 5)), type);
  }
  const again = await world.ask('GET', `/images/${image.id}`, { as: world.machine });
  assert.deepEqual(again.body, image);
});

test('a form sends the file unchanged', async () => {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(await pngOf())], { type: 'text/plain' }), '../../etc/passwd');
  const answer = await fetch(`${world.url}/api/v2/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.machine}` },
    body: form,
  });
  assert.equal(answer.status, 201, await answer.clone().text());
});

test('every format is accepted, with the first frame of an animation, and transparency is kept', async () => {
  for (const bytes of await Promise.all([
    picture().png().toBuffer(),
    picture().webp().toBuffer(),
    picture().avif().toBuffer(),
    picture().gif().toBuffer(),
  ])) {
    const image = await uploaded(bytes);
    assert.deepEqual([image.original_width, image.original_height], [40, 20]);
  }
  const frames = await sharp(
    [
      await pngOf(),
      await sharp({ create: { width: 40, height: 20, channels: 3, background: 'lime' } })
        .png()
        .toBuffer(),
    ],
    { join: { animated: true } },
  )
    .gif()
    .toBuffer();
  const still = await uploaded(frames);
  assert.deepEqual([still.original_width, still.original_height], [40, 20]);
  assert.ok(isRed(await colorAt((await fetched(still.url)).bytes, 3, 3)));

  const clear = await uploaded(await pngOf({ alpha: true }));
  assert.match(clear.url, /\.png$/);
  for (const { url } of clear.sources) assert.ok((await sharp((await fetched(url)).bytes).metadata()).hasAlpha);
});

test('a photo is turned upright, and nothing reveals where and by whom it was taken', async () => {
  const photo = await picture({ width: 40, height: 20 })
    .jpeg({ quality: 100 })
    .withExif({ IFD0: { Artist: 'Ada Lovelace' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  assert.ok((await sharp(photo).metadata()).exif);
  const image = await uploaded(photo);
  assert.deepEqual([image.original_width, image.original_height], [20, 40]);
  for (const { url } of image.sources) {
    const { bytes } = await fetched(url);
    const { width, height, exif, xmp, iptc, orientation } = await sharp(bytes).metadata();
    assert.deepEqual(
      [width, height, exif, xmp, iptc, orientation],
      [20, 40, undefined, undefined, undefined, undefined],
    );
    assert.ok(!bytes.includes('Lovelace'));
    assert.ok(isRed(await colorAt(bytes, 10, 3)) && isBlue(await colorAt(bytes, 10, 36)));
  }
});

test('our own drawing becomes a picture, and an uploaded one is still refused', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path fill="red" d="M0 0h2v1H0z"/></svg>';
  const [drawn, answer] = await Promise.all([drawOwn(svg, 40), refused(Buffer.from(svg))]);
  assert.ok(isRed(await colorAt(drawn, 20, 10)));
  assert.match(answer, /Must be a picture/);
});

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
};

/** Returns a PNG that claims this size, and has almost no pixel data. */
function bomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('a file that is not a picture is refused, whatever it claims to be', async () => {
  const png = await pngOf();
  const tiff = await picture().tiff().toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>');
  const html = Buffer.from('<html><script>alert(1)</script></html>');
  const pdf = Buffer.from('%PDF-1.7 and so on and so forth');
  for (const other of [tiff, svg, html, pdf, Buffer.from('x')]) {
    assert.equal(formatOf(other), null);
    assert.match(await refused(other), /JPEG, PNG, WebP, AVIF or GIF/);
  }
  const heads = {
    jpeg: Buffer.from('\xFF\xD8\xFF\xE0', 'latin1'),
    png: png.subarray(0, 8),
    webp: Buffer.from('RIFF0000WEBPVP8 '),
    avif: Buffer.from('\0\0\0\x20ftypavif', 'latin1'),
    gif: Buffer.from('GIF89a'),
  };
  for (const [format, head] of Object.entries(heads)) {
    const pretended = Buffer.concat([head, svg, randomBytes(500)]);
    assert.equal(formatOf(pretended), format);
    assert.match(await refused(pretended), /can’t be read/, format);
  }
});

test('a truncated or damaged file is refused', async () => {
  const noise = sharp(randomBytes(200 * 200 * 3), { raw: { width: 200, height: 200, channels: 3 } });
  for (const whole of [await noise.clone().png().toBuffer(), await noise.clone().jpeg().toBuffer()]) {
    assert.match(await refused(whole.subarray(0, whole.length / 2)), /can’t be read/);
  }
  const broken = await noise.clone().png().toBuffer();
  broken.fill(0, 2000, 3000);
  assert.match(await refused(broken), /can’t be read/);
});

test('a picture with more pixels than a photo is refused before it is decoded', async () => {
  assert.match(await refused(bomb(60_000, 60_000)), /million pixels|can’t be read/);
  assert.match(await refused(bomb(10_000, 10_000)), /million pixels|can’t be read/);
  assert.match(await refused(bomb(20_000, 10)), /at most 16000 on each side/);
});

test('a file that is too large, empty or not a file is refused under its name', async () => {
  const wrong = async (image: unknown): Promise<string> => {
    const answer = await world.ask('POST', '/images', { as: world.machine, body: { image } });
    assert.equal(answer.status, 400, answer.text.slice(0, 300));
    return answer.body.field_errors.image[0];
  };
  assert.match(await wrong(Buffer.alloc(MAX_BYTES + 1).toString('base64')), /at most 10 MB/);
  assert.match(await wrong(''), /empty/);
  for (const none of ['not base64!', 'abc', 7, ['YWJj'], { a: 1 }]) assert.match(await wrong(none), /Must be a file/);
  const none = await world.ask('POST', '/images', { as: world.machine, body: {} });
  assert.match(none.body.field_errors.image[0], /required/);
});

test('staff upload with the permission store or manage_events, and everyone sees the pictures', async () => {
  const png = await pngOf();
  assert.equal((await send(png, world.staff(['store']))).status, 201);
  assert.equal((await send(png, world.staff(['manage_events']))).status, 201);
  assert.equal((await send(png, world.staff(['customers']))).status, 403);
  const customer = world.customer(await world.newCustomer());
  assert.equal((await send(png, customer)).status, 403);
  const { id, url } = await uploaded(png);
  const seen = await world.ask('GET', `/images/${id}?expand=user`, { as: customer });
  assert.deepEqual([seen.status, seen.body.url, seen.body.user], [200, url, null]);
  const elsewhere = await world.ask('GET', `/images/${id}`, { as: world.meadowMachine });
  assert.equal(elsewhere.status, 404);
});

test('an address can’t be guessed, and leads to nothing else', async () => {
  const { url } = await uploaded(await pngOf());
  const { pathname } = new URL(url);
  const [, folder, provider, key] = pathname.split('/');
  assert.match(key, /^[\w-]{22}$/);
  for (const path of [
    `/${folder}/${provider}/${randomBytes(16).toString('base64url')}/40.jpg`,
    `/${folder}/${Number(provider) + 1}/${key}/40.jpg`,
    `/${folder}/${provider}/${key}/41.jpg`,
    `/${folder}/${provider}/${key}/40.svg`,
    `/${folder}/${provider}/${key}/..%2F..%2F..%2Fsecret.key`,
    `/${folder}/${provider}/..%2F..%2Fsecret.key/40.jpg`,
    `/${folder}/${provider}/${key}`,
    `/${folder}/begun/${provider}_${key}`,
  ]) {
    const answer = await fetch(world.url + path);
    assert.equal(answer.status, 404, path);
  }
});

test('a dry run stores nothing', async () => {
  const answer = await send(await pngOf(), world.machine, '?dry_run=true');
  assert.equal(answer.status, 200, answer.text);
  const { url } = answer.body;
  assert.equal((await fetched(url)).status, 404);
});

/** Sets up separate files, with markers as old as the test requires. */
function ownFiles() {
  const root = mkdtempSync(join(tmpdir(), 'rollcall-images-'));
  const files = new FolderStore(root);
  const age = (note: string, hours: number) => {
    const at = statSync(join(root, note)).mtimeMs / 1000 - hours * 3600;
    utimesSync(join(root, note), at, at);
  };
  const isThere = (name: string) => existsSync(join(root, name));
  return { files, age, isThere, remove: () => rmSync(root, { recursive: true, force: true }) };
}

test('files of a rolled-back upload are removed after an hour, and those of an image stay', async () => {
  const { files, age, isThere, remove } = ownFiles();
  try {
    const provider = world.harbour;
    const [kept, lost, fresh] = [
      keyOf(await uploaded(await pngOf())),
      randomBytes(16).toString('base64url'),
      randomBytes(16).toString('base64url'),
    ];
    for (const key of [kept, lost, fresh]) {
      await files.put(`${BEGUN}/${provider}_${key}`, Buffer.alloc(0));
      await files.put(`${folderOf({ provider, key })}/40.jpg`, Buffer.from('x'));
      if (key !== fresh) age(`${BEGUN}/${provider}_${key}`, 2);
    }
    await world.work(provider, ({ tx, now }) => sweepImages(tx, now, { files }));
    assert.deepEqual(
      [kept, lost, fresh].map((key) => isThere(folderOf({ provider, key }))),
      [true, false, true],
    );
    assert.deepEqual(
      [kept, lost, fresh].map((key) => isThere(`${BEGUN}/${provider}_${key}`)),
      [false, false, true],
    );
    // A sweep that sees one business knows nothing about the others.
    age(`${BEGUN}/${provider}_${fresh}`, 2);
    await world.work(world.meadow, ({ tx, now }) => sweepImages(tx, now, { files }));
    assert.ok(isThere(folderOf({ provider, key: fresh })));
  } finally {
    remove();
  }
});

test('an unused image is deleted after a week, and its files an hour later', async () => {
  const { files, age, isThere, remove } = ownFiles();
  try {
    const provider = world.meadow;
    const made = async (days: number) => {
      const key = randomBytes(16).toString('base64url');
      await files.put(`${folderOf({ provider, key })}/40.jpg`, Buffer.from('x'));
      await world.work(provider, ({ tx }) =>
        tx.run(sql`
          INSERT INTO image (provider_id, key, original_width, original_height, widths, width, height, fallback,
            created_at)
          VALUES (${provider}, ${key}, 40, 20, '{40}', 40, 20, 'jpg', now() - ${days} * interval '1 day')`),
      );
      return key;
    };
    const [used, unused, young] = [await made(8), await made(8), await made(6)];
    const items = [
      {
        name: 'test',
        description: 'Of a test.',
        resource: 'image',
        used: (t: string) => sql`${raw(`${t}.key`)} = ${used}`,
      },
    ];
    const before = imageUses.items;
    imageUses.connect(items);
    const sweep = () => world.work(provider, ({ tx, now }) => sweepImages(tx, now, { files }));
    try {
      await sweep();
    } finally {
      imageUses.connect(before);
    }
    const rows = await world.work(provider, ({ tx }) =>
      tx.rows<{ key: string }>(
        sql`SELECT key FROM image WHERE provider_id = ${provider} AND key = ANY(${[used, unused, young]}::text[])`,
      ),
    );
    assert.deepEqual(rows.map(({ key }) => key).toSorted(), [used, young].toSorted());
    assert.ok(isThere(folderOf({ provider, key: unused })), 'until it is known that the row is gone');
    age(`${BEGUN}/${provider}_${unused}`, 2);
    await world.work(provider, ({ tx }) => sweepImages(tx, 0, { files }));
    assert.ok(!isThere(folderOf({ provider, key: unused })));
  } finally {
    remove();
  }
});

/** Blocks drawing until the test continues. */
async function whileBusy(act: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = turns.run({ business: 0, gone: new AbortController().signal }, 0, () => promise);
  try {
    await act();
  } finally {
    resolve();
    await held;
  }
}

test('a business that uploads too many pictures at the same time is refused, and another one is not', async () => {
  const small = await picture({ width: 20, height: 20 }).png().toBuffer();
  const theirs: Promise<ApiAnswer>[] = [];
  let others: Promise<ApiAnswer> | undefined;
  await whileBusy(async () => {
    for (let i = 0; i < 5; i++) theirs.push(send(small));
    const [first] = await Promise.all([Promise.race(theirs), until('four wait', async () => turns.waiting === 4)]);
    assert.deepEqual([first.status, first.headers.get('retry-after')], [503, '60']);
    others = send(small, world.meadowMachine);
    await until('the other business waits too', async () => turns.waiting === 5);
  });
  assert.deepEqual((await Promise.all(theirs)).map(({ status }) => status).toSorted(), [201, 201, 201, 201, 503]);
  assert.equal((await others!).status, 201);
});

test('a picture whose client has disconnected is not drawn', async () => {
  const small = await picture({ width: 20, height: 20 }).png().toBuffer();
  await whileBusy(async () => {
    const client = new AbortController();
    const sent = fetch(`${world.url}/api/v2/images`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.machine}`, 'content-type': 'application/json' },
      body: JSON.stringify({ image: small.toString('base64') }),
      signal: client.signal,
    });
    await until('it waits', async () => turns.waiting === 1);
    client.abort();
    await assert.rejects(sent);
    await until('it gave up its place', async () => turns.waiting === 0);
  });
  const client = new AbortController();
  const drawn = draw(await picture({ width: 700, height: 700 }).png().toBuffer(), { business: 1, gone: client.signal });
  client.abort();
  await assert.rejects(drawn, { name: 'AbortError' });
});

test('all sizes and formats of a picture share one deadline', async () => {
  const bytes = await picture({ width: 20, height: 20 }).png().toBuffer();
  const whose = { business: 1, gone: new AbortController().signal };
  await assert.rejects(draw(bytes, whose, { withinMs: 0 }), /parameter_invalid|not valid|takes too long/);
});
