/** Purchases that would pay for a booking. */
import type { Offer } from '../instead.ts';
import type { Written } from '../messages.ts';

/** Returns what a purchase pays for, and how it goes on. */
export function afterBuying({ say }: Written, { every, committed, visits }: Offer): string {
  if (every !== null) return committed === null ? say('pays.recurring') : say('pays.committed', { n: committed });
  return visits === null ? say('pays.later') : say('pays.pack', { n: visits - 1 });
}
