/** Status of a gift card, and what can still be done with it. Pure; times are epoch milliseconds. */
import { addDays } from '../../../../kernel/base/values/date.ts';

export const STATUSES = ['scheduled', 'delivered', 'redeemed', 'expired', 'voided'] as const;
type Status = (typeof STATUSES)[number];

interface Facts {
  readonly delivered_at: number | null;
  readonly redeemed_at: number | null;
  readonly expired_at: number | null;
  readonly voided_at: number | null;
  /** time from which it can't be redeemed */
  readonly redeem_by: number | null;
}

/** Returns the status. A card whose last day has ended is expired, even before that is recorded. */
export function statusOf(card: Facts, now: number): Status {
  if (card.voided_at !== null) return 'voided';
  if (card.redeemed_at !== null) return 'redeemed';
  if (card.expired_at !== null || (card.redeem_by !== null && card.redeem_by <= now)) return 'expired';
  return card.delivered_at === null ? 'scheduled' : 'delivered';
}

/** Reasons why a card could not be sent: see docs/algorithms/gift-cards.md. */
export const DELIVERY_PROBLEMS = ['bounced', 'complained', 'manual', 'refused'] as const;
export type DeliveryProblem = (typeof DELIVERY_PROBLEMS)[number];

export const DELIVERY_STATUSES = ['scheduled', 'sent', 'failed', 'to_print', 'printed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

interface DeliveryFacts {
  readonly recipient_email: string | null;
  readonly last_sent_at: number | null;
  readonly printed_at: number | null;
  readonly delivery_problem: DeliveryProblem | null;
}

/** Returns how the code of a card is delivered, and its progress. */
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

/** Returns whether the buyer can still change the recipient: until somebody else has the code. */
export const isDelivered = (status: DeliveryStatus): boolean => status !== 'sent' && status !== 'printed';

/** Returns the last day on which a card delivered on a given day can be redeemed; null if it never expires. */
export const lastDay = (deliveredOn: string, expiresAfterDays: number | null): string | null =>
  expiresAfterDays === null ? null : addDays(deliveredOn, expiresAfterDays);
