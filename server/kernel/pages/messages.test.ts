import { checkCatalog } from '../../test/catalogs.ts';
import { FORM_MESSAGES, PAGE_MESSAGES } from './messages.ts';
import { test } from 'node:test';

test('form errors are translated into every language', () => {
  checkCatalog(FORM_MESSAGES, ['form.wrong']);
});

test('the frame and the error pages are translated into every language', () => {
  checkCatalog(PAGE_MESSAGES, []);
});
