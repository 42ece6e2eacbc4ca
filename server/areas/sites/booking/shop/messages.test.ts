import { checkCatalog } from '../../../../test/catalogs.ts';
import { SHOP } from './messages.ts';
import { test } from 'node:test';

test('the pages of the shop say the same in every language', () => {
  checkCatalog(SHOP, ['nav.home', 'timetable.week', 'filter.title', 'home.contact.or', 'form.wrong']);
});
