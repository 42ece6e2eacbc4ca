/**
 * How often one caller may ask: a person, a machine, or an address without a credential. Kept by each process for
 * itself.
 */
import { chargedNetwork } from './values/network.ts';
import { Problem } from './api/problem.ts';
import { RateLimitStore } from './api/rate-limit-store.ts';
import { rateLimitHeaders, type RatePolicy } from './api/rate-limit.ts';
import type { Grant } from './access/grant.ts';
import type { Viewer } from './access/viewer.ts';

const minute = (name: string, quota: number): RatePolicy => ({ name, quota, windowSeconds: 60 });

export const POLICIES = {
  person: minute('person', 600),
  machine: minute('machine', 6000),
  address: minute('address', 300),
  /** pages for people, by address: a whole studio may be behind one */
  page: minute('page', 300),
  /** everybody of one mode at one business together: staff and programs, customers, strangers */
  business: minute('business', 30_000),
  /** forms that take a password or a code, or send a mail */
  credentials: minute('credentials', 30),
  /** what services elsewhere report to us, by address: few of them report for many businesses */
  messages: minute('messages', 3000),
};

/** A person is one caller, whatever tokens and applications they use. */
const callerOf = ({ kind, userId, credential }: Grant): string =>
  kind === 'person' && userId !== null ? `person:${userId}` : credential;

export class Limits {
  readonly #store = new RateLimitStore();
  readonly #on: boolean;
  readonly #now: () => number;

  constructor(on: boolean, now: () => number) {
    this.#on = on;
    this.#now = now;
  }

  take = (grant: Grant | null, ip: string): Record<string, string> => {
    if (!this.#on) return {};
    return grant
      ? this.#charge(POLICIES[grant.kind], callerOf(grant))
      : this.#charge(POLICIES.address, `address:${chargedNetwork(ip)}`);
  };

  /**
   * Takes one request from what a business has for all of its callers of a mode, however many credentials they have.
   * Counted by mode, so that customers and strangers cannot keep the staff out.
   */
  takeBusiness = ({ providerId, mode }: Pick<Viewer, 'providerId' | 'mode'>): void => {
    if (this.#on) this.#charge(POLICIES.business, `business:${providerId}:${mode}`);
  };

  /** The same for pages: what is asked there counts for itself. */
  takePage = (policy: 'page' | 'credentials' | 'messages', ip: string): Record<string, string> => {
    if (!this.#on) return {};
    return this.#charge(POLICIES[policy], `${policy}:${chargedNetwork(ip)}`);
  };

  #charge(policy: RatePolicy, key: string): Record<string, string> {
    const decision = this.#store.take(key, policy, this.#now());
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
