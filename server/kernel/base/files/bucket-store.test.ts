import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomBytes } from 'node:crypto';
import { BucketStore } from './bucket-store.ts';
import { readConfig } from '../../../config.ts';
import { TestBucket } from '../../../test/outside/bucket.ts';

let bucket: TestBucket;
let store: BucketStore;
before(async () => {
  bucket = await TestBucket.start();
  store = new BucketStore(bucket.settings);
});
after(() => bucket.close());

const parts = async function* (...all: (string | Uint8Array)[]) {
  yield* all;
};
const whole = async (read: AsyncIterable<Uint8Array> | null): Promise<string> =>
  Buffer.concat(await Array.fromAsync(read!)).toString();

test('a bucket stores files as a folder does: complete, replaced, listed and removed, and a missing one is null', async () => {
  assert.equal(await store.get('a/b/1.txt'), null);
  assert.equal(await store.read('a/b/1.txt'), null);
  assert.deepEqual(await store.list('a/b'), []);
  await store.put('a/b/1.txt', Buffer.from('one'));
  await store.put('a/b/1.txt', Buffer.from('two'));
  await store.put('a/b/deep/3.txt', Buffer.from('deep'));
  await store.put('a/bc/4.txt', Buffer.from('beside'));
  const bytes = randomBytes(2000);
  await store.put('a/b/2.bin', bytes);
  assert.equal(String(await store.get('a/b/1.txt')), 'two');
  assert.equal(await whole(await store.read('a/b/1.txt')), 'two');
  assert.deepEqual(await store.get('a/b/2.bin'), bytes);
  const listed = await store.list('a/b');
  assert.deepEqual(listed.map(({ name }) => name).toSorted(), ['1.txt', '2.bin']);
  // A list has times in milliseconds, as a bucket does.
  for (const { name, at } of listed) assert.equal(at, bucket.objects.get(`a/b/${name}`)!.at.getTime(), name);
  await store.remove('a/b');
  await store.remove('a/b');
  assert.deepEqual([...bucket.objects.keys()], ['a/bc/4.txt']);
});

test('a file from parts is stored completely and counted, regardless of its size', async () => {
  assert.equal(await store.putParts('parts/small.txt', parts('one, ', Buffer.from('two'))), 8);
  assert.equal(String(bucket.objects.get('parts/small.txt')!.bytes), 'one, two');
  assert.equal(await store.putParts('parts/empty.txt', parts()), 0);
  assert.equal(bucket.objects.get('parts/empty.txt')!.bytes.length, 0);
  const large = Array.from({ length: 9 }, () => randomBytes(1024 * 1024));
  assert.equal(await store.putParts('parts/large.bin', parts(...large)), 9 * 1024 * 1024);
  assert.ok(bucket.objects.get('parts/large.bin')!.bytes.equals(Buffer.concat(large)));
});

const failing = async function* () {
  yield randomBytes(9 * 1024 * 1024);
  throw new Error('the source ended');
};

test('a file that can’t be written completely leaves nothing behind', async () => {
  await assert.rejects(store.putParts('parts/half.bin', failing()), /the source ended/);
  assert.equal(bucket.objects.has('parts/half.bin'), false);
  assert.equal(bucket.asked.at(-1), 'DELETE', 'the upload was given up');
});

test('each request is signed with the secret, which is never sent, and a wrong one is an error that does not reveal it', async () => {
  const wrong = new BucketStore({ ...bucket.settings, secret: 'another secret' });
  await assert.rejects(wrong.put('x/1.txt', Buffer.from('x')), (error: Error) => {
    assert.match(String(error), /SignatureDoesNotMatch|403/);
    assert.doesNotMatch(JSON.stringify([error.message, error.stack, { ...error }]), /another secret/);
    return true;
  });
  assert.equal(bucket.objects.has('x/1.txt'), false);
  await assert.rejects(wrong.get('parts/small.txt'));
});

test('no name leads out of the bucket', async () => {
  const { length } = bucket.asked;
  for (const name of ['../x', 'a/../../x', '/etc/passwd', 'a//b', '.hidden', '', 'a?b', 'x'.repeat(201)])
    for (const act of [() => store.get(name), () => store.put(name, Buffer.from('x')), () => store.remove(name)])
      await assert.rejects(act, RangeError, JSON.stringify(name));
  assert.equal(bucket.asked.length, length, 'nothing was asked');
});

test('the settings name a whole bucket or none, and a wrong one is reported without its secret', () => {
  assert.equal(readConfig({}).bucket, undefined);
  const env = bucket.env;
  assert.deepEqual(readConfig(env).bucket, bucket.settings);
  assert.equal(readConfig({ ...env, BUCKET_REGION: '' }).bucket!.region, 'auto');
  for (const [change, told] of [
    [{ BUCKET_SECRET: '' }, /BUCKET_SECRET must be set where BUCKET_URL and BUCKET_KEY_ID is/],
    [{ BUCKET_URL: '' }, /BUCKET_URL must be set/],
    [{ BUCKET_URL: 'https://s3.example.org' }, /with the name of the bucket/],
    [{ BUCKET_URL: 'https://key:word@s3.example.org/b' }, /with the name of the bucket/],
    [{ BUCKET_URL: 'ftp://s3.example.org/b' }, /must be an address that begins with https/],
  ] as const)
    assert.throws(
      () => readConfig({ ...env, ...change }),
      (error: Error) => told.test(error.message) && !error.message.includes(env.BUCKET_SECRET),
    );
});
