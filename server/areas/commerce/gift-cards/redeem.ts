/** The end of a gift card: it becomes account credit once, revenue if it expires, or nothing if it is credited. */
import {
  about,
  checkUsable,
  ended,
  isOpen,
  lockGiftCard,
  lockGiftCards,
  formatWorth,
  type GiftCardRow,
} from './row.ts';
import { giftCardFeed } from './feed.ts';
import { GIFT_CARD_PROBLEMS } from './problems.ts';
import { giveCredit, type AccountReason } from '../../money/account-entries/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { lockAccounts, postAll } from '../../money/ledger/index.ts';
import { lockCustomers } from '../../people/customers/index.ts';
import { statusOf } from './rules/state.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { wholeCards } from './rules/amount.ts';
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import type { LineTakenBack, SoldWhole } from '../../money/invoices/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A card is redeemed once: the database refuses a second entry. */
export const GIFT_CARD: AccountReason = {
  name: 'gift_card',
  description: 'A gift card that was redeemed.',
  subject: 'gift_card',
  revenue: null,
  against: 'gift_card',
  once: true,
};

/** Redeems a card to the customer's account credit. Refuses a card that can't be redeemed. */
export async function redeem(work: Work, id: number, customer: number): Promise<void> {
  const [person] = await lockCustomers(work, [customer], 'KEY SHARE');
  if (!person || person.deleted_at !== null) throw invalid('customer', 'The customer was deleted.');
  const card = await lockGiftCard(work, id);
  await checkUsable(work, card);
  await updateRow(work, 'gift_card', id, { redeemed_at: instant(work.now), redeemed_by_id: customer });
  await lockAccounts(work, [customer]);
  await giveCredit(work, {
    customer,
    amount: card.amount_minor,
    explanation: worthText(work, card).slice(0, 1000),
    reason: GIFT_CARD,
    subject: id,
  });
  work.record(giftCardFeed.redeemed, id, { ...about(card), redeemed_by: customer });
}

function worthText(work: Work, { amount_minor: minor, recipient_name: name }: GiftCardRow): string {
  const { say, amount } = storedTexts(work);
  return name
    ? say('gift_card.worth.for', { amount: amount(minor), name })
    : say('gift_card.worth', { amount: amount(minor) });
}

/** Recognizes the value of expired cards as revenue. The cards are locked and open. */
export async function expire(work: Work, cards: readonly GiftCardRow[]): Promise<void> {
  if (cards.length === 0) return;
  const ids = cards.map(({ id }) => id);
  for (const card of cards) work.touch('gift_card', card.id, card);
  await work.tx.run(
    sql`UPDATE gift_card SET expired_at = ${instant(work.now)}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`,
  );
  await postAll(
    work,
    cards.map(({ id, amount_minor: amount }) => ({
      kind: 'gift_card_expired',
      about: { object: 'gift_card', id },
      explanation: `Gift card ${id} expired without being redeemed`,
      lines: [
        { account: 'gift_card', amount },
        { account: 'revenue', detail: 'gift_card', amount: -amount },
      ],
    })),
  );
  for (const card of cards) {
    work.record(giftCardFeed.expired, card.id, about(card));
    work.effect('gift_card_expired', 'gift_card', card.id, {});
  }
}

/** A credited invoice line takes its cards with it: those that nobody has redeemed, the latest first. */
export const giftCardsSold: SoldWhole = {
  name: 'gift_card',
  description: 'Gift cards.',
  resource: 'gift_card',
  takeBack: async (work, lines, why) => {
    const cards = await cardsOf(work, lines);
    for (const line of lines) await takeBack(work, line, cards, why);
  },
};

/** Locks and returns all cards of these lines. */
async function cardsOf(work: Work, lines: readonly LineTakenBack[]): Promise<GiftCardRow[]> {
  const first = lines.map(({ billed }) => billed);
  const ids = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM gift_card WHERE provider_id = ${work.providerId}
      AND (id = ANY(${first}::bigint[]) OR with_id = ANY(${first}::bigint[]))`,
  );
  return lockGiftCards(
    work,
    ids.map(({ id }) => id),
  );
}

async function takeBack(
  work: Work,
  { billed, amount, description }: LineTakenBack,
  all: readonly GiftCardRow[],
  why: string,
): Promise<void> {
  const cards = all.filter(({ id, with_id }) => billed !== null && (id === billed || with_id === billed));
  // A line without cards was written by a program that doesn't sell any.
  if (cards.length === 0) return;
  const worth = cards[0].amount_minor;
  const count = wholeCards(amount, worth);
  if (count === null)
    throw new Problem(
      GIFT_CARD_PROBLEMS.gift_card_in_part,
      `A gift card is taken back whole: “${description}” is worth ${formatWorth(work, worth)} each, before fees and taxes.`,
    );
  const left = cards.filter((card) => card.redeemed_at === null && card.expired_at === null && card.voided_at === null);
  if (left.length < count) throw firstEnded(work, cards);
  for (const card of left.toReversed().slice(0, count)) await voidCard(work, card, why);
}

const firstEnded = (work: Work, cards: readonly GiftCardRow[]): Problem => {
  const card = cards.find(({ redeemed_at, expired_at }) => redeemed_at !== null || expired_at !== null) ?? cards[0];
  const status = statusOf(card, work.now);
  return ended(card, status === 'redeemed' || status === 'expired' ? status : 'voided');
};

async function voidCard(work: Work, card: GiftCardRow, why: string): Promise<void> {
  work.touch('gift_card', card.id, card);
  await updateRow(work, 'gift_card', card.id, { voided_at: instant(work.now), void_explanation: why });
  work.record(giftCardFeed.voided, card.id, about(card));
  work.effect('gift_card_voided', 'gift_card', card.id, {});
}

/** Locks and returns cards whose last day has ended, at most `most`. */
export const lockExpired = ({ tx, providerId, now }: Work, most: number): Promise<GiftCardRow[]> =>
  tx.rows<GiftCardRow>(
    sql`SELECT c.* FROM gift_card c WHERE c.provider_id = ${providerId} AND c.redeem_by <= ${instant(now)}::timestamptz
      AND ${isOpen('c')}
        ORDER BY c.id LIMIT ${most} FOR NO KEY UPDATE`,
  );
