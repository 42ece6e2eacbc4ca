/** Reasons why a gift card can't be sold, redeemed, sent, or credited. */
import { defineProblems, Problem } from '../../../kernel/base/problem.ts';
import { one, say } from '../../../kernel/base/values/words.ts';

const type = 'conflict';

export const GIFT_CARD_PROBLEMS = defineProblems({
  gift_card_code_invalid: {
    status: 409,
    type,
    means: 'The code belongs to no gift card that can be redeemed: it is wrong, or the card was used or has expired.',
  },
  gift_card_redeemed: { status: 409, type, means: 'The gift card has already been redeemed.' },
  gift_card_expired: { status: 409, type, means: 'The gift card has expired.' },
  gift_card_voided: {
    status: 409,
    type,
    means: 'The gift card was taken back by a credit note, or its invoice was voided.',
  },
  gift_card_not_paid: { status: 409, type, means: 'The invoice of the gift card is not paid yet.' },
  gift_card_in_part: { status: 409, type, means: 'A gift card is taken back whole, and not in part.' },
});

/** Returns the same refusal for every code that can't be redeemed, so that nobody learns which codes exist. */
export const codeInvalid = (): Problem =>
  new Problem(GIFT_CARD_PROBLEMS.gift_card_code_invalid, {
    staff:
      'No gift card with this code can be redeemed. Compare it with the latest email. If the card was used or has expired, the list of gift cards says so.',
    customer: say`This code can’t be redeemed. Compare it with the email: if you got several for one ${one.gift_card}, only the code in the latest one is valid.`,
  });
