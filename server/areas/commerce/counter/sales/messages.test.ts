import { checkCatalog } from '../../../../test/catalogs.ts';
import { RECEIPT_MESSAGES } from './messages.ts';
import { test } from 'node:test';

test('receipts have the same contents in every language', () => {
  checkCatalog(RECEIPT_MESSAGES, ['at']);
});
