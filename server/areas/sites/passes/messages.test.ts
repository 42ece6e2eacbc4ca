import { CATALOG } from './messages.ts';
import { checkCatalog } from '../../../test/catalogs.ts';
import { test } from 'node:test';

test('wallet passes say the same in every language', () => {
  checkCatalog(CATALOG, ['nav.home', 'label.name']);
});
