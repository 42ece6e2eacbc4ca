/** A new code for a card, however it is delivered. The previous code is no longer valid. */
import { addDays } from '../../../kernel/base/values/date.ts';
import { hashOf } from '../../people/identity/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lastDay } from './rules/state.ts';
import { makeCode } from './code.ts';
import { startOfDay, wallAt } from '../../../kernel/base/values/zone.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { GiftCardRow } from './row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface NewCode {
  readonly code: string;
  /** YYYY-MM-DD: the last day on which it can be redeemed; null if it never expires */
  readonly last: string | null;
}

export const dayOf = (work: Work, at: number): string => wallAt(at, work.tenant.zone).date;

/**
 * Creates a code. The redemption period starts with the first delivery; sending or printing the card again doesn't
 * extend it.
 */
export const newCode = (work: Work, { delivered_at: first, expires_after_days }: GiftCardRow): NewCode => ({
  code: makeCode(),
  last: lastDay(dayOf(work, first ?? work.now), expires_after_days),
});

/** Saves the new code of a locked card. `mail`: the token of the email that contains it. */
export async function keepCode(
  work: Work,
  card: GiftCardRow,
  { code, last }: NewCode,
  how: { readonly printed: true } | { readonly mail: string },
): Promise<void> {
  work.touch('gift_card', card.id, card);
  const now = instant(work.now);
  await updateRow(work, 'gift_card', card.id, {
    code_hash: hashOf(code),
    last_sent_at: now,
    printed_at: 'printed' in how ? now : undefined,
    mail_hash: 'mail' in how ? hashOf(how.mail) : null,
    delivery_problem: null,
    delivery_failed_at: null,
    ...(card.delivered_at === null && {
      delivered_at: now,
      redeem_by: last === null ? null : instant(startOfDay(addDays(last, 1), work.tenant.zone)),
    }),
  });
}

/** A business, and the address of its pages. */
export type AtBusiness = Pick<Work, 'providerId'> & { readonly installation: Pick<Work['installation'], 'baseUrl'> };

/** Returns the address of the page on which customers redeem a code. */
export const redeemUrl = ({ installation, providerId }: AtBusiness): string =>
  `${installation.baseUrl}/account/${providerId}/gift-card`;

/** Returns the address of the page on which the buyer sees a card, prints it, or enters another address. */
export const cardUrl = (work: Work, id: number): string => `${redeemUrl(work)}s/${id}`;

export const nameOf = async (
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  customer: number,
): Promise<string | null> =>
  (
    await tx.one<{ name: string | null }>(
      sql`SELECT nullif(concat_ws(' ', first_name, last_name), '') AS name FROM customer
        WHERE provider_id = ${providerId} AND id = ${customer}`,
    )
  )?.name ?? null;
