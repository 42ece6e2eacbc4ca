/** A card that could not be sent, or came back: its buyer is notified, and the super admins. */
import { cardUrl } from './new-code.ts';
import { COMMON_FIELDS, type NoticeType, type StaffNoticeType } from '../../../kernel/notices.ts';
import { findWalkIn } from '../../people/customers/index.ts';
import { A, a, one, say } from '../../../kernel/values/words.ts';
import { worthOf, type GiftCardRow } from './row.ts';
import type { Work } from '../../../kernel/work.ts';

const field = (name: string, description: string, sample: string) => ({ name, description, sample });

export const UNDELIVERED: NoticeType = {
  number: 97,
  type: 'gift_card_undelivered',
  description: say`${A.gift_card} that was bought could not be sent`,
  email: true,
  sms: false,
  optional: false,
  fields: [
    ...COMMON_FIELDS,
    field('gift_card.amount', 'What it is worth', '$50.00'),
    field('gift_card.recipient', 'Name of the person who gets the gift card', 'Grace'),
    field('gift_card.email', 'The address to which it could not be sent', 'grace@example.com'),
    field('gift_card.url', 'Address of the page with the gift card', 'https://example.com/account/1/gift-cards/7'),
  ],
  subject: say`Your ${one.gift_card} for {{ gift_card.recipient }} could not be sent`,
  body: say`Hi {{ customer.first_name }},

you bought ${a.gift_card} of {{ gift_card.amount }} for {{ gift_card.recipient }}. We couldn’t send it to {{ gift_card.email }}.

Enter another address, or print it:
{{ gift_card.url }}

{{ business.name }}`,
  button: say`Open the ${one.gift_card}`,
  smsBody: say`{{ business.name }}: your ${one.gift_card} for {{ gift_card.recipient }} could not be sent. {{ gift_card.url }}`,
};

export const UNDELIVERED_TO_STAFF: StaffNoticeType = {
  type: 'gift_card_undelivered_staff',
  subject: 'A gift card could not be sent',
};

/** Once for each try. */
export async function tellUndelivered(work: Work, card: GiftCardRow): Promise<void> {
  const { notifier } = work.registry;
  const key = `${card.id}:${work.now}`;
  const atDesk = (await findWalkIn(work)) === card.purchaser_id;
  const what = `Gift card ${card.id} of ${worthOf(work, card.amount_minor)} could not be delivered to ${card.recipient_email}.`;
  const whom = atDesk
    ? 'It was bought at the counter by a customer whose address is not known.'
    : 'The customer who bought it was notified, and can send it to another address or print it.';
  await notifier.notifySuperAdmins(work, {
    type: UNDELIVERED_TO_STAFF,
    key,
    text: `${what} ${whom}\n\nGET /gift_cards/${card.id} says why. Correct the address with PATCH /gift_cards/${card.id}, or print it with POST /gift_cards/${card.id}/print.`,
  });
  if (atDesk) return;
  await notifier.notify(work, [
    {
      type: UNDELIVERED,
      customer: card.purchaser_id,
      key,
      values: {
        'gift_card.amount': worthOf(work, card.amount_minor),
        'gift_card.recipient': card.recipient_name,
        'gift_card.email': card.recipient_email,
        'gift_card.url': cardUrl(work, card.id),
      },
    },
  ]);
}
