/** Gift cards: one row each. */
import { anyOf, nameOf, oneOfThese, within } from './common.ts';
import { boolean, date, email, id, instant, money, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { column, report } from '../report.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';

const STATUSES = ['scheduled', 'delivered', 'redeemed', 'expired', 'voided'] as const;
const STATUS = `CASE WHEN g.voided_at IS NOT NULL THEN 'voided' WHEN g.redeemed_at IS NOT NULL THEN 'redeemed'
  WHEN g.expired_at IS NOT NULL THEN 'expired' WHEN g.delivered_at IS NOT NULL THEN 'delivered' ELSE 'scheduled' END`;

const purchaser = column(id(), 'g.purchaser_id', 'ID of the customer who bought it.', { alias: 'purchaser_pk' });

export const giftCardsReport = report('gift_cards', {
  title: 'gift cards',
  description: 'Gift cards: who bought them for whom, and what became of them.',
  who: ['revenue', 'store'],
  from: 'gift_card g',
  joins: { c: raw('JOIN customer c ON c.provider_id = g.provider_id AND c.id = g.purchaser_id') },
  id: 'g.id',
  venue: null,
  columns: {
    id: column(id(), 'g.id', 'ID of the gift card.'),
    purchased_at: column(instant(), 'g.purchased_at', 'When it was bought.'),
    purchaser_id: purchaser,
    purchaser_name: column(text(), nameOf('c'), 'Name of the customer who bought it.'),
    recipient_email: column(email(), 'g.recipient_email', 'Email address to which it is sent.', { for: ['customers'] }),
    recipient_name: column(text(), 'g.recipient_name', 'Name of the person who gets it.'),
    amount: column(money(), 'g.amount_minor', 'Value of the gift card.'),
    redeem_by: column(
      instant(),
      'g.redeem_by',
      'End of the last day on which it can be redeemed; empty if it never expires, or was not delivered yet.',
    ),
    deliver_on_date: column(date(), 'g.deliver_on', 'Day on which it is sent.'),
    is_delivered: column(boolean(), '(g.delivered_at IS NOT NULL)', 'It was sent.'),
    delivered_at: column(instant(), 'g.delivered_at', 'When it was first sent.'),
    is_redeemed: column(boolean(), '(g.redeemed_at IS NOT NULL)', 'It has become account credit.'),
    redeemed_at: column(instant(), 'g.redeemed_at', 'When it became account credit.'),
    status: column(oneOf(STATUSES), STATUS, 'Status.'),
    is_paid: column(boolean(), '(NOT false)', 'Always true: a gift card exists once it is paid.'),
  },
  sort: '-purchased_at',
  customer: 'purchaser_id',
  filters: {
    ...within('purchased_at', 'g.purchased_at'),
    purchasers: anyOf('g.purchaser_id'),
    status: oneOfThese(['scheduled', 'delivered', 'redeemed', 'expired'], STATUS),
  },
});
