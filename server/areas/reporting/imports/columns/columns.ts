/**
 * The columns of a kind of file, with the names that they have in the exports of other products. To know one more product,
 * add its names; to know one more name, add it too. Letters count, whatever their case, blanks and accents.
 */
export const PRODUCTS = ['mindbody', 'teamup', 'momence', 'glofox'] as const;
export type Product = (typeof PRODUCTS)[number];

export const KINDS = ['customers', 'memberships', 'schedule', 'staff', 'bookings'] as const;
export type KindName = (typeof KINDS)[number];

/** `plain`: as people write it in spreadsheets of their own, in the languages of the dashboard */
export type Names = { readonly [P in Product]?: readonly string[] } & { readonly plain: readonly string[] };

export interface KindColumns {
  /** by property; where a file has several of a name, the property that comes first gets it */
  readonly properties: Readonly<Record<string, Names>>;
  /** of each of these lists, a file needs one */
  readonly needs: readonly (readonly string[])[];
  /** properties whose order of day and month the file must tell */
  readonly dates: readonly string[];
}

/** What is left of a name where only its letters and digits count. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
