import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pngOf } from './test/pictures.ts';
import { startWorld } from '../../../test/world.ts';
import { TestBucket } from '../../../test/outside/bucket.ts';

test('with a bucket, an uploaded image is stored in it and served from it, and nothing is in the data folder', async () => {
  const bucket = await TestBucket.start();
  const world = await startWorld({ env: bucket.env });
  try {
    const image = (await pngOf()).toString('base64');
    const made = await world.post('/images', { as: world.machine, body: { image } });
    assert.equal(made.status, 201, made.text);
    const path = new URL(made.body.url).pathname;
    const served = await fetch(world.url + path);
    assert.equal(served.status, 200);
    assert.ok(Buffer.from(await served.arrayBuffer()).equals(bucket.objects.get(path.slice(1))!.bytes));
    assert.equal(existsSync(join(world.app.installation.messages.dataDir, path)), false);
    assert.equal((await fetch(world.url + path.replace(/\d+\.png$/, '9.png'))).status, 404);
  } finally {
    await world.close();
    await bucket.close();
  }
});
