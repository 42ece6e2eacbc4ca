import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinAttributeValues } from './combination.ts';
import { fc } from '../../../../test/properties.ts';
import { availableStock, fellLow, objectionTo, type Reason } from './adjustment.ts';
import { obstacleTo } from './sale.ts';
import { piecesBack } from './pieces.ts';
import { shareOf } from './share.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const PROSE = 'docs/algorithms/stock.md';

for (const row of workedTable(PROSE, 'Adjustments')) {
  test(`${row.reason} ${row.quantity} with ${row.stock} in stock, ${row.held} held, tracked: ${row.tracked}: ${row['against it']}`, () => {
    const stock = { tracked: row.tracked === 'yes', count: Number(row.stock), held: Number(row.held) };
    const quantity = Number(row.quantity);
    const objection = objectionTo(stock, row.reason as Reason, quantity);
    assert.equal(objection?.property ?? 'none', row['against it']);
    assert.equal(String(stock.count + (objection ? 0 : quantity)), row['stock afterwards']);
  });
}

for (const row of workedTable(PROSE, 'What can be sold')) {
  const { store, product, variant, available, wanted } = row;
  test(`store ${store}, product ${product}, variant ${variant}, ${available} of ${wanted}, seen: ${row['seen by customers']}`, () => {
    const facts = {
      storeOpen: store === 'open',
      productForSale: product === 'for sale',
      visible: row['seen by customers'] === 'yes',
      variantForSale: variant === 'for sale',
      available: available === 'not tracked' ? null : Number(available),
    };
    assert.equal(obstacleTo(facts, Number(wanted), false) ?? 'sold', row['to customers']);
    assert.equal(obstacleTo(facts, Number(wanted), true) ?? 'sold', row['to staff']);
  });
}

for (const row of workedTable(PROSE, 'Running low')) {
  test(`from ${row['stock before']} by ${row.change}, threshold ${row.threshold}: notified ${row.notified}`, () => {
    const before = Number(row['stock before']);
    const threshold = row.threshold === 'none' ? null : Number(row.threshold);
    assert.equal(fellLow(before, before + Number(row.change), threshold) ? 'yes' : 'no', row.notified);
  });
}

const minor = (text: string): number => Math.round(Number(text) * 100);

for (const row of workedTable(PROSE, 'What comes back')) {
  test(`returning ${row['returned now']} after ${row['returned before']} of ${row.pieces} for ${row.paid} refunds ${row['given back']}`, () => {
    const [pieces, before, now] = [row.pieces, row['returned before'], row['returned now']].map(Number);
    assert.equal(shareOf(minor(row.paid), pieces, before, now), minor(row['given back']));
  });
}

for (const row of workedTable(PROSE, 'How many come back')) {
  const { bought, restock } = row;
  test(`restocking ${restock} of ${bought} after ${row['returned before']}: ${row['comes back']}`, () => {
    const pieces = { bought: Number(bought), returned: Number(row['returned before']) };
    const back = piecesBack(pieces, restock === 'all' ? undefined : Number(restock));
    assert.equal(typeof back === 'string' ? 'refused' : String(back), row['comes back']);
  });
}

test('all that was paid is refunded when everything is returned, in any parts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
      (paid, parts) => {
        const pieces = parts.reduce((sum, part) => sum + part, 0);
        let [before, back] = [0, 0];
        for (const part of parts) {
          back += shareOf(paid, pieces, before, part);
          before += part;
        }
        assert.equal(back, paid);
      },
    ),
  );
});

test('the values of a variant are one text in any order, and no two sets have the same', () => {
  const [size, color] = [
    { attribute: 1, value: 'L' },
    { attribute: 2, value: 'Red' },
  ];
  assert.equal(joinAttributeValues([size, color]), joinAttributeValues([color, size]));
  assert.equal(joinAttributeValues([]), '');
  assert.notEqual(
    joinAttributeValues([{ attribute: 1, value: 'a" 2="b' }]),
    joinAttributeValues([
      { attribute: 1, value: 'a' },
      { attribute: 2, value: 'b' },
    ]),
  );
});

test('an order takes stock out when it is sold, and puts it back when it is cancelled', () => {
  const stock = { tracked: true, count: 5, held: 2 };
  assert.deepEqual([objectionTo(stock, 'sold', -3), objectionTo(stock, 'cancelled', 3)], [null, null]);
  assert.equal(objectionTo(stock, 'sold', 3)?.property, 'quantity');
  assert.equal(objectionTo(stock, 'cancelled', -3)?.property, 'quantity');
  assert.equal(objectionTo(stock, 'sold', -4)?.property, 'quantity');
  assert.equal(objectionTo(stock, 'correction', 0)?.message, 'Must not be 0.');
});

test('stock that open checkouts hold is not available, and untracked stock is unlimited', () => {
  assert.equal(availableStock({ tracked: true, count: 5, held: 2 }), 3);
  assert.equal(availableStock({ tracked: false, count: 5, held: 2 }), null);
});
