import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSpace } from './embedded-space.ts';

test('a new database is refused on a disk with too little space, before any of it is created', () => {
  assert.throws(
    () => checkSpace('/srv/data', () => ({ bavail: 122_000, bsize: 4096 })),
    /only 499 MB free in \/srv\/data; a new database needs 500 MB\. Remedy: free up some space/,
  );
  checkSpace('/srv/data', () => ({ bavail: 123_000, bsize: 4096 }));
});
