import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATIONS_DIR, readMigrations } from '../../kernel/base/db/schema/migration-files.ts';
import { readReleased, releasedFaults, withRelease } from './released.ts';

test('no released migration has changed, is missing, or has a new one before it', () => {
  assert.deepEqual(releasedFaults(readReleased(), readMigrations(MIGRATIONS_DIR)), []);
});

const [start, seats, rooms] = ['0001_start', '0002_seats', '0004_rooms'].map((name) => ({
  name,
  checksum: `${name}!`,
}));
const RELEASED = withRelease([], [start, seats], '0.1.0');

test('a release freezes the migrations that it adds, and keeps those of earlier releases as they are', () => {
  assert.deepEqual(RELEASED, [
    { ...start, since: '0.1.0' },
    { ...seats, since: '0.1.0' },
  ]);
  assert.deepEqual(withRelease(RELEASED, [start, seats, rooms], '0.2.0'), [...RELEASED, { ...rooms, since: '0.2.0' }]);
  assert.deepEqual(withRelease(RELEASED, [start, seats], '0.2.0'), RELEASED);
  assert.throws(() => withRelease(RELEASED, [start, { ...seats, checksum: 'x' }, rooms], '0.2.0'), /0002_seats\.sql/);
});

const said = (files: readonly { name: string; checksum: string }[]) => releasedFaults(RELEASED, files).join('\n');

test('a released migration that was changed, removed, renamed or overtaken is named with its release and the remedy', () => {
  assert.equal(said([start, seats, rooms]), '', 'new files are free');
  const changed = said([start, { ...seats, checksum: 'x' }, rooms]);
  assert.match(changed, /^db\/migrations\/0002_seats\.sql has changed\. Release 0\.1\.0 contains it.*Remedy: restore/);
  assert.match(changed, /write the change as a new migration/);
  assert.match(said([start, rooms]), /^db\/migrations\/0002_seats\.sql is missing or has another name\./);
  assert.match(said([start, { name: '0001_z', checksum: '' }, seats]), /0002_seats\.sql is no longer at its place/);
});
