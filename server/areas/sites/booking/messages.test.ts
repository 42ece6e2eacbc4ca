import { CATALOG } from './messages.ts';
import { checkCatalog } from '../../../test/catalogs.ts';
import { test } from 'node:test';

test('the booking site says the same in every language', () => {
  checkCatalog(CATALOG, ['nav.home', 'timetable.week', 'filter.title']);
});
