import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryFee } from './delivery.ts';
import { parseDecimal } from '../../../../kernel/base/values/money.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const amount = (text: string): number | null =>
  text === 'none' || text === 'nothing' ? null : parseDecimal(text, 'CAD')!;

for (const row of workedTable('docs/algorithms/delivery.md', 'Delivery fees'))
  test(`a fee of ${row.fee}, free from ${row['free from']}, for ${row.delivered}: ${row['paid for delivery']}`, () => {
    const rule = { fee: amount(row.fee), freeFrom: amount(row['free from']) };
    assert.equal(deliveryFee(rule, amount(row.delivered)), amount(row['paid for delivery']));
  });
