import { checkCatalog } from '../../../test/catalogs.ts';
import { FILLED_IN } from './messages.ts';
import { test } from 'node:test';

test('what is filled into notices about recurring reservations says the same in every language', () => {
  checkCatalog(FILLED_IN, []);
});
