import { checkCatalog } from '../../../test/catalogs.ts';
import { PAYING } from './messages.ts';
import { test } from 'node:test';

test('the pages of a checkout say the same in every language', () => {
  checkCatalog(PAYING, ['nav.home', 'form.wrong', 'sum.total', 'way.test', 'line.free']);
});
