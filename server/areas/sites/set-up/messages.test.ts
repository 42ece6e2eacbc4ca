import { checkCatalog } from '../../../test/catalogs.ts';
import { SET_UP } from './messages.ts';
import { test } from 'node:test';

test('the setup says the same in every language', () => {
  checkCatalog(SET_UP, []);
});
