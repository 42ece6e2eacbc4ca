import { checkCatalog } from '../../../test/catalogs.ts';
import { test } from 'node:test';
import { TIMES } from './messages.ts';

test('the pages of free times say the same in every language', () => {
  checkCatalog(TIMES, ['nav.home', 'times.minutes', 'time.date']);
});
