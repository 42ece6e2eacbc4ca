/**
 * Reasons why a payment or a refund failed, as sentences. Those for customers never reveal more than their bank would.
 * They are stored with the payment in English, and translated when they are read.
 */
import { say, type Said } from '../../../../../kernel/base/values/words.ts';

const DECLINED = say`Your card was declined. Use a different card, or ask your bank why.`;
/** For cards and all other methods. */
const FAILED = say`The payment did not go through. Try again, or choose another way to pay.`;

const DECLINES: Readonly<Record<string, Said>> = {
  insufficient_funds: say`Your card was declined because there is not enough money. Use a different card, or try again later.`,
  expired_card: say`Your card has expired. Use a different card.`,
  incorrect_cvc: say`The security code of your card is wrong. Try again.`,
  incorrect_number: say`The number of your card is wrong. Try again.`,
  card_not_supported: say`Your card can’t be used for this kind of payment. Use a different card.`,
  currency_not_supported: say`Your card can’t be used for this currency. Use a different card.`,
  card_velocity_exceeded: say`Your card was declined because its limit has been reached. Use a different card, or try again later.`,
  withdrawal_count_limit_exceeded: say`Your card was declined because its limit has been reached. Use a different card, or try again later.`,
  processing_error: say`Your bank could not be asked. Try again in a few minutes.`,
  try_again_later: say`Your bank could not be asked. Try again in a few minutes.`,
  issuer_not_available: say`Your bank could not be asked. Try again in a few minutes.`,
};

const CODES: Readonly<Record<string, Said>> = {
  payment_intent_authentication_failure: say`Your bank could not confirm that the payment is yours. Try again, or use a different card.`,
  authentication_required: say`Your bank wants you to confirm the payment. Try again, or use a different card.`,
  amount_too_small: say`This amount is too small to be paid online. Nothing was charged.`,
  amount_too_large: say`This amount is too large to be paid online. Nothing was charged.`,
};

/** Returns the sentence for Stripe's codes; unknown codes have a general one. */
export const declineSentence = (code: string | undefined, declineCode: string | undefined): string =>
  String(
    (declineCode !== undefined ? DECLINES[declineCode] : undefined) ??
      (code !== undefined ? (CODES[code] ?? DECLINES[code]) : undefined) ??
      (code === 'card_declined' ? DECLINED : FAILED),
  );

/**
 * Returns the sentence for a request that Stripe rejected. With an unknown code, there is nothing that the customer
 * could fix.
 */
export const refusedSentence = (code: string | undefined): string =>
  String((code !== undefined ? CODES[code] : undefined) ?? UNAVAILABLE);

const UNAVAILABLE = say`Online payment isn’t available at the moment. Nothing was charged. Try again later, or pay at the desk.`;

export const NOT_THIS_AMOUNT = String(
  say`Exactly this amount can’t be paid online. Nothing was charged. Pay at the desk.`,
);
export const EXPIRED = String(say`The payment page has expired, and nothing was charged. Start again to pay.`);
export const CANCELLED = String(say`The payment was cancelled, and nothing was charged.`);

export const SETUP_EXPIRED = String(say`The page for the card has expired. Start again to save a card.`);
export const NOT_SAVED = String(say`No card can be saved at the moment. Try again later.`);

const REFUNDS: Readonly<Record<string, string>> = {
  expired_or_canceled_card: 'The card has expired or was cancelled.',
  lost_or_stolen_card: 'The card was reported as lost or stolen.',
  insufficient_funds: 'The balance of the Stripe account is too low.',
  charge_for_pending_refund_disputed: 'The customer has disputed the payment with their bank.',
  declined: 'The customer’s bank declined it.',
  merchant_request: 'It was cancelled in the Stripe Dashboard.',
};
const ELSE = 'Refund the money in another way, for example by bank transfer.';

/** Returns the sentence for staff. `reason`: Stripe's `failure_reason`. */
export const refundSentence = (reason: string | undefined): string =>
  `Stripe could not refund the payment. ${REFUNDS[reason ?? ''] ?? 'The customer’s bank did not accept it.'} ${ELSE}`;

const REFUSED_REFUNDS: Readonly<Record<string, string>> = {
  charge_already_refunded: 'The payment was already refunded in full, perhaps in the Stripe Dashboard.',
  charge_disputed: 'The customer has disputed the payment with their bank, so Stripe takes no refund.',
  charge_not_refundable: 'Stripe doesn’t allow refunds of this payment.',
  refund_disputed_payment: 'The customer has disputed the payment with their bank, so Stripe takes no refund.',
};

/** Returns the sentence for staff about a refund that Stripe rejected. */
export const refusedRefundSentence = (code: string | undefined): string =>
  REFUSED_REFUNDS[code ?? ''] ??
  'Stripe did not accept the refund. The request is listed in the Stripe Dashboard, under Developers, Logs.';

export const NOT_THIS_REFUND = `Stripe can’t refund exactly this amount in this currency. ${ELSE}`;
