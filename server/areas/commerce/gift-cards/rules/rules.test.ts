import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { isOffered, wholeCards } from './amount.ts';
import { deliveryStatusOf, lastDay, statusOf, type DeliveryProblem } from './state.ts';
import { codeElsewhere, comparedCode, normalCode, spelled } from './code.ts';
import { parseDecimal } from '../../../../kernel/base/values/money.ts';
import { pauseAfter, type Whose } from './attempts.ts';
import { startOfDay } from '../../../../kernel/base/values/zone.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const FILE = 'docs/algorithms/gift-cards.md';
const ZONE = 'America/Toronto';
const minor = (text: string): number => parseDecimal(text, 'CAD')!;
const none = <T>(text: string, read: (text: string) => T): T | null => (text === 'none' ? null : read(text));

test('a gift card has one of the values that the business offers', () => {
  for (const row of workedTable(FILE, 'Worked amounts')) {
    const amounts = none(row.amounts, (text) => text.split(', ').map(minor)) ?? [];
    const range = none(row.range, (text) => {
      const [smallest, largest] = text.split(' to ').map(minor);
      return { smallest, largest };
    });
    assert.equal(isOffered(minor(row.amount), { amounts, range }), row.offered === 'yes', JSON.stringify(row));
  }
});

test('a gift card expires when its last day has ended in the business’s calendar', () => {
  for (const row of workedTable(FILE, 'Worked states')) {
    const days = row['days to redeem'] === 'never' ? null : Number(row['days to redeem']);
    const sent = row.sent === 'no' ? null : row.sent;
    const last = sent && lastDay(sent, days);
    assert.equal(last ?? 'none', row['last day'], JSON.stringify(row));
    const card = {
      delivered_at: sent && startOfDay(sent, ZONE),
      redeem_by: last && startOfDay(addDays(last, 1), ZONE),
      redeemed_at: null,
      expired_at: null,
      voided_at: null,
    };
    assert.equal(statusOf(card as never, Date.parse(row.now)), row.status, JSON.stringify(row));
  }
});

test('decisions about a card take precedence over its dates', () => {
  const over = { delivered_at: 1, redeem_by: 2, redeemed_at: null, expired_at: null, voided_at: null };
  assert.equal(statusOf({ ...over, redeemed_at: 1 }, 5), 'redeemed');
  assert.equal(statusOf({ ...over, voided_at: 1 }, 5), 'voided');
  assert.equal(statusOf({ ...over, redeem_by: null, expired_at: 1 }, 5), 'expired');
});

test('codes are accepted in any way that people write them', () => {
  for (const row of workedTable(FILE, 'Worked codes'))
    assert.equal(normalCode(row.entered) ?? 'no code', row['read as'], row.entered);
  assert.equal(normalCode(spelled('K7TD2MQX9HVB4RWZ')), 'K7TD2MQX9HVB4RWZ');
});

test('codes of other products are accepted in any way that people write them, if nobody can guess them', () => {
  for (const row of workedTable(FILE, 'Worked codes of other products')) {
    const read = codeElsewhere(row['in the file']);
    assert.equal('code' in read ? read.code : read.fault, row['read as'], row['in the file']);
    if ('code' in read) assert.equal(comparedCode(row['in the file']), read.code);
  }
  assert.equal(comparedCode('K7TD-2MQX-9HVB-4RWZ'), 'K7TD2MQX9HVB4RWZ');
  assert.equal(comparedCode('1234'), null);
});

test('the pause after wrong codes doubles up to a quarter of an hour', () => {
  for (const row of workedTable(FILE, 'Worked pauses'))
    assert.equal(
      pauseAfter(Number(row['wrong codes']), row.of as Whose),
      Number(row['pause in seconds']),
      JSON.stringify(row),
    );
});

test('only whole cards are credited', () => {
  for (const row of workedTable(FILE, 'Worked parts')) {
    const cards = wholeCards(minor(row['taken back']), minor(row['worth of each']));
    assert.equal(cards === null ? 'not whole' : String(cards), row.cards, JSON.stringify(row));
  }
});

for (const row of workedTable(FILE, 'Worked deliveries')) {
  test(`a card with address ${row.address}, problem ${row.problem}, sent ${row.sent}, printed ${row.printed} is ${row['delivery status']}`, () => {
    const at = row.sent === 'yes' ? 1 : null;
    const status = deliveryStatusOf({
      recipient_email: row.address === 'yes' ? 'ada@example.com' : null,
      last_sent_at: at,
      printed_at: row.printed === 'yes' ? at : null,
      delivery_problem: row.problem === 'none' ? null : (row.problem as DeliveryProblem),
    });
    assert.equal(status, row['delivery status']);
  });
}
