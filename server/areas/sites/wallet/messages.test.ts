import { checkCatalog } from '../../../test/catalogs.ts';
import { test } from 'node:test';
import { WALLET } from './messages.ts';

test('the pages of gift cards, credit and open charges say the same in every language', () => {
  checkCatalog(WALLET, ['nav.home', 'form.wrong', 'owed.total', 'credit.later']);
});
