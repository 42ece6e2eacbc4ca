import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseDropIn, dueAfter, givesBack, type Ended } from './drop-in.ts';
import { feesOf, minor } from '../../../../pricing/fees/test/worked.ts';
import { priceLines } from '../../../../pricing/fees/index.ts';
import { wordingFor } from '../../../../../kernel/base/values/wording.ts';
import { workedTable } from '../../../../../test/worked-table.ts';
import { storedTexts } from '../../../../../kernel/work/unit/stored-texts.ts';
import { DEFAULT_WORDS } from '../../../../../kernel/base/values/words.ts';

const DOC = 'docs/algorithms/drop-ins.md';
const currency = 'CAD';

workedTable(DOC, 'Worked bookings').forEach((row, i) => {
  const fees = row['fees and taxes'];
  test(`drop-in ${i + 1}: ${row['list price']} with ${fees}: ${row['refused with'] || row.pays || 'nothing'}`, () => {
    const listPrice = minor({ currency }, row['list price']);
    const { totals } = priceLines([{ listPrice, fees: feesOf({ 'fees and taxes': fees, currency }) }]);
    const costs = row['drop-ins'] === 'yes' && listPrice > 0;
    const { chosen, refusal } = chooseDropIn({
      price: costs ? { currency, listPrice, total: totals.total } : null,
      paidBy: row['paid by'] ? Number(row['paid by']) : null,
      settled: row.settled === 'yes',
    });
    assert.equal(String(chosen ?? ''), row.pays);
    assert.equal(refusal?.code ?? '', row['refused with']);
    assert.equal(refusal ? wordingFor('customer', refusal.message, DEFAULT_WORDS) : '', row.message);
    if (refusal)
      assert.match(
        wordingFor('staff', refusal.message, DEFAULT_WORDS),
        /^The event costs \$[\d.]+.*checkout.*charged to the account\.$/,
      );
  });
});

test('if nobody may see the price, the refusal names no amount', () => {
  const price = { currency, listPrice: 2200, total: null };
  const { refusal, facts } = chooseDropIn({ price, paidBy: null, settled: false });
  assert.equal(
    wordingFor('customer', refusal!.message, DEFAULT_WORDS),
    'This event has to be paid for. Pay on its page.',
  );
  assert.equal(facts.total_price, null);
});

const tenant = { providerId: 1, zone: 'Europe/London', currency: 'GBP', words: DEFAULT_WORDS };
const stored = storedTexts({ tenant });

for (const row of workedTable(DOC, 'What comes back')) {
  test(`a drop-in that ended by ${row['ended by']}: ${row['the credit note says'] || 'the price is kept'}`, () => {
    const ended = row['ended by'] as Ended;
    assert.equal(givesBack(ended) ? 'yes' : 'no', row['comes back']);
    assert.equal(givesBack(ended) ? stored.say(`given_back.${ended}`) : '', row['the credit note says']);
  });
}

test('a charge is due when the day of the event is over, and at once where it is over already', () => {
  assert.equal(dueAfter('2026-07-15', '2026-07-01'), '2026-07-16');
  assert.equal(dueAfter('2026-07-15', '2026-07-15'), '2026-07-16');
  assert.equal(dueAfter('2026-07-15', '2026-07-20'), '2026-07-20');
  assert.equal(dueAfter('2026-12-31', '2026-12-31'), '2027-01-01');
});
