import assert from 'node:assert/strict';
import { ACCOUNT, DONE, ENTRY, FAMILY, FIELDS, HOLDS, LETTERS, PUSH } from './catalog.ts';
import { checkCatalog } from '../../../test/catalogs.ts';
import { registry } from '../../../app.ts';
import { test } from 'node:test';

test('pages of accounts say the same in every language', () => {
  checkCatalog(ENTRY, []);
  checkCatalog(FIELDS, ['field.code', 'field.password']);
  checkCatalog(DONE, []);
  checkCatalog(FAMILY, []);
  checkCatalog(HOLDS, []);
  checkCatalog(LETTERS, []);
  checkCatalog(PUSH, []);
  checkCatalog(ACCOUNT, ['passkey.title']);
});

test('every notice that people can switch off has a name on their page, and no other does', () => {
  const optional = [...registry().notices.values()].filter((one) => one.optional).map(({ type }) => `notice.${type}`);
  const named = Object.keys(LETTERS.languages.en).filter((key) => key.startsWith('notice.'));
  assert.deepEqual(named.toSorted(), optional.toSorted());
});
