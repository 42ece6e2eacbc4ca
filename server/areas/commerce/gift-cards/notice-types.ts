/** Notices to buyers of gift cards. */
import { COMMON_FIELDS, type NoticeType } from '../../../kernel/work/unit/notices.ts';
import { A, a, one, say } from '../../../kernel/base/values/words.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';

const field = (name: string, description: string, sample: string) => ({ name, description, sample });

export const UNDELIVERED: NoticeType = {
  number: 97,
  type: 'gift_card_undelivered',
  description: say`${A.gift_card} that was bought could not be sent`,
  email: true,
  sms: false,
  optional: false,
  translations: readTranslations('gift-cards/notices'),
  fields: [
    ...COMMON_FIELDS,
    field('gift_card.amount', 'What it is worth', '$50.00'),
    field('gift_card.recipient', 'Name of the person who gets the gift card', 'Grace'),
    field('gift_card.email', 'The address to which it could not be sent', 'grace@example.com'),
    field('gift_card.url', 'Address of the page with the gift card', 'https://example.com/account/1/gift-cards/7'),
  ],
  subject: say`Your ${one.gift_card} for {{ gift_card.recipient }} could not be sent`,
  body: say`Hi {{ customer.first_name }},

You bought ${a.gift_card} of {{ gift_card.amount }} for {{ gift_card.recipient }}. We couldn’t send it to {{ gift_card.email }}.

Enter another address, or print it:
{{ gift_card.url }}

{{ business.name }}`,
  button: say`Open the ${one.gift_card}`,
  smsBody: say`{{ business.name }}: your ${one.gift_card} for {{ gift_card.recipient }} could not be sent. {{ gift_card.url }}`,
};
