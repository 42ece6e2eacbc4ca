/**
 * The rule for bookings that need a membership. Pure; a view of the database lists the offerings that a membership is
 * for.
 */
export interface Offer {
  /** true if a membership of the business is for it: one that can be bought, or that somebody holds */
  readonly covered: boolean;
  /** true if customers may come without a membership */
  readonly allowsDropins: boolean;
  /** true if the business sells memberships */
  readonly sells: boolean;
}

/**
 * Returns true if a booking needs a membership. An offering that no membership is for is free; one for members only
 * needs a membership as soon as the business has any.
 */
export const needsMembership = ({ covered, allowsDropins, sells }: Offer): boolean =>
  covered || (sells && !allowsDropins);
