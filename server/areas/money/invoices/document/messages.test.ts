import { checkCatalog } from '../../../../test/catalogs.ts';
import { INVOICE_MESSAGES } from './messages.ts';
import { test } from 'node:test';

const ALIKE = [
  'line.amount',
  'line.formula',
  'line.times',
  'fact.line',
  'fact.date',
  'party.details',
  'total.subtotal',
];

test('invoices have the same texts in every language', () => {
  checkCatalog(INVOICE_MESSAGES, [
    ...ALIKE,
    'total.total',
    'total.discount',
    'party.to',
    'page.of',
    'column.description',
  ]);
});
