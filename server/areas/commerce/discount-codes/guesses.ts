/** Customers enter few codes. Somebody who tries many is guessing. */
import { chargedNetwork } from '../../../kernel/base/values/network.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { rateLimitHeaders, type RatePolicy } from '../../../kernel/api/limits/rate-limit.ts';
import type { Call } from '../../../kernel/api/calls.ts';

const TEN_MINUTES = 600;
const OF_CUSTOMER: RatePolicy = { name: 'discount_code', quota: 10, windowSeconds: TEN_MINUTES };
/**
 * The limit for a network is higher, because a network may be a whole office, and exists because a person who guesses
 * can create many accounts.
 */
const OF_NETWORK: RatePolicy = { name: 'discount_code_network', quota: 60, windowSeconds: TEN_MINUTES };

/**
 * Counts an entered code, whether or not it is right, and also in a dry run. Staff can read all codes, so theirs aren't
 * counted.
 * @throws Problem `rate_limited`
 */
export function countGuess(
  { work, ip, charge }: Pick<Call, 'work' | 'ip' | 'charge'>,
  code: string | null | undefined,
): void {
  const { mode, customerId, actor } = work.viewer;
  if (code === null || code === undefined || mode === 'provider') return;
  const whom = customerId === null ? actor : `customer ${customerId}`;
  for (const [policy, key] of [
    [OF_CUSTOMER, `${work.providerId}:${whom}`],
    [OF_NETWORK, `${work.providerId}:${chargedNetwork(ip)}`],
  ] as const) {
    const decision = charge(policy, key);
    if (!decision.allowed)
      throw new Problem(
        'rate_limited',
        `Too many codes were entered. Try again in ${Math.ceil(decision.retryAfterSeconds / 60)} minutes.`,
        { discount_code: ['Too many codes were entered.'] },
        rateLimitHeaders(policy, decision),
      );
  }
}
