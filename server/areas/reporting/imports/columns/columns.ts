/**
 * The columns of each kind of file, with their names in the exports of other products. To support another product or
 * name, add it here. Names are compared without case, blanks and accents.
 */
export const PRODUCTS = ['mindbody', 'teamup', 'momence', 'glofox'] as const;
export type Product = (typeof PRODUCTS)[number];

/** Names of columns that only this product uses: without one of them, it isn't recognised. */
export const PECULIAR: Readonly<Record<Product, readonly string[]>> = {
  mindbody: [
    'Barcode ID',
    'EmailName',
    'Pricing Option',
    'Client Service ID',
    'Class Instance ID',
    'Visits Remaining',
    'Permission Group',
  ],
  teamup: ['Customer Membership ID', 'Offering Type', 'Attendance Status', 'Classes Remaining'],
  momence: ['Bought Membership ID', 'Session name', 'Session date', 'Session type', 'Customer email'],
  glofox: ['Membership Plan', 'Membership Expiry Date', 'Subscription ID'],
};

export const KINDS = [
  'customers',
  'memberships',
  'schedule',
  'staff',
  'bookings',
  'appointments',
  'balances',
  'gift_cards',
  'visits',
] as const;
export type KindName = (typeof KINDS)[number];

/** Properties that several columns can have. */
export const SHARED: ReadonlySet<string> = new Set(['note']);

/** `plain`: names that people use in their own spreadsheets, in the languages of the dashboard */
export type Names = { readonly [P in Product]?: readonly string[] } & { readonly plain: readonly string[] };

export interface KindColumns {
  /** by property; if a name matches several properties, the first one gets the column */
  readonly properties: Readonly<Record<string, Names>>;
  /** lists of alternatives: a file needs one property of each list */
  readonly needs: readonly (readonly string[])[];
  /** names of columns of which a file needs one to be recognised as this kind; any if absent */
  readonly shownBy?: readonly string[];
  /** names of columns that only this kind has: a file with everything else that it needs is of this kind */
  readonly decidedBy?: readonly string[];
  /** names of columns that show this kind, although nobody knows which of its properties they are */
  readonly asks?: readonly string[];
  /** properties that require the order of day and month */
  readonly dates: readonly string[];
}

/** Normalizes a name to its letters and digits. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
