import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takePayments, type Offered } from './tender.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const minor = (text: string): number => Math.round(Number(text) * 100);
const decimal = (amount: number): string => (amount / 100).toFixed(2);

/** `cash 10.00/50.00`, `card` */
function offered(text: string): Offered {
  const [, way, amount, tendered] = /^(cash|card)(?: ([\d.]*)(?:\/([\d.]+))?)?$/.exec(text)!;
  return {
    cash: way === 'cash',
    amount: amount ? minor(amount) : null,
    tendered: tendered === undefined ? null : minor(tendered),
  };
}

test('payments are taken as in the worked table, or refused with the amount left', () => {
  for (const line of workedTable('docs/algorithms/cash-sessions.md', 'Worked payments')) {
    const all = line.payments === '' ? [] : line.payments.split(', ').map(offered);
    const taken = takePayments(minor(line.due), all);
    if ('why' in taken) {
      if (taken.why !== 'missing') assert.equal(taken.why, line.taken, JSON.stringify(line));
      assert.equal(decimal(taken.left), line.left, JSON.stringify(line));
      continue;
    }
    const joined = (of: 'amount' | 'change') => taken.map((one) => decimal(one[of])).join(' + ');
    assert.deepEqual([joined('amount'), joined('change'), '0.00'], [line.taken, line.change, line.left]);
  }
});
