/**
 * Memberships of a person that can pay for a booking. Each is tried with a dry run, because only booking itself knows
 * all the rules.
 */
import { effectsOf } from './effects.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { Ask, Effect, Entry } from './ask.ts';

/** A membership that can pay for the booking. */
export interface Payer {
  readonly id: number;
  readonly name: string;
  /** uses before the booking; null: unlimited */
  readonly left: number | null;
  /** uses that the booking takes */
  readonly takes: number;
  /** last day; null: none, or it begins with this use */
  readonly ends: string | null;
}

/** Memberships beyond these are chosen in the account, or at the business. */
export const MAX_PAYERS = 6;

const FIELDS = 'id,name,expiration_date';

type Owned = Entry<'GET /customer_memberships', typeof FIELDS>;

/** Returns the active memberships that the person can use, without those that nothing was tried with. */
export async function usableMemberships(ask: Ask, customer: number): Promise<readonly Owned[]> {
  const { results } = await ask('GET /customer_memberships', {
    query: { owned_or_shared_with_customer: customer, status: 'active', fields: FIELDS, page_size: MAX_PAYERS },
  });
  return results;
}

/**
 * Returns the membership as a payer; null if it doesn't pay.
 * @param dryRun the dry run of a booking that names the membership
 */
export async function payerIn(
  { id, name, expiration_date: ends }: Owned,
  dryRun: Promise<{ readonly effects: readonly Effect[] }>,
): Promise<Payer | null> {
  try {
    const uses = effectsOf((await dryRun).effects, 'membership_used').filter(({ id: used }) => used === id);
    if (uses.length === 0) return null;
    const after = uses.flatMap(({ detail }) => (typeof detail.uses_left === 'number' ? [detail.uses_left] : []));
    const left = after.length === 0 ? null : Math.min(...after) + uses.length;
    return { id, name, left, takes: uses.length, ends };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
