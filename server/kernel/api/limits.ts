/**
 * How often one caller may ask: a person, a machine, or an address without a credential. Counted in the memory of each
 * process, which tells the others what it counted: see `SharedBuckets`.
 */
import { hash } from 'node:crypto';
import { chargedNetwork } from '../base/values/network.ts';
import { Problem } from '../base/problem.ts';
import { rateLimitHeaders, type RateDecision, type RatePolicy } from './rate-limit.ts';
import { SharedBuckets } from './shared-buckets.ts';
import type { Grant } from '../work/access/grant.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Viewer } from '../work/access/viewer.ts';

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

/** A name for a caller that others read: it is the same in every process, and says nothing without the secret key. */
export function callerNames(box: SecretBox): (caller: string) => string {
  const key = box.fingerprint('limits', '').toString('base64url');
  return (caller) => hash('sha256', `${key}\n${caller}`, 'base64url').slice(0, NAME_LENGTH);
}

const NAME_LENGTH = 16;

export class Limits {
  readonly buckets = new SharedBuckets();
  readonly #on: boolean;
  readonly #now: () => number;
  readonly #named: (caller: string) => string;

  /** `named`: what a caller is called where other processes read it; a caller may be an address. */
  constructor(on: boolean, now: () => number, named: (caller: string) => string = (caller) => caller) {
    this.#on = on;
    this.#now = now;
    this.#named = named;
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

  /** For what an endpoint limits by itself, also where limits are switched off. */
  charge = (policy: RatePolicy, caller: string): RateDecision =>
    this.buckets.take(this.#named(`${policy.name}:${caller}`), policy, this.#now());

  #charge(policy: RatePolicy, key: string): Record<string, string> {
    const decision = this.buckets.take(this.#named(key), policy, this.#now());
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
