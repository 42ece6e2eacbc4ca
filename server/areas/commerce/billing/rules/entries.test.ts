/** The entries that an invoice collects from an account: the table of the written algorithm, and its invariants. */
import assert from 'node:assert/strict';
import { entriesFor, type Entry } from './entries.ts';
import { fc } from '../../../../test/properties.ts';
import { test } from 'node:test';
import { workedTable } from '../../../../test/worked-table.ts';

const TODAY = '2026-12-01';
const minor = (text: string) => Math.round(Number(text) * 100);
const entriesIn = (text: string): Entry[] =>
  text === ''
    ? []
    : text.split(', ').map((one, id) => {
        const [kind, amount, day] = one.split(' ');
        return {
          id,
          kind: kind as Entry['kind'],
          amount: minor(amount),
          dueOn: day === 'tomorrow' ? '2026-12-02' : TODAY,
        };
      });
const valueOf = ({ kind, amount }: Entry) => (kind === 'charge' ? amount : -amount);

test('an invoice collects the entries of the written algorithm', () => {
  for (const row of workedTable('docs/algorithms/renewal-billing.md', 'How much')) {
    const price = minor(row['the period']);
    const taken = entriesFor(entriesIn(row['open on the account']), TODAY, price);
    const said = taken.map(({ kind, amount }) => `${kind} ${(amount / 100).toFixed(2)}`).join(', ');
    assert.equal(said, row['the invoice collects'], row['open on the account']);
    const total = taken.reduce((sum, entry) => sum + valueOf(entry), price);
    assert.equal((total / 100).toFixed(2), row['comes to']);
  }
});

test('an invoice is never below 0, and has every charge that is due and nothing else', () => {
  const entry = fc.record({
    id: fc.nat(),
    kind: fc.constantFrom('charge', 'credit'),
    amount: fc.integer({ min: 1, max: 9000 }),
    dueOn: fc.constantFrom('2026-11-30', TODAY, '2026-12-02'),
  });
  fc.assert(
    fc.property(fc.array(entry), fc.nat(10_000), (entries, price) => {
      const all = entries as Entry[];
      const taken = entriesFor(all, TODAY, price);
      assert.ok(taken.reduce((sum, one) => sum + valueOf(one), price) >= 0);
      assert.ok(taken.every(({ dueOn }) => dueOn <= TODAY));
      const charges = (of: readonly Entry[]) => of.filter(({ kind, dueOn }) => kind === 'charge' && dueOn <= TODAY);
      assert.equal(charges(taken).length, charges(all).length);
    }),
  );
});
