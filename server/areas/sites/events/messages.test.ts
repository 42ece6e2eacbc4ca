import { CATALOG } from './messages.ts';
import { checkCatalog } from '../../../test/catalogs.ts';
import { test } from 'node:test';

test('the page of an event says the same in every language', () => {
  checkCatalog(CATALOG, ['nav.home']);
});
