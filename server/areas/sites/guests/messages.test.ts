import { checkCatalog } from '../../../test/catalogs.ts';
import { GUEST } from './messages.ts';
import { test } from 'node:test';

test('the pages of people without an account say the same in every language', () => {
  checkCatalog(GUEST, []);
});
