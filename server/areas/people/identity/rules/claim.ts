/** Decides if a business's record of somebody becomes that person's own. */

export interface ClaimFacts {
  /** the account's address, as its key; whether its owner has confirmed it */
  readonly address: string;
  readonly confirmed: boolean;
  readonly disabled: boolean;
  /** the record's address, as its key; null if it has none */
  readonly recordAddress: string | null;
  /** the record is claimed already */
  readonly claimed: boolean;
  /** deleted or archived */
  readonly gone: boolean;
  /** the account has another record of the kind at the business */
  readonly hasAnother: boolean;
}

export type ClaimRefusal = 'not_confirmed' | 'disabled' | 'other_address' | 'claimed' | 'gone' | 'has_another';

/** Returns what prevents the claim, whatever entitles the person to it; null if nothing does. */
export function refuseTaking({
  disabled,
  claimed,
  gone,
  hasAnother,
}: Omit<ClaimFacts, 'address' | 'confirmed' | 'recordAddress'>): ClaimRefusal | null {
  if (disabled) return 'disabled';
  if (gone) return 'gone';
  if (claimed) return 'claimed';
  return hasAnother ? 'has_another' : null;
}

/**
 * Returns what prevents a claim by the address alone: the record must have that address, and the owner of the account
 * must have confirmed it.
 */
export function refuseClaim(facts: ClaimFacts): ClaimRefusal | null {
  if (!facts.confirmed) return 'not_confirmed';
  if (facts.recordAddress === null || facts.recordAddress !== facts.address) return 'other_address';
  return refuseTaking(facts);
}
