/** Fields of the forms of gift cards and account credit. */
import { choice, code, date, email, hidden, personalMessage, personName, text } from '../../../kernel/pages/form.ts';
import type { WalletSay } from './messages.ts';

export const giftCodeFields = (say: WalletSay) => ({
  code: code(say('redeem.code'), {
    max: 40,
    hint: say('redeem.hint', { example: 'K7TD-2MQX-9HVB-4RWZ' }),
    autocomplete: 'off',
  }),
});

/** Fields of the form that moves credit within the family. */
export const moveFields = (say: WalletSay, family: readonly (readonly [string, string])[]) => ({
  to: choice(say('credit.to'), family),
  amount: text(say('buy.amount'), { max: 20 }),
  of: hidden(20),
});

/** Fields of the form that starts the purchase of a gift card; `amounts` are pairs of value and label. */
export const giftCardFields = (
  say: WalletSay,
  amounts: readonly (readonly [string, string])[],
  range: string | null,
) => ({
  ...(amounts.length > 0 && { amount: choice(say('buy.amount'), amounts, { optional: range !== null }) }),
  ...(range !== null && {
    other: text(say(amounts.length > 0 ? 'buy.other' : 'buy.amount'), {
      max: 20,
      optional: amounts.length > 0,
      hint: range,
    }),
  }),
  recipient_name: personName(say('buy.recipient'), { max: 200 }),
  recipient_email: email(say('buy.email'), { autocomplete: 'off', optional: true, hint: say('buy.email_hint') }),
  message: personalMessage(say('buy.message'), { max: 500 }),
  deliver_on_date: date(say('buy.on'), { optional: true, hint: say('buy.on_hint') }),
});

/** Fields of the form that sends a gift card to another address. */
export const otherAddressFields = (say: WalletSay) => ({
  recipient_name: personName(say('buy.recipient'), { max: 200 }),
  recipient_email: email(say('buy.email'), { autocomplete: 'off' }),
});
