import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsAmong, permissionsFor, UNLIMITED, withinLimits } from './assistant-limits.ts';
import { PERMISSIONS } from '../../staff/permissions.ts';

const owner = { permissions: ['super_admin'], venues: null };
const desk = { permissions: ['attendances', 'pos'], venues: [1, 2] };

test('without limits, an assistant has what its person has', () => {
  assert.deepEqual(withinLimits(owner, UNLIMITED), owner);
  assert.deepEqual(withinLimits(desk, UNLIMITED), desk);
});

test('it has the chosen groups at the chosen venues, and never more than its person', () => {
  const classes = { permissions: permissionsFor(['classes']), venues: null };
  assert.deepEqual(withinLimits(desk, classes), { permissions: ['attendances'], venues: [1, 2] });
  assert.ok(!withinLimits(owner, classes)!.permissions.includes('super_admin'));
  assert.deepEqual(withinLimits(desk, { permissions: null, venues: [2, 3] }), { ...desk, venues: [2] });
  assert.deepEqual(withinLimits(desk, { permissions: [], venues: null }), { permissions: [], venues: [1, 2] });
  // A list of venues that would be empty must not mean every venue.
  assert.equal(withinLimits(desk, { permissions: null, venues: [3] }), null);
  const limited = withinLimits(owner, { permissions: null, venues: [3] })!;
  assert.ok(!limited.permissions.includes('super_admin') && limited.permissions.includes('manage_events'));
  assert.deepEqual(limited.venues, [3]);
});

test('every permission of staff is in one group, and everything is no limit', () => {
  for (const permission of PERMISSIONS) assert.equal(groupsAmong([permission]).length > 0, true, permission);
  assert.deepEqual(groupsAmong(['pos', 'customers']), ['customers', 'money']);
  assert.equal(permissionsFor(['classes', 'everything']), null);
});
