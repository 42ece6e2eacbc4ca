import { checkCatalog } from '../../../test/catalogs.ts';
import { FILLED_IN } from './messages.ts';
import { test } from 'node:test';

test('values in notices about recurring reservations say the same in every language', () => {
  checkCatalog(FILLED_IN, []);
});
