/** Whether a record that a business keeps of somebody becomes that person's own. */

export interface ClaimFacts {
  /** the account's address, as its key, and whether its owner proved to read its mail */
  readonly address: string;
  readonly confirmed: boolean;
  readonly disabled: boolean;
  /** the record's address, as its key; null: it has none */
  readonly recordAddress: string | null;
  /** somebody has the record already */
  readonly claimed: boolean;
  /** deleted or archived */
  readonly gone: boolean;
  /** the account has another record of the kind at the business */
  readonly hasAnother: boolean;
}

export type ClaimRefusal = 'not_confirmed' | 'disabled' | 'other_address' | 'claimed' | 'gone' | 'has_another';

/** What stands against it at all, by whatever right it is claimed; null: nothing. */
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

/** Claiming by the address alone: it is the record's, and whoever has the account proved to read its mail. */
export function refuseClaim(facts: ClaimFacts): ClaimRefusal | null {
  if (!facts.confirmed) return 'not_confirmed';
  if (facts.recordAddress === null || facts.recordAddress !== facts.address) return 'other_address';
  return refuseTaking(facts);
}
