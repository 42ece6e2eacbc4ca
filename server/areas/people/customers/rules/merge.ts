/**
 * Decisions about merging two customers who are one person: pure, explained in docs/algorithms/merging.md. `kept` is
 * the customer that remains, `merged` the one that becomes a tombstone.
 */

export interface Place {
  readonly family: number | null;
  readonly role: 'manager' | 'child' | null;
}

export type FamilyDecision =
  | { readonly refused: string }
  /**
   * the family of the kept customer afterwards, and whether the other members of the merged one's family move with it
   */
  | { readonly place: Place; readonly bringsFamily: boolean };

/**
 * Decides the family. A person is in one family. Duplicate records don't make a child a parent, nor a parent a child of
 * its own family.
 */
export function familyAfter(kept: Place, merged: Place): FamilyDecision {
  if (merged.family === null) return { place: kept, bringsFamily: false };
  if (kept.family === null) return { place: merged, bringsFamily: false };
  if (kept.family === merged.family) {
    return kept.role === merged.role
      ? { place: kept, bringsFamily: false }
      : { refused: "One of them manages the other's family: a parent and a child are two people." };
  }
  if (kept.role === 'child' && merged.role === 'manager')
    return {
      refused:
        'The customer to keep is a child in one family, and the other one manages another family. Keep that one instead.',
    };
  return { place: kept, bringsFamily: merged.role === 'manager' };
}

/** Returns what the business may send to a person with two consents: only what both records allow. */
export const mayStillSend = (kept: boolean, merged: boolean): boolean => kept && merged;
