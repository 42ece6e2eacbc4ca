import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedPermissions, limitsAdmin, losesAdmin, permissionFlags } from './permissions.ts';

const ALL = ['super_admin', 'customers', 'store'] as const;

test('a change of permissions sets and removes the named ones and leaves the rest', () => {
  assert.deepEqual(changedPermissions(ALL, ['store', 'customers'], { customers: false, super_admin: true }), [
    'super_admin',
    'store',
  ]);
  assert.deepEqual(changedPermissions(ALL, ['store'], {}), ['store']);
});

test('a permission that is granted again is stored once', () => {
  assert.deepEqual(changedPermissions(ALL, ['customers'], { customers: true }), ['customers']);
});

test('flags name every permission', () => {
  assert.deepEqual(permissionFlags(ALL, ['customers']), { super_admin: false, customers: true, store: false });
});

test('a super admin can’t be limited to venues, anybody else can', () => {
  assert.equal(limitsAdmin({ permissions: ['super_admin'], venues: [3] }), true);
  assert.equal(limitsAdmin({ permissions: ['super_admin'], venues: [] }), false);
  assert.equal(limitsAdmin({ permissions: ['store'], venues: [3] }), false);
});

const admin = { permissions: ['super_admin'], archived: false };
const CASES: [string, Parameters<typeof losesAdmin>, boolean][] = [
  ['taking super_admin', [admin, { permissions: ['store'], archived: false }], true],
  ['archiving a super admin', [admin, { ...admin, archived: true }], true],
  [
    'taking it from somebody archived',
    [
      { ...admin, archived: true },
      { permissions: [], archived: true },
    ],
    false,
  ],
  ['bringing a super admin back', [{ ...admin, archived: true }, admin], false],
  [
    'archiving somebody else',
    [
      { permissions: ['store'], archived: false },
      { permissions: ['store'], archived: true },
    ],
    false,
  ],
  ['leaving everything', [admin, admin], false],
];
for (const [what, [before, after], loses] of CASES) {
  test(`${what} ${loses ? 'takes' : 'does not take'} a super admin away`, () =>
    assert.equal(losesAdmin(before, after), loses));
}
