/** Notices to the buyer and the super admins of a card that could not be sent, or bounced. */
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { dashboardUrl, type StaffNoticeType } from '../../../kernel/work/unit/notices.ts';
import { sayableName } from '../../../kernel/base/values/person-name.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { spokenAmount } from '../../../kernel/base/languages/spoken.ts';
import { cardUrl } from './new-code.ts';
import { UNDELIVERED } from './notice-types.ts';
import { findWalkIn } from '../../people/customers/index.ts';
import type { GiftCardRow } from './row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const UNDELIVERED_TO_STAFF: StaffNoticeType = { type: 'gift_card_undelivered_staff' };

const TEXTS = Catalog.read('messages', 'gift-cards/staff');

/** Notifies once for each attempt. */
export async function notifyUndelivered(work: Work, card: GiftCardRow): Promise<void> {
  const { notifier } = work.registry;
  const key = `${card.id}:${work.now}`;
  const atDesk = (await findWalkIn(work)) === card.purchaser_id;
  const buyer = await work.tx.one<{ name: string }>(
    sql`SELECT concat_ws(' ', first_name, last_name) AS name FROM customer
      WHERE provider_id = ${work.providerId} AND id = ${card.purchaser_id}`,
  );
  await notifier.notifySuperAdmins(work, {
    type: UNDELIVERED_TO_STAFF,
    key,
    write: (reader) => {
      const say = TEXTS.for(reader, work.tenant.words);
      const amount = spokenAmount(reader, { minor: card.amount_minor, currency: work.tenant.currency });
      const what = say('text', { amount, email: card.recipient_email! });
      const whom = atDesk ? say('counter') : say('buyer', { name: sayableName(buyer!.name) });
      return {
        subject: say('subject'),
        text: `${what} ${whom}\n\n${say('next')}\n${dashboardUrl(work, 'store?tab=cards')}`,
        button: say('see'),
      };
    },
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
