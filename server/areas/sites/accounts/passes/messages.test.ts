import { CATALOG } from './messages.ts';
import { checkCatalog } from '../../../../test/catalogs.ts';
import { test } from 'node:test';

test('passes for the wallets of phones say the same in every language', () => {
  checkCatalog(CATALOG, ['nav.home', 'label.name']);
});
