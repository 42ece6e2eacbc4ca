import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, firstKept, monthOf, nameOfMonth, partitionOf } from './months.ts';
import { isFileName } from '../../files/file-store.ts';

test('months are counted from January 2000, and the name of a partition contains its month', () => {
  for (const [month, name] of [
    [0, '2000-01'],
    [11, '2000-12'],
    [12, '2001-01'],
    [322, '2026-11'],
  ] as const) {
    assert.equal(nameOfMonth(month), name);
    assert.equal(monthOf('audit_entry', partitionOf('audit_entry', month)), month);
  }
  for (const other of ['audit_entry_before', 'audit_entry', 'feed_item_2026_11', 'audit_entry_2026_11_id_idx'])
    assert.equal(monthOf('audit_entry', other), null, other);
});

test('the given number of whole months is kept in addition to the current one', () => {
  assert.equal(firstKept(322, 24), 298);
});

test('each part of a month has a file of its own', () => {
  const names = [fileOf('audit_entry', 322, 1), fileOf('audit_entry', 322, 2)];
  assert.deepEqual(names, ['archives/audit_entry/2026-11.gz', 'archives/audit_entry/2026-11-2.gz']);
  assert.ok(names.every(isFileName));
});
