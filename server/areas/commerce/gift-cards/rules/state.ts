/** What has become of a gift card, and what can still be done with it. Pure; instants are epoch ms. */
import { addDays } from '../../../../kernel/values/date.ts';

export const STATUSES = ['scheduled', 'delivered', 'redeemed', 'expired', 'voided'] as const;
export type Status = (typeof STATUSES)[number];

export interface Facts {
  readonly delivered_at: number | null;
  readonly redeemed_at: number | null;
  readonly expired_at: number | null;
  readonly voided_at: number | null;
  /** from then on, it can't be redeemed */
  readonly redeem_by: number | null;
}

/** A card whose last day has ended has expired, also before that was written down. */
export function statusOf(card: Facts, now: number): Status {
  if (card.voided_at !== null) return 'voided';
  if (card.redeemed_at !== null) return 'redeemed';
  if (card.expired_at !== null || (card.redeem_by !== null && card.redeem_by <= now)) return 'expired';
  return card.delivered_at === null ? 'scheduled' : 'delivered';
}

/** The last day on which a card can be redeemed that was delivered on a day; null: it never expires. */
export const lastDay = (deliveredOn: string, expiresAfterDays: number | null): string | null =>
  expiresAfterDays === null ? null : addDays(deliveredOn, expiresAfterDays);
