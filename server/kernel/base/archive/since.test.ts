import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Upgrade, type Since } from './since.ts';

const SINCE: Since = {
  '0017_labels': { rows: { room: ({ name, ...row }) => ({ ...row, label: name }) } },
  '0018_places': { renamed: { room: 'place' }, removed: ['poster'] },
  '0019_sizes': { rows: { place: (row) => ({ ...row, size: 1 }) } },
};

test('rows of an archive get every declared change since it was written, in order, under the later names of tables', () => {
  const all = new Upgrade(['0016_only_adds', '0017_labels', '0018_places', '0019_sizes'], SINCE);
  assert.deepEqual(
    ['room', 'poster', 'venue'].map((table) => all.tableNow(table)),
    ['place', null, 'venue'],
  );
  assert.deepEqual(all.rowNow('room', { id: 1, name: 'Loft' }), { id: 1, label: 'Loft', size: 1 });
  assert.deepEqual(all.rowNow('venue', { id: 1 }), { id: 1 });
  assert.deepEqual([all.changesRows('room'), all.changesRows('venue'), all.isCurrent], [true, false, false]);
});

test('an archive gets only the changes that are later than itself', () => {
  const last = new Upgrade(['0019_sizes'], SINCE);
  assert.deepEqual([last.tableNow('place'), last.tableNow('poster')], ['place', 'poster']);
  assert.deepEqual(last.rowNow('place', { id: 1 }), { id: 1, size: 1 });
  assert.ok(new Upgrade([], SINCE).isCurrent);
});
