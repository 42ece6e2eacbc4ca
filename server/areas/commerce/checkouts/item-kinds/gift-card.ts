/** A gift card for another person, sent to them by email. */
import { checkSale, sellGiftCards } from '../../gift-cards/index.ts';
import { minorDigits, parseDecimal } from '../../../../kernel/base/values/money.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { ItemKind } from './kind.ts';

export const GIFT_CARD: ItemKind = {
  type: 'GIFT_CARD',
  description:
    'A gift card. `unit_price` is what it is worth. It is sent to the recipient on `deliver_on_date`, or as soon as it is paid. Without `recipient_email`, its code is printed with `POST /gift_cards/{id}/print`. Discount codes take nothing off.',
  needs: [],
  says: {
    properties: ['unit_price', 'recipient', 'recipient_email', 'recipient_name', 'message', 'deliver_on_date', 'image'],
    optional: ['recipient', 'recipient_email', 'recipient_name', 'message', 'deliver_on_date', 'image'],
    read: ({ tenant: { currency } }, sent, issues) => {
      const { unit_price, recipient, recipient_email, recipient_name, message, deliver_on_date, image } = sent;
      const printed = (recipient_email ?? null) === null;
      const needed = printed ? { unit_price } : { unit_price, recipient_name };
      for (const [name, value] of Object.entries(needed))
        if ((value ?? null) === null) issues.add(name, 'This field is required.');
      if (printed && (deliver_on_date ?? null) !== null)
        issues.add(
          'deliver_on_date',
          'Only for a gift card that is sent. Send recipient_email too, or leave this out.',
        );
      const amount = typeof unit_price === 'string' ? parseDecimal(unit_price, currency) : null;
      if (typeof unit_price === 'string' && amount === null)
        issues.add('unit_price', `Must be an amount in ${currency} with ${minorDigits(currency)} decimals.`);
      return {
        gift_recipient_id: (recipient as number | null | undefined) ?? null,
        gift_email: (recipient_email as string | null | undefined) ?? null,
        gift_name: (recipient_name as string | null | undefined) ?? null,
        gift_message: (message as string | null | undefined) || null,
        gift_deliver_on: (deliver_on_date as string | null | undefined) ?? null,
        gift_amount_minor: amount,
        gift_image_id: (image as number | null | undefined) ?? null,
      };
    },
  },
  forWalkIns: true,
  several: true,
  fixed: 'A gift card costs what it is worth. Remove it, and add one with another amount.',
  rank: 3,
  line: () => 'gift_card',
  check: (work, { gift_amount_minor, gift_email, gift_deliver_on, gift_image_id }) =>
    checkSale(work, {
      amount: gift_amount_minor!,
      email: gift_email,
      deliverOn: gift_deliver_on,
      image: gift_image_id,
    }),
  facts: async (work, items) => {
    const { say } = storedTexts(work);
    return new Map(
      items.map((item) => [
        item.id,
        {
          description: item.gift_name === null ? say('gift_card') : say('gift_card.for', { name: item.gift_name }),
          unitPrice: item.gift_amount_minor!,
          recurringPrice: null,
          taxed: { type: 'gift_card', venue: null },
          discounted: null,
          credit: 0,
        },
      ]),
    );
  },
  fulfil: async (work, { checkout, item }) => ({
    object: 'gift_card',
    id: await sellGiftCards(work, {
      purchaser: checkout.customer_id,
      recipient: item.gift_recipient_id,
      email: item.gift_email,
      name: item.gift_name,
      message: item.gift_message,
      amount: item.gift_amount_minor!,
      deliverOn: item.gift_deliver_on,
      image: item.gift_image_id,
      quantity: item.quantity,
    }),
    name: item.description,
  }),
};
