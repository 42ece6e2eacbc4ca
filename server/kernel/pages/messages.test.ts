import { checkCatalog } from '../../test/catalogs.ts';
import { FORM_MESSAGES, PAGE_MESSAGES } from './messages.ts';
import { test } from 'node:test';

test('forms say what is wrong with them in every language', () => {
  checkCatalog(FORM_MESSAGES, ['form.wrong']);
});

test('what stands around pages, and what went wrong, is said in every language', () => {
  checkCatalog(PAGE_MESSAGES, []);
});
