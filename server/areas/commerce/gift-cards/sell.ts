/** Functions for checkouts that sell gift cards: checking whether a card can be sold, and creating the cards. */
import { about, lockGiftCards, formatWorth, type GiftCardRow } from './row.ts';
import { amountText } from '../../../kernel/base/values/money.ts';
import { giftCardFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { isOffered } from './rules/amount.ts';
import { isMailAddress } from '../../../kernel/base/mail/address.ts';
import { settingsOf, type Settings } from './settings.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';
import { Many, one, say, type Text } from '../../../kernel/base/values/words.ts';

/** A card that somebody wants to buy; `amount` in minor units. */
interface WantedCard {
  readonly amount: number;
  /** null if its code is printed */
  readonly email: string | null;
  /** YYYY-MM-DD; null: as soon as it is paid */
  readonly deliverOn: string | null;
  /** id; null if there is none */
  readonly image?: number | null;
}

/** Maximum time ahead that a card can be delivered. */
const MAX_DAYS_AHEAD_MS = 366 * 86_400_000;

/** Refuses cards that the business doesn't sell, under the caller's property names. */
export async function checkSale(work: Work, { amount, email, deliverOn, image = null }: WantedCard): Promise<void> {
  const settings = await settingsOf(work);
  checkSold(work, settings);
  if (!isOffered(amount, settings)) throw invalid('unit_price', offeredText(work, settings));
  if (email !== null) await checkAddress(work, email);
  if (image !== null && !settings.images.includes(image))
    throw invalid('image', {
      staff: 'Must be one of the image_choices of the gift card settings.',
      customer: 'This picture can’t be chosen. Choose another one.',
    });
  const { zone } = work.tenant;
  if (deliverOn === null) return;
  if (deliverOn < wallAt(work.now, zone).date) throw invalid('deliver_on_date', say`Must be today or later.`);
  if (deliverOn > wallAt(work.now + MAX_DAYS_AHEAD_MS, zone).date)
    throw invalid('deliver_on_date', say`Must be at most a year from now.`);
}

/** Refuses an invalid address, and one that no email would be sent to. */
export async function checkAddress(work: Work, email: string): Promise<void> {
  if (!isMailAddress(email)) throw invalid('recipient_email', say`Must be a valid email address.`);
  const why = await work.registry.notifier.stopped(work, email);
  if (why !== null)
    throw invalid('recipient_email', {
      staff: `${WHY_NOT[why]} Use another address, or leave it out and print the gift card.`,
      customer: say`We can’t send email to this address. Use another one, or leave it empty and print the ${one.gift_card}.`,
    });
}

const WHY_NOT = {
  bounced: 'Earlier email to this address came back, so nothing is sent to it.',
  complained: 'The person took earlier email for spam, so nothing is sent to this address.',
  manual: 'This is one of your suppressed addresses, so nothing is sent to it.',
} as const;

function checkSold(work: Work, { soldByStaff, soldToCustomers }: Settings): void {
  if (work.viewer.mode === 'provider' ? soldByStaff : soldToCustomers) return;
  throw invalid('item_type', {
    staff: 'The business doesn’t sell gift cards here. Turn them on in the gift card settings.',
    customer: say`${Many.gift_card} are not for sale here.`,
  });
}

function offeredText(work: Work, { amounts, range }: Settings): Text {
  const amount = (minor: number) => amountText({ minor, currency: work.tenant.currency });
  const all = amounts.map(amount).join(', ');
  if (!range)
    return amounts.length > 0
      ? say`Must be one of ${all}.`
      : 'Must be one of the amounts of the gift card settings, which has none yet.';
  const [from, to] = [amount(range.smallest), amount(range.largest)];
  return amounts.length > 0
    ? say`Must be one of ${all}, or an amount from ${from} to ${to}.`
    : say`Must be an amount from ${from} to ${to}.`;
}

export interface SoldCard {
  /** ids of customers */
  readonly purchaser: number;
  readonly recipient: number | null;
  readonly email: string | null;
  readonly name: string | null;
  /** to the recipient, from the buyer */
  readonly message?: string | null;
  readonly amount: number;
  readonly deliverOn: string | null;
  readonly image?: number | null;
  readonly quantity: number;
}

/**
 * Creates cards that were just bought, and returns the id of the first: the invoice bills them together, under this id.
 * They are sent once the invoice is paid and their day has come.
 */
export async function sellGiftCards(work: Work, sold: SoldCard): Promise<number> {
  const { expires, expiresAfterDays } = await settingsOf(work);
  const days = expires ? expiresAfterDays : null;
  const on = sold.deliverOn ?? wallAt(work.now, work.tenant.zone).date;
  const first = await insertCards(work, sold, on, days, { count: 1, withId: null });
  const rest = await insertCards(work, sold, on, days, { count: sold.quantity - 1, withId: first[0] });
  const cards: GiftCardRow[] = await lockGiftCards(work, [...first, ...rest]);
  for (const card of cards) {
    work.touch('gift_card', card.id, null);
    work.record(giftCardFeed.created, card.id, about(card));
    work.effect('gift_card', 'gift_card', card.id, {
      amount: formatWorth(work, card.amount_minor),
      recipient_email: card.recipient_email,
      deliver_on_date: card.deliver_on,
    });
  }
  return first[0];
}

async function insertCards(
  work: Work,
  { purchaser, recipient, email, name, message = null, amount, image = null }: SoldCard,
  on: string,
  days: number | null,
  { count, withId }: { count: number; withId: number | null },
): Promise<number[]> {
  if (count === 0) return [];
  const now = instant(work.now);
  const rows = await work.tx.rows<{ id: number }>(sql`
    INSERT INTO gift_card (provider_id, with_id, purchaser_id, purchased_at, recipient_id, recipient_email,
      recipient_name, message,
      amount_minor, image_id, deliver_on, expires_after_days, created_at, updated_at)
    SELECT ${work.providerId}, ${withId}::bigint, ${purchaser}, ${now}::timestamptz, ${recipient}::bigint,
      ${email}, ${name}, ${message},
      ${amount}, ${image}::bigint, ${on}::date, ${days}::int, ${now}::timestamptz, ${now}::timestamptz
    FROM generate_series(1, ${count}::int) RETURNING id`);
  return rows.map(({ id }) => id);
}
