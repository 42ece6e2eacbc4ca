/** A card that could not be sent: its buyer is notified, or the super admins if a walk-in customer bought it. */
import { spokenAmount } from '../../../kernel/languages/spoken.ts';
import { cardUrl } from './new-code.ts';
import { UNDELIVERED } from './notice-types.ts';
import type { StaffNoticeType } from '../../../kernel/notices.ts';
import { findWalkIn } from '../../people/customers/index.ts';
import { worthOf, type GiftCardRow } from './row.ts';
import type { Work } from '../../../kernel/work.ts';

export const UNDELIVERED_TO_STAFF: StaffNoticeType = {
  type: 'counter_gift_card_undelivered',
  subject: 'A gift card could not be sent',
};

/** Once for each try. */
export async function tellUndelivered(work: Work, card: GiftCardRow): Promise<void> {
  const { notifier } = work.registry;
  const key = `${card.id}:${work.now}`;
  if ((await findWalkIn(work)) === card.purchaser_id)
    return notifier.notifySuperAdmins(work, {
      type: UNDELIVERED_TO_STAFF,
      key,
      text: `Gift card ${card.id} of ${worthOf(work, card.amount_minor)} was bought at the counter, and could not be sent to the address that was given there.\n\nGET /gift_cards/${card.id} says why. Correct the address with PATCH /gift_cards/${card.id}, or print it with POST /gift_cards/${card.id}/print.`,
    });
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
