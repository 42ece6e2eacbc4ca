/** Rules for sharing a customer membership: docs/algorithms/sharing.md. Pure. */
export interface SharingFacts {
  /** staff, the holder (or the manager of the family, if a child holds it), or somebody else who sees it */
  readonly by: 'staff' | 'holder' | 'other';
  readonly status: 'active' | 'hold' | 'completed' | 'cancelled';
  /** true if the business lets holders share it */
  readonly shareable: boolean;
}

export type SharingRefusal = 'not_yours' | 'not_shareable' | 'cancelled' | 'completed';

/** Returns the objection to sharing it, if any. */
export function againstSharing({ by, status, shareable }: SharingFacts): SharingRefusal | null {
  if (by === 'other') return 'not_yours';
  if (status === 'completed' || status === 'cancelled') return status;
  return by === 'holder' && !shareable ? 'not_shareable' : null;
}

/**
 * Returns the objection to ending the access of `people`: the holder decides for all, and everybody else for themselves
 * and those they act for.
 */
export const againstEnding = (
  by: SharingFacts['by'],
  people: readonly { readonly theirs: boolean }[],
  family: boolean,
): SharingRefusal | null =>
  by === 'other' && (family || people.some((person) => !person.theirs)) ? 'not_yours' : null;
