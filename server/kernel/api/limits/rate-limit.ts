/**
 * Token buckets: `quota` requests at the same time, refilled evenly so that an empty bucket is full again after
 * `windowSeconds`.
 *
 * A bucket is stored as the instant at which it will be full. That is equivalent (tokens = quota − the refill still
 * due), but needs no write while nothing is taken. A bucket whose instant has passed is the same as none, so an idle
 * one can be discarded without loss.
 */

export interface RatePolicy {
  /** Shown to clients in the header fields; printable ASCII. */
  name: string;
  /** Tokens of a full bucket, a positive whole number. */
  quota: number;
  /** Seconds in which an empty bucket fills, a positive whole number. */
  windowSeconds: number;
}

interface Bucket {
  policy: RatePolicy;
  /** Epoch milliseconds; in the past for a full bucket. */
  fullAt: number;
}

export interface RateDecision {
  allowed: boolean;
  /** Whole tokens left after this request. */
  remaining: number;
  /** Seconds, rounded up, until the bucket is full again. */
  resetSeconds: number;
  /** Seconds, rounded up, after which the same request would be allowed; 0 when it was. */
  retryAfterSeconds: number;
}

export interface Taken extends RateDecision {
  /** The bucket afterwards; a refused request takes nothing. */
  bucket: Bucket;
}

/**
 * Refill steps such as 60000/7 ms are not binary fractions; without this slack, a client that obeys Retry-After could
 * be refused again.
 */
const SLACK_MS = 1e-3;

/** Returns a bucket that nothing was taken from yet. Throws RangeError for a policy that could never allow anything. */
export function fullBucket(policy: RatePolicy): Bucket {
  if (!isPositiveWhole(policy.quota) || !isPositiveWhole(policy.windowSeconds)) {
    throw new RangeError(`rate policy "${policy.name}": quota and windowSeconds must be positive whole numbers`);
  }
  return { policy, fullAt: -Infinity };
}

/**
 * Takes `cost` tokens at `now` (epoch milliseconds) if the bucket has them. A cost above the quota needs a full bucket
 * and empties it, so that an expensive request is rare rather than impossible. After the clock is set back, nobody
 * waits longer than one window, or than `windows` of them if the bucket may be overdrawn.
 */
export function take(bucket: Bucket, now: number, cost = 1, windows = 1): Taken {
  if (!(cost >= 0)) throw new RangeError(`cost ${cost} is not a number of tokens`);
  const { quota, windowSeconds } = bucket.policy;
  const windowMs = windowSeconds * 1000;
  const refillMs = windowMs / quota;
  // A higher value can only mean that the clock was set back: the bucket restarts from empty.
  const due = Math.min(Math.max(bucket.fullAt - now, 0), windows * windowMs);
  const dueAfter = due + Math.min(cost, quota) * refillMs;
  const excess = dueAfter - windowMs;
  // A request with cost 0 may read an overdrawn bucket.
  const allowed = excess <= SLACK_MS || cost === 0;
  const left = allowed && cost > 0 ? Math.min(dueAfter, windowMs) : due;
  return {
    bucket: { policy: bucket.policy, fullAt: now + left },
    allowed,
    remaining: Math.max(0, Math.floor((windowMs - left + SLACK_MS) / refillMs)),
    resetSeconds: secondsUp(left),
    retryAfterSeconds: allowed ? 0 : secondsUp(excess),
  };
}

/**
 * Returns the fields of draft-ietf-httpapi-ratelimit-headers, and Retry-After (RFC 9110) on a refusal. Names in lower
 * case.
 */
export function rateLimitHeaders(policy: RatePolicy, decision: RateDecision): Record<string, string> {
  const name = quoted(policy.name);
  const headers: Record<string, string> = {
    'ratelimit-policy': `${name};q=${policy.quota};w=${policy.windowSeconds}`,
    ratelimit: `${name};r=${decision.remaining};t=${decision.resetSeconds}`,
  };
  if (!decision.allowed) headers['retry-after'] = String(decision.retryAfterSeconds);
  return headers;
}

/** Returns a structured-field string (RFC 8941): printable ASCII, backslash and quote escaped. */
function quoted(name: string): string {
  if (!/^[ -~]*$/.test(name)) throw new RangeError('the name of a rate policy must be printable ASCII');
  return `"${name.replace(/["\\]/g, '\\$&')}"`;
}

function secondsUp(ms: number): number {
  return Math.ceil((ms - SLACK_MS) / 1000) || 0;
}

function isPositiveWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
