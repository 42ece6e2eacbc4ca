import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declineSentence, refundSentence, refusedRefundSentence, refusedSentence } from './sentences.ts';

test('customers read what they can do, and nothing about a card that its owner should not learn', () => {
  const cases: [code: string | undefined, declineCode: string | undefined, says: RegExp][] = [
    ['card_declined', 'insufficient_funds', /not enough money/],
    ['card_declined', 'generic_decline', /^Your card was declined\. Use a different card/],
    ['card_declined', 'stolen_card', /^Your card was declined\. Use a different card/],
    ['card_declined', 'fraudulent', /^Your card was declined\. Use a different card/],
    ['card_declined', undefined, /^Your card was declined\./],
    ['expired_card', 'expired_card', /has expired/],
    ['incorrect_cvc', undefined, /security code/],
    ['payment_intent_authentication_failure', undefined, /could not confirm/],
    ['payment_intent_payment_attempt_failed', undefined, /^The payment did not go through/],
    [undefined, undefined, /^The payment did not go through/],
  ];
  for (const [code, declineCode, says] of cases) assert.match(declineSentence(code, declineCode), says);
  assert.match(refusedSentence('amount_too_small'), /too small/);
  assert.match(refusedSentence('parameter_unknown'), /Nothing was charged/);
});

test('staff read why a refund failed, and how the customer can get the money nevertheless', () => {
  assert.match(refundSentence('expired_or_canceled_card'), /has expired or was cancelled\. Refund the money/);
  assert.match(refundSentence('unknown'), /did not accept it\. Refund the money/);
  assert.match(refundSentence(undefined), /did not accept it/);
  assert.match(refusedRefundSentence('charge_already_refunded'), /already refunded in full/);
  assert.match(refusedRefundSentence(undefined), /listed in the Stripe Dashboard/);
});
