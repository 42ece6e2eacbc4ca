/**
 * Rate limits of one caller: a person, a machine, or an address without a credential. Counted in the memory of each
 * process; several processes share what they count.
 */
import { chargedNetwork } from '../../base/values/network.ts';
import { Problem } from '../../base/problem.ts';
import { rateLimitHeaders, type RateDecision, type RatePolicy } from './rate-limit.ts';
import { RateLimitStore, type Buckets } from './rate-limit-store.ts';
import type { Grant } from '../../work/access/grant.ts';
import type { Viewer } from '../../work/access/viewer.ts';

const minute = (name: string, quota: number): RatePolicy => ({ name, quota, windowSeconds: 60 });

export const POLICIES = {
  person: minute('person', 600),
  machine: minute('machine', 6000),
  address: minute('address', 300),
  /** one assistant of one person, apart from what the person does: a program that repeats itself stops only itself */
  assistant: minute('assistant', 120),
  /** pages for people, by address: a whole studio may share one */
  page: minute('page', 300),
  /** all callers of one mode at one business: staff and programs, customers, visitors */
  business: minute('business', 30_000),
  /** all assistants at one business, apart from its other callers */
  assistants: minute('assistants', 6000),
  /** forms with a password or a code, or that send an email */
  credentials: minute('credentials', 30),
  /** reports of external services, by address: a few of them report for many businesses */
  messages: minute('messages', 3000),
};

const isAssistant = ({ entrance }: Grant): boolean => entrance !== null && entrance !== 'interface';

/**
 * Returns the key of a caller. A person is one caller, whatever tokens and applications they use, but each of their
 * assistants is one of its own.
 */
const callerOf = (grant: Grant): string => {
  const { kind, userId, applicationId, credential } = grant;
  if (isAssistant(grant)) return `assistant:${userId}:${applicationId}`;
  return kind === 'person' && userId !== null ? `person:${userId}` : credential;
};

export class Limits {
  readonly #on: boolean;
  readonly #now: () => number;
  readonly #buckets: Buckets;

  /** `buckets`: where several processes share them; default: those of this process. */
  constructor(on: boolean, now: () => number, buckets: Buckets = new RateLimitStore()) {
    this.#on = on;
    this.#now = now;
    this.#buckets = buckets;
  }

  take = (grant: Grant | null, ip: string): Record<string, string> => {
    if (!this.#on) return {};
    return grant
      ? this.#charge(POLICIES[isAssistant(grant) ? 'assistant' : grant.kind], callerOf(grant))
      : this.#charge(POLICIES.address, `address:${chargedNetwork(ip)}`);
  };

  /**
   * Counts one request against the limit that a business's callers of one mode share, however many credentials they
   * have. Separate for each mode, so that customers and visitors cannot lock out the staff.
   */
  takeBusiness = ({ providerId, mode }: Pick<Viewer, 'providerId' | 'mode'>): void => {
    if (this.#on) this.#charge(POLICIES.business, `business:${providerId}:${mode}`);
  };

  /** Counts one request at the endpoint for assistants against the limit that all of them share at a business. */
  takeAssistants = ({ providerId }: Pick<Viewer, 'providerId'>): void => {
    if (this.#on) this.#charge(POLICIES.assistants, `assistants:${providerId}`);
  };

  /** Counts a request for a page, independently of the API. */
  takePage = (policy: 'page' | 'credentials' | 'messages', ip: string): Record<string, string> => {
    if (!this.#on) return {};
    return this.#charge(POLICIES[policy], `${policy}:${chargedNetwork(ip)}`);
  };

  /** Counts a request against an endpoint's own limit, even if rate limits are switched off. */
  charge = (policy: RatePolicy, caller: string): RateDecision =>
    this.#buckets.take(`${policy.name}:${caller}`, policy, this.#now());

  #charge(policy: RatePolicy, key: string): Record<string, string> {
    const decision = this.#buckets.take(key, policy, this.#now());
    const headers = rateLimitHeaders(policy, decision);
    if (!decision.allowed)
      throw new Problem(
        'rate_limited',
        `More than ${policy.quota} requests per minute. Try again in ${decision.retryAfterSeconds} s.`,
        {},
        headers,
      );
    return headers;
  }
}
