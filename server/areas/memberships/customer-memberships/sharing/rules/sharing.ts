/** Who may let others use what somebody holds: docs/algorithms/sharing.md. Pure. */
export interface SharingFacts {
  /** staff, who holds it (or manages the family of a child that does), or somebody else who sees it */
  readonly by: 'staff' | 'holder' | 'other';
  readonly status: 'active' | 'hold' | 'completed' | 'cancelled';
  /** the business lets those who hold it share it */
  readonly shareable: boolean;
}

export type SharingRefusal = 'not_yours' | 'not_shareable' | 'cancelled' | 'completed';

/** What is against sharing it. */
export function againstSharing({ by, status, shareable }: SharingFacts): SharingRefusal | null {
  if (by === 'other') return 'not_yours';
  if (status === 'completed' || status === 'cancelled') return status;
  return by === 'holder' && !shareable ? 'not_shareable' : null;
}

/**
 * What is against ending that `people` use it: who holds it decides, and everybody for themselves and those that they
 * act for.
 */
export const againstEnding = (
  by: SharingFacts['by'],
  people: readonly { readonly theirs: boolean }[],
  family: boolean,
): SharingRefusal | null =>
  by === 'other' && (family || people.some((person) => !person.theirs)) ? 'not_yours' : null;
