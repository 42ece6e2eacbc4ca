/** Gift cards as they are stored, and their lock: after invoices and customers, before accounts. */
import { amountText } from '../../../kernel/base/values/money.ts';
import { GIFT_CARD_PROBLEMS } from './problems.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { statusOf } from './rules/state.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import { One, one, say } from '../../../kernel/base/values/words.ts';

/** Amounts are minor units, times epoch milliseconds. */
export type GiftCardRow = Row<'gift_card'>;

/** Locks cards in the order of their ids. */
export const lockGiftCards = (work: Work, ids: readonly number[]): Promise<GiftCardRow[]> =>
  lockRows<GiftCardRow>(work, 'gift_card', ids);

export async function lockGiftCard(work: Work, id: number): Promise<GiftCardRow> {
  const [card] = await lockGiftCards(work, [id]);
  if (!card) throw notFound();
  work.touch('gift_card', card.id, card);
  return card;
}

/** Condition: the card under this alias is neither redeemed, expired nor voided. */
export const isOpen = (t: string): Sql =>
  raw(`${t}.redeemed_at IS NULL AND ${t}.expired_at IS NULL AND ${t}.voided_at IS NULL`);

/** Selects the invoice line that billed the card under this alias, and its invoice. */
export const billedBy = (t: string): Sql =>
  raw(`FROM invoice_line l JOIN invoice i ON i.provider_id = l.provider_id AND i.id = l.invoice_id
    WHERE l.provider_id = ${t}.provider_id AND l.billed_object = 'gift_card'
      AND l.billed_id = coalesce(${t}.with_id, ${t}.id)
      AND l.type = 'gift_card' AND l.credits_line_id IS NULL`);

/** Condition: the invoice of the card is paid, or another product sold it. */
export const isPaid = (t: string): Sql =>
  sql`(${raw(t)}.brought_forward OR EXISTS (SELECT ${billedBy(t)} AND i.status = 'paid'))`;

/** Refuses a card that can't be redeemed or sent, with a text for staff, who see what happened to it. */
export async function checkUsable(work: Work, card: GiftCardRow): Promise<void> {
  const status = statusOf(card, work.now);
  if (status === 'redeemed' || status === 'expired' || status === 'voided') throw ended(card, status);
  const paid = await work.tx.one(
    sql`SELECT FROM gift_card c WHERE c.provider_id = ${work.providerId} AND c.id = ${card.id} AND ${isPaid('c')}`,
  );
  if (!paid)
    throw new Problem(GIFT_CARD_PROBLEMS.gift_card_not_paid, {
      staff: `The invoice of gift card ${card.id} is not paid yet. Record the payment first.`,
      customer: say`This ${one.gift_card} is not paid yet. Ask the person who gave it to you.`,
    });
}

const WHY = {
  redeemed: [GIFT_CARD_PROBLEMS.gift_card_redeemed, 'has already been redeemed'],
  expired: [GIFT_CARD_PROBLEMS.gift_card_expired, 'has expired'],
  voided: [GIFT_CARD_PROBLEMS.gift_card_voided, 'was taken back'],
} as const;

export const ended = ({ id }: GiftCardRow, status: keyof typeof WHY): Problem =>
  new Problem(WHY[status][0], say`${One.gift_card} ${id} ${WHY[status][1]}.`);

export const formatWorth = (work: Work, minor: number): string => amountText({ minor, currency: work.tenant.currency });

/** Returns the common properties of a card's feed items. */
export const about = ({ id, purchaser_id }: Pick<GiftCardRow, 'id' | 'purchaser_id'>) => ({
  gift_card: id,
  customer: purchaser_id,
});
