/** Notices to the buyer and the super admins of a card that could not be sent, or bounced. */
import { spokenAmount } from '../../../kernel/base/languages/spoken.ts';
import { cardUrl } from './new-code.ts';
import { UNDELIVERED } from './notice-types.ts';
import type { StaffNoticeType } from '../../../kernel/work/unit/notices.ts';
import { findWalkIn } from '../../people/customers/index.ts';
import { formatWorth, type GiftCardRow } from './row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const UNDELIVERED_TO_STAFF: StaffNoticeType = {
  type: 'gift_card_undelivered_staff',
  subject: 'A gift card could not be sent',
};

/** Notifies once for each attempt. */
export async function notifyUndelivered(work: Work, card: GiftCardRow): Promise<void> {
  const { notifier } = work.registry;
  const key = `${card.id}:${work.now}`;
  const atDesk = (await findWalkIn(work)) === card.purchaser_id;
  const what = `Gift card ${card.id} of ${formatWorth(work, card.amount_minor)} could not be delivered to ${card.recipient_email}.`;
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
      values: (reader) => ({
        'gift_card.amount': spokenAmount(reader, { minor: card.amount_minor, currency: work.tenant.currency }),
        'gift_card.recipient': card.recipient_name,
        'gift_card.email': card.recipient_email,
        'gift_card.url': cardUrl(work, card.id),
      }),
    },
  ]);
}
