/** Whether a booking needs a membership at all. Pure; what a membership is for is one view of the database. */
export interface Offer {
  /** some membership of the business is for it: one that can be bought, or that somebody holds */
  readonly covered: boolean;
  /** one may come without a membership */
  readonly allowsDropins: boolean;
  /** the business sells memberships */
  readonly sells: boolean;
}

/** What no membership is for is free; what is for members alone needs one as soon as the business has any. */
export const needsMembership = ({ covered, allowsDropins, sells }: Offer): boolean =>
  covered || (sells && !allowsDropins);
