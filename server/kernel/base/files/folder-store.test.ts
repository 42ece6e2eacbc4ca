import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { FolderStore } from './folder-store.ts';

const root = mkdtempSync(join(tmpdir(), 'rollcall-files-'));
after(() => rmSync(root, { recursive: true, force: true }));
const store = new FolderStore(join(root, 'files'));

test('a stored file is read again, replaced, listed and removed, and a missing one is null', async () => {
  assert.equal(await store.get('a/b/1.txt'), null);
  assert.deepEqual(await store.list('a/b'), []);
  await store.put('a/b/1.txt', Buffer.from('one'));
  await store.put('a/b/1.txt', Buffer.from('two'));
  await store.put('a/b/2.txt', Buffer.from('other'));
  assert.equal(String(await store.get('a/b/1.txt')), 'two');
  assert.deepEqual((await store.list('a/b')).map(({ name }) => name).toSorted(), ['1.txt', '2.txt']);
  assert.deepEqual(readdirSync(join(root, 'files', 'a', 'b')).toSorted(), ['1.txt', '2.txt'], 'nothing else is left');
  await store.remove('a/b');
  await store.remove('a/b');
  assert.equal(await store.get('a/b/2.txt'), null);
});

test('a file that can’t be written completely leaves nothing behind', async () => {
  await store.put('c/folder/inside', Buffer.from('x'));
  await assert.rejects(store.put('c/folder', Buffer.from('x')));
  assert.deepEqual(readdirSync(join(root, 'files', 'c')), ['folder']);
});

test('the next large file removes day-old remains of killed processes, and nothing that is being written', async () => {
  await store.putParts('d/1', Readable.from(['whole']));
  const [left, written] = ['.left', '.written'].map((name) => join(root, 'files', 'd', name));
  for (const path of [left, written]) writeFileSync(path, 'a part');
  const longAgo = new Date(statSync(written).mtimeMs - 25 * 3_600_000);
  utimesSync(left, longAgo, longAgo);
  await store.putParts('d/2', Readable.from(['whole']));
  assert.deepEqual(readdirSync(join(root, 'files', 'd')).toSorted(), ['.written', '1', '2']);
});

test('no name leads out of the folder', async () => {
  for (const name of [
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    'a\\b',
    '.hidden',
    'a/.b',
    '',
    'a\0b',
    'x'.repeat(201),
  ])
    for (const act of [
      () => store.get(name),
      () => store.put(name, Buffer.from('x')),
      () => store.remove(name),
      () => store.list(name),
    ])
      await assert.rejects(act, RangeError, JSON.stringify(name));
  assert.ok(!existsSync(join(root, 'x')));
});
