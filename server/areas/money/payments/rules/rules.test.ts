import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disputeAfter, paymentAfter, PAYMENT_STATES, refundAfter, type PaymentState } from './states.ts';
import { fc } from '../../../../test/properties.ts';
import { lookAgainAfter, stepFor, waitAfter } from './next.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const DOCUMENT = 'docs/algorithms/payments.md';
const HOUR = 3_600_000;
const UNITS: Record<string, number> = { s: 1000, min: 60_000, h: HOUR };

const ms = (text: string): number | null => {
  if (text === 'no more') return null;
  const [n, unit] = text.split(' ');
  return Number(n) * UNITS[unit];
};

const hears = (heading: string, after: (known: any, heard: any) => string, states: number): void => {
  const rows = workedTable(DOCUMENT, heading);
  assert.equal(rows.length, states, 'every state with everything that can be heard');
  for (const row of rows) assert.equal(after(row.known, row.heard), row['known then'], JSON.stringify(row));
};

test('states of payments, refunds and disputes change with each report as in the tables', () => {
  hears('Hearing something about a payment', paymentAfter, 20);
  hears('Hearing something about a refund', refundAfter, 12);
  hears('Hearing something about a dispute', disputeAfter, 9);
});

const end = (all: readonly PaymentState[]): PaymentState => all.reduce(paymentAfter, 'started');

test("the order and the number of reports don't matter", () => {
  const received = fc.array(fc.constantFrom(...PAYMENT_STATES), { minLength: 1 });
  fc.assert(
    fc.property(received, fc.nat(), (all, n) => {
      const turned = [...all.slice(n % all.length), ...all.slice(0, n % all.length), ...all].toReversed();
      assert.equal(end(turned), end(all));
    }),
  );
});

test('the next request to the processor is as in the table', () => {
  for (const row of workedTable(DOCUMENT, 'What is asked next')) {
    const step = stepFor({
      state: row.state as never,
      cancelAsked: row['cancel asked'] === 'yes',
      known: row['known to the processor'] === 'yes',
      age: Number(row['hours since the start']) * HOUR,
    });
    assert.equal(step ?? 'nothing', row.asked, JSON.stringify(row));
  }
});

test('delays grow as in the tables, and end', () => {
  const [asking, failed] = [
    workedTable(DOCUMENT, 'When it is asked'),
    workedTable(DOCUMENT, 'Once more after a failure'),
  ];
  for (const row of asking) assert.equal(waitAfter(Number(row['attempts so far'])), ms(row.wait), JSON.stringify(row));
  for (const row of failed)
    assert.equal(lookAgainAfter(Number(row['hours since it failed']) * HOUR), ms(row.wait), JSON.stringify(row));
  const weeks = Array.from({ length: 59 }, (_, n) => waitAfter(n + 1)!).reduce((a, b) => a + b) / (7 * 24 * HOUR);
  assert.ok(weeks > 3 && weeks < 5, `${weeks} weeks`);
});
