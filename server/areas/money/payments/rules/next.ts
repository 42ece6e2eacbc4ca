/** Rules for the next request to the processor, and its time. The tables are in docs/algorithms/payments.md. */
import type { PaymentState } from './states.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Time during which `begin` is repeated without a response: processors forget idempotency keys after a day. */
const BEGIN_WITHIN_MS = 12 * HOUR;
/** Time after which a customer who has not continued is taken to have abandoned the payment. */
const ABANDONED_AFTER_MS = 24 * HOUR;
/** Time during which the process that calls the processor has the payment to itself. Longer than any call takes. */
export const LEASE_MS = MINUTE;
/** Minimum interval between requests on behalf of a waiting payer, however often they look. */
export const HURRY_EVERY_MS = 5 * SECOND;
/** Time that the payer's page waits for the response at most. */
export const HURRY_WITHIN_MS = 8 * SECOND;
/** About four weeks; after that, a person has to look at it. */
const MAX_ATTEMPTS = 60;

const PAUSES = [
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
];
const LAST_WAIT = 12 * HOUR;

/** Returns the delay in milliseconds after this many attempts; null if there are no more. */
export const waitAfter = (attempts: number): number | null =>
  attempts >= MAX_ATTEMPTS ? null : (PAUSES[Math.max(attempts, 1) - 1] ?? LAST_WAIT);

/**
 * Returns the delay before asking again about a payment that failed `sinceFailed` milliseconds ago: the customer may
 * have paid nevertheless, and the message about it may be lost. Null if there is no further request.
 */
export const lookAgainAfter = (sinceFailed: number): number | null =>
  sinceFailed < DAY ? DAY : sinceFailed < 7 * DAY ? 6 * DAY : null;

interface Underway {
  readonly state: PaymentState;
  /** somebody has asked to cancel it */
  readonly cancelAsked: boolean;
  /** the processor's id of the payment is known */
  readonly known: boolean;
  /** time since the start, in milliseconds */
  readonly age: number;
}

export type Step = 'begin' | 'look' | 'cancel';

/** Returns the next request to the processor; null if none is needed. */
export function stepFor({ state, cancelAsked, known, age }: Underway): Step | null {
  if (state === 'succeeded') return null;
  if (state === 'failed') return 'look';
  if (cancelAsked || (state === 'action_required' && age >= ABANDONED_AFTER_MS)) return 'cancel';
  return state === 'started' && !known && age < BEGIN_WITHIN_MS ? 'begin' : 'look';
}
