/**
 * The columns of each kind of file, with their names in the exports of other products. To support another product or
 * name, add it here. Names are compared without case, blanks and accents.
 */
export const PRODUCTS = ['mindbody', 'teamup', 'momence', 'glofox'] as const;
export type Product = (typeof PRODUCTS)[number];

export const KINDS = ['customers', 'memberships', 'schedule', 'staff', 'bookings'] as const;
export type KindName = (typeof KINDS)[number];

/** `plain`: names that people use in their own spreadsheets, in the languages of the dashboard */
export type Names = { readonly [P in Product]?: readonly string[] } & { readonly plain: readonly string[] };

export interface KindColumns {
  /** by property; if a name matches several properties, the first one gets the column */
  readonly properties: Readonly<Record<string, Names>>;
  /** lists of alternatives: a file needs one property of each list */
  readonly needs: readonly (readonly string[])[];
  /** properties that require the order of day and month */
  readonly dates: readonly string[];
}

/** Normalizes a name to its letters and digits. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
