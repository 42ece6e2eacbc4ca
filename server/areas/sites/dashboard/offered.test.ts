/**
 * The screen of the dashboard that offers each operation of the interface, or the reason why none does: nothing is
 * missing from the dashboard unnoticed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOffered } from './test/offered-list.ts';
import { FOR_OTHERS } from './test/not-offered.ts';
import { familyOf, SHELL } from './test/offered.ts';

const list = listOffered();

test('every operation is offered by a screen, or has a reason why not', () => {
  assert.ok(list.length > 600);
  const unknown = list.filter(({ screens, because }) => screens.length === 0 && because === null);
  assert.deepEqual(
    [...new Set(unknown.map(({ operation }) => familyOf(operation)))],
    [],
    'offer it on a screen, or say in test/not-offered.ts why there is none',
  );
});

test('no operation is listed as missing that a screen offers, or that needs no screen', () => {
  const needed = new Set(list.filter(({ because }) => because !== null).map(({ operation }) => familyOf(operation)));
  const settled = new Set(
    list.filter(({ because }) => because !== null && because.isDerived).map(({ operation }) => familyOf(operation)),
  );
  assert.deepEqual(
    Object.keys(FOR_OTHERS).filter((name) => !needed.has(name) || settled.has(name)),
    [],
    'take these out of test/not-offered.ts',
  );
});

const screensOf = (name: string) => list.find(({ operation }) => operation === name)!.screens;

test('operations are found where screens use them, through all of their imports', () => {
  // In a file of the screen, in one that several share, in a table of settings, and in the shell.
  assert.ok(screensOf('POST /customers/{id}/merge').includes('person'));
  assert.ok(screensOf('GET /audit_entries').includes('setting'));
  assert.ok(screensOf('PATCH /billing_settings').includes('setting'));
  assert.ok(screensOf('GET /feed_items/stream').includes(SHELL));
  assert.deepEqual(screensOf('POST /applications/{id}/approve_direct_auth'), []);
});
