/** What is asked of the processor next, and when. The tables are in docs/algorithms/payments.md. */
import type { PaymentState } from './states.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** For how long a beginning that was not answered is repeated: processors forget idempotency keys after a day. */
export const BEGIN_WITHIN_MS = 12 * HOUR;
/** A customer who did not go on for so long does not come back. */
export const ABANDONED_AFTER_MS = 24 * HOUR;
/** While somebody asks the processor, nobody else does. Longer than any answer takes. */
export const LEASE_MS = MINUTE;
/** A payer who waits has the processor asked at most this often, however often they look. */
export const HURRY_EVERY_MS = 5 * SECOND;
/** The payer's page waits for the answer no longer than this. */
export const HURRY_WITHIN_MS = 8 * SECOND;
/** About four weeks; then a person has to look. */
export const ATTEMPTS_AT_MOST = 60;

const WAITS = [
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

/** How long to wait after this many attempts, ms; null: no more of them. */
export const waitAfter = (attempts: number): number | null =>
  attempts >= ATTEMPTS_AT_MOST ? null : (WAITS[Math.max(attempts, 1) - 1] ?? LAST_WAIT);

/**
 * When to ask again about what failed, so many ms ago: the customer may have paid all the same, and the message that says
 * so may be lost. Null: no more.
 */
export const lookAgainAfter = (sinceFailed: number): number | null =>
  sinceFailed < DAY ? DAY : sinceFailed < 7 * DAY ? 6 * DAY : null;

export interface Underway {
  readonly state: PaymentState;
  /** somebody wants it stopped */
  readonly cancelAsked: boolean;
  /** the processor has told what it knows the payment by */
  readonly known: boolean;
  /** since it was started, ms */
  readonly age: number;
}

export type Step = 'begin' | 'look' | 'cancel';

/** Null: nothing is to be asked. */
export function stepFor({ state, cancelAsked, known, age }: Underway): Step | null {
  if (state === 'succeeded') return null;
  if (state === 'failed') return 'look';
  if (cancelAsked || (state === 'action_required' && age >= ABANDONED_AFTER_MS)) return 'cancel';
  return state === 'started' && !known && age < BEGIN_WITHIN_MS ? 'begin' : 'look';
}
