import { ACCOUNT, DONE, ENTRY, FIELDS, HOLDS } from './catalog.ts';
import { checkCatalog } from '../../../test/catalogs.ts';
import { test } from 'node:test';

test('pages of accounts say the same in every language', () => {
  checkCatalog(ENTRY, []);
  checkCatalog(FIELDS, ['field.code', 'field.password']);
  checkCatalog(DONE, []);
  checkCatalog(HOLDS, []);
  checkCatalog(ACCOUNT, ['passkey.title']);
});
