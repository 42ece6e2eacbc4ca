import { checkCatalog } from '../../../test/catalogs.ts';
import { FRAME } from './messages.ts';
import { test } from 'node:test';

test('the frame of the pages says the same in every language', () => {
  checkCatalog(FRAME, ['nav.home']);
});
