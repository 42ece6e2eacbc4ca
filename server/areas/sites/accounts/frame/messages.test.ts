import { checkCatalog } from '../../../../test/catalogs.ts';
import { FRAME } from './messages.ts';
import { test } from 'node:test';

test('what stands around pages says the same in every language', () => {
  checkCatalog(FRAME, ['nav.home']);
});
