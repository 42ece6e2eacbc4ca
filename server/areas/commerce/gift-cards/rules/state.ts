/** What has become of a gift card, and what can still be done with it. Pure; instants are epoch ms. */
import { addDays } from '../../../../kernel/base/values/date.ts';

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

/** Why a card could not be sent: see docs/algorithms/gift-cards.md. */
export const DELIVERY_PROBLEMS = ['bounced', 'complained', 'manual', 'refused'] as const;
export type DeliveryProblem = (typeof DELIVERY_PROBLEMS)[number];

export const DELIVERY_STATUSES = ['scheduled', 'sent', 'failed', 'to_print', 'printed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface DeliveryFacts {
  readonly recipient_email: string | null;
  readonly last_sent_at: number | null;
  readonly printed_at: number | null;
  readonly delivery_problem: DeliveryProblem | null;
}

/** How the code of a card gets to somebody, and how far that has come. */
export function deliveryStatusOf({
  recipient_email,
  last_sent_at,
  printed_at,
  delivery_problem,
}: DeliveryFacts): DeliveryStatus {
  if (delivery_problem !== null) return 'failed';
  if (last_sent_at === null) return recipient_email === null ? 'to_print' : 'scheduled';
  return printed_at === last_sent_at ? 'printed' : 'sent';
}

/** Until somebody else has its code, the buyer can still say where it goes. */
export const isDelivered = (status: DeliveryStatus): boolean => status !== 'sent' && status !== 'printed';

/** The last day on which a card can be redeemed that was delivered on a day; null: it never expires. */
export const lastDay = (deliveredOn: string, expiresAfterDays: number | null): string | null =>
  expiresAfterDays === null ? null : addDays(deliveredOn, expiresAfterDays);
