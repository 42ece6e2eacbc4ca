import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countUse, exceededLimit } from './daily-limits.ts';

const effect = (name: string, detail: Record<string, unknown> = {}) => ({ effect: name, object: 'x', detail });

test('messages count by person, and each person once', () => {
  const effects = [
    effect('notice_sent', { type: 'event_cancelled' }),
    effect('notice_sent', { type: 'waitlist_offer' }),
    effect('message_sent', { type: 'event_cancelled', people: 6 }),
    effect('send', { recipients: 40 }),
    effect('booked'),
  ];
  assert.equal(countUse(effects, 'USD').messages, 47);
});

test('money in and money out count, and no amount counts twice', () => {
  const effects = [
    effect('payment', { amount: '22.00' }),
    effect('checkout_completed', { total_minor: 2200 }),
    effect('credit_note', { amount: '30.00', to_refund: '10.00', to_credit: '20.00' }),
    effect('refund', { amount: '10.00' }),
    effect('price_given_back', { amount_minor: 500 }),
    effect('credit', { amount: '1.50' }),
  ];
  assert.equal(countUse(effects, 'USD').amount, 2200 + 2000 + 1000 + 500 + 150);
});

test('a change may use all that is left of a limit, and no more', () => {
  const limits = { messages: 10, amount: 1000 };
  const used = { messages: 8, amount: 1000 };
  assert.equal(exceededLimit(limits, used, { messages: 2, amount: 0 }), null);
  assert.equal(exceededLimit(limits, used, { messages: 3, amount: 0 }), 'messages');
  assert.equal(exceededLimit(limits, used, { messages: 0, amount: 1 }), 'amount');
  assert.equal(exceededLimit({ messages: null, amount: null }, used, { messages: 9, amount: 9 }), null);
  assert.equal(exceededLimit({ messages: 5, amount: null }, used, { messages: 0, amount: 9 }), null);
});
