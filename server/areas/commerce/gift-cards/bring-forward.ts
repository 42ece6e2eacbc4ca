/** Gift cards of a former product: their holders keep the codes, and the business owes what is left on them. */
import { about, lockGiftCards, type GiftCardRow } from './row.ts';
import { addDays, daysBetween } from '../../../kernel/base/values/date.ts';
import { dayOf } from './new-code.ts';
import { giftCardFeed } from './feed.ts';
import { hashOf } from '../../people/identity/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { makeCode } from './code.ts';
import { postAll } from '../../money/ledger/index.ts';
import { startOfDay } from '../../../kernel/base/values/zone.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { walkInCustomer } from '../../people/customers/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Brought {
  /** as `codeElsewhere` returns it */
  readonly code: string;
  /** what is left on it, in minor units, more than 0 */
  readonly amount: number;
  /** YYYY-MM-DD, today at the latest; null: unknown */
  readonly boughtOn: string | null;
  /** YYYY-MM-DD: the last day on which it can be redeemed, today or later; null: it never expires */
  readonly last: string | null;
  readonly recipientEmail: string | null;
  readonly recipientName: string | null;
}

/** A card that has one of these codes. */
export interface Held {
  readonly id: number;
  readonly amount: number;
  /** false: it was sold here */
  readonly brought: boolean;
  readonly redeemed: boolean;
  /** YYYY-MM-DD; null: it never expires */
  readonly last: string | null;
}

/** Returns the cards that have these codes already, by code. */
export async function cardsWithCodes(work: Work, codes: readonly string[]): Promise<Map<string, Held>> {
  const byHash = new Map(codes.map((code) => [hashOf(code), code]));
  const rows = await work.tx.rows<GiftCardRow & { readonly hash: string }>(
    sql`SELECT c.*, encode(c.code_hash, 'hex') AS hash FROM gift_card c
      WHERE c.provider_id = ${work.providerId} AND c.code_hash = ANY(${codes.map(hashOf)}::bytea[])`,
  );
  return new Map(
    rows.map(({ hash, id, amount_minor: amount, brought_forward: brought, redeemed_at, redeem_by }) => [
      byHash.get(`\\x${hash}`)!,
      {
        id,
        amount,
        brought,
        redeemed: redeemed_at !== null,
        last: redeem_by === null ? null : dayOf(work, redeem_by - 1),
      },
    ]),
  );
}

/**
 * Creates cards whose codes no card has, and returns their ids in the same order. They can be redeemed immediately.
 * Nothing is billed or sent, and nothing is earned: their value comes out of `opening_balance`.
 */
export async function bringForward(work: Work, cards: readonly Brought[]): Promise<number[]> {
  if (cards.length === 0) return [];
  const { zone } = work.tenant;
  const [now, today] = [instant(work.now), dayOf(work, work.now)];
  // Nobody knows who bought them: they belong to the customer of sales to people without a name.
  const purchaser = await walkInCustomer(work);
  const each = <T>(of: (card: Brought) => T): T[] => cards.map(of);
  // A card expires at least a day after its delivery, so one that expires today was delivered yesterday at the latest.
  const delivered = ({ boughtOn, last }: Brought): string => {
    const on = boughtOn ?? today;
    return last !== null && last <= on ? addDays(last, -1) : on;
  };
  const deliveredAt = (card: Brought): string | null =>
    instant(delivered(card) === today ? work.now : startOfDay(delivered(card), zone));
  const rows = await work.tx.rows<GiftCardRow>(sql`
    INSERT INTO gift_card (provider_id, brought_forward, purchaser_id, purchased_at, recipient_email, recipient_name,
      amount_minor, deliver_on, expires_after_days, code_hash, delivered_at, last_sent_at, printed_at, redeem_by,
      created_at, updated_at)
    SELECT ${work.providerId}, true, ${purchaser}, bought, email, name, amount, delivered_on, days, hash, delivered,
      delivered, CASE WHEN email IS NULL THEN delivered END, redeem_by, ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(
      ${each(({ boughtOn }) => (boughtOn === null ? now : instant(startOfDay(boughtOn, zone))))}::timestamptz[],
      ${each((card) => card.recipientEmail)}::text[], ${each((card) => card.recipientName)}::text[],
      ${each((card) => card.amount)}::bigint[], ${each(delivered)}::date[],
      ${each((card) => (card.last === null ? null : daysBetween(delivered(card), card.last)))}::int[],
      ${each((card) => hashOf(card.code))}::bytea[], ${each(deliveredAt)}::timestamptz[],
      ${each(({ last }) => (last === null ? null : instant(startOfDay(addDays(last, 1), zone))))}::timestamptz[])
      WITH ORDINALITY AS card (bought, email, name, amount, delivered_on, days, hash, delivered, redeem_by, nth)
    ORDER BY nth RETURNING *`);
  for (const card of rows) {
    work.touch('gift_card', card.id, null);
    work.record(giftCardFeed.created, card.id, about(card));
  }
  await postAll(
    work,
    rows.map(({ id, amount_minor: amount }) => ({
      kind: 'gift_card_brought_forward',
      about: { object: 'gift_card', id },
      explanation: `Gift card ${id} brought forward from another product`,
      lines: [
        { account: 'opening_balance', amount },
        { account: 'gift_card', amount: -amount },
      ],
    })),
  );
  return rows.map(({ id }) => id);
}

/**
 * Takes cards back that nobody has redeemed. Returns the reasons for keeping the others, by id. A card that was taken
 * back no longer has the code, so the file can be imported again.
 */
export async function takeBackBrought(work: Work, ids: readonly number[]): Promise<Map<number, string>> {
  const cards = await lockGiftCards(work, ids);
  const kept = new Map<number, string>();
  for (const { id, redeemed_at, expired_at } of cards)
    if (redeemed_at !== null) kept.set(id, 'was redeemed');
    else if (expired_at !== null) kept.set(id, 'has expired');
  const back = cards.filter(({ id, voided_at }) => !kept.has(id) && voided_at === null);
  for (const card of back) {
    work.touch('gift_card', card.id, card);
    await updateRow(work, 'gift_card', card.id, {
      voided_at: instant(work.now),
      void_explanation: 'The gift card was imported by mistake.',
      // A new code that nobody gets: the database requires one of a card that was delivered.
      code_hash: hashOf(makeCode()),
    });
    work.record(giftCardFeed.voided, card.id, about(card));
  }
  await postAll(
    work,
    back.map(({ id, amount_minor: amount }) => ({
      kind: 'gift_card_import_undone',
      about: { object: 'gift_card', id },
      explanation: `Gift card ${id} was imported by mistake`,
      lines: [
        { account: 'gift_card', amount },
        { account: 'opening_balance', amount: -amount },
      ],
    })),
  );
  return kept;
}
