/** All settings of a business, in parts. Forms, the search and the permissions are derived from this list. */
import * as areas from './areas.ts';
import * as business from './business.ts';
import * as objects from './objects.ts';
import * as staff from './staff.ts';
import type { CollectionOf, FormOf, Part, Setting } from './setting.ts';

export const PARTS = {
  business: { forms: [business.profile, business.address] },
  branding: { forms: [business.branding, business.theme] },
  site: { forms: [business.site] },
  security: { forms: [business.security] },
  staff: { forms: [areas.substitutes], collections: [staff.staff, staff.instructors, staff.rates] },
  words: { collections: [objects.words] },
  venues: { collections: [objects.venues, objects.rooms] },
  offerings: { collections: [objects.offerings, objects.categories] },
  booking: { forms: [business.booking, areas.checkins, areas.reservations], collections: [objects.timelines] },
  appointments: { forms: [areas.slots] },
  waitlist: { forms: [business.waitlist] },
  memberships: { forms: [business.memberships], collections: [objects.penalties] },
  customers: {
    collections: [
      objects.questions,
      objects.forms,
      objects.waivers,
      objects.policies,
      objects.statuses,
      objects.labels,
    ],
  },
  referrals: { forms: [areas.referrals] },
  billing: { forms: [areas.billing, areas.credit] },
  invoices: { forms: [business.prices, areas.invoices], collections: [objects.fees] },
  payments: { forms: [areas.counter], collections: [objects.processors] },
  store: { forms: [areas.store] },
  library: { collections: [objects.collections, objects.content, objects.filters, objects.tags] },
  gift_cards: { forms: [areas.giftCards] },
  notices: { forms: [areas.messaging], special: 'notices' },
} as const satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof PARTS;

const partOf = (name: PartName): Part => PARTS[name];

/** Returns the forms and collections of a part that a person with these permissions may change. */
export function openOf(name: PartName, isAllowed: (needs: readonly string[]) => boolean) {
  const { forms = [], collections = [], special } = partOf(name);
  return {
    forms: forms.filter(({ needs }) => isAllowed(needs)),
    collections: collections.filter(({ needs }) => isAllowed(needs)),
    special: special !== undefined && isAllowed(['super_admin']) ? special : undefined,
  };
}

export const PART_NAMES = Object.keys(PARTS) as PartName[];

export interface Found {
  readonly part: PartName;
  readonly of: FormOf | CollectionOf;
  readonly setting: Setting;
}

/** Every setting with its location. */
export const ALL: readonly Found[] = PART_NAMES.flatMap((part) =>
  [...(partOf(part).forms ?? []), ...(partOf(part).collections ?? [])].flatMap((of) =>
    of.settings.map((setting) => ({ part, of, setting })),
  ),
);
