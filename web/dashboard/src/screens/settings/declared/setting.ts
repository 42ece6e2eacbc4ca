/**
 * Settings: properties of operations of the interface, with the kind of field for each. The service prints what it
 * declares (`interface.json`): properties, choices, permissions. Only what it doesn't declare is added here.
 */
import printed from './interface.json' with { type: 'json' };

/** The lists from which a setting can be chosen. */
export type ListName =
  | 'staff'
  | 'venues'
  | 'rooms'
  | 'memberships'
  | 'categories'
  | 'instructors'
  | 'offerings'
  | 'timelines'
  | 'questions'
  | 'collections'
  | 'courses'
  | 'products'
  | 'filters'
  | 'tags'
  | 'statuses';

export type Kind =
  | 'text'
  | 'long'
  | 'email'
  | 'tel'
  /** stored, but never shown again */
  | 'secret'
  | 'number'
  | 'decimal'
  | 'money'
  | 'percent'
  | 'time'
  /** a calendar date */
  | 'date'
  | 'color'
  | 'country'
  | 'language'
  | 'zone'
  /** a duration in days, weeks, months or years, shown as a number and a unit */
  | 'lifetime'
  /** kinds of feed items about a customer */
  | 'triggers'
  | 'switch'
  | 'choice'
  /** several of the given choices */
  | 'choices'
  /** minutes, shown in the largest suitable unit */
  | 'minutes'
  /** an uploaded picture, or several */
  | 'image'
  | 'images'
  /** an uploaded file of the library */
  | 'file'
  /** one object from a list of the business, or several */
  | 'one'
  | 'many'
  /** customers, searched by name */
  | 'people'
  /** texts, one per line */
  | 'lines'
  /** numbers or amounts, separated by commas */
  | 'numbers'
  | 'amounts'
  /** objects that all have the same properties */
  | 'rows';

export interface Setting {
  /** name of the property, with a dot for nested objects: `contact_info.email` */
  readonly name: string;
  readonly kind: Kind;
  readonly choices?: readonly string[];
  readonly from?: ListName;
  readonly columns?: readonly Setting[];
  /** may be empty, which is sent as null */
  readonly nullable?: boolean;
  /** can only be set when the object is created; or only afterwards */
  readonly only?: 'new' | 'change';
  /** shown only if another property has one of these values */
  readonly when?: readonly [name: string, ...values: string[]];
  /** initial value for a new object; several choices are separated by spaces */
  readonly first?: string;
  /** the response contains a link unless the property is named in `fields` */
  readonly linked?: boolean;
  /** the property of the response with the value; absent: the same name */
  readonly shown?: string;
}

interface Declared {
  /** used for its labels, and in addresses */
  readonly name: string;
  /** any of these permissions */
  readonly needs: readonly string[];
  readonly settings: readonly Setting[];
  /** objects that are only sent as a whole; if empty, they are sent as null where that is allowed */
  readonly wholes?: readonly string[];
}

/** Settings that a business has once. */
export interface FormOf extends Declared {
  readonly read: `GET ${string}`;
  readonly write: `PATCH ${string}`;
  /** the response is a resource: it has a version, and supports `fields` */
  readonly versioned?: boolean;
}

/** A collection of objects of a business. */
export interface CollectionOf extends Declared {
  /** type of object in the audit log; null: its changes are recorded as changes of the business */
  readonly object: string | null;
  readonly list: `GET ${string}`;
  readonly read: `GET ${string}`;
  readonly add?: `POST ${string}`;
  readonly change: `PATCH ${string}`;
  readonly remove?: `DELETE ${string}`;
  readonly versioned?: boolean;
  /** sets the order in which customers see them; `as`: the property for the ids */
  readonly order?: { readonly change: `PATCH ${string}`; readonly as: string };
  /** query of the list */
  readonly query?: Readonly<Record<string, unknown>>;
  /** properties for the title of an entry; the first one present is used */
  readonly titles: readonly string[];
  /** fields that together are the title of a new one; absent: the first title */
  readonly called?: readonly string[];
  /** additional information in the list */
  readonly also?: 'permissions' | readonly string[];
}

export interface Part {
  readonly forms?: readonly FormOf[];
  readonly collections?: readonly CollectionOf[];
  /** an additional section, with these permissions */
  readonly special?: 'notices';
}

interface Printed {
  readonly kind: string;
  readonly choices?: readonly string[];
  readonly nullable?: boolean;
  readonly columns?: Readonly<Record<string, Printed>>;
}
interface Input {
  readonly needs: readonly string[];
  readonly fields: Readonly<Record<string, Printed>>;
}
const INPUTS: Readonly<Record<string, Input>> = printed;

/** The lists of the business that properties with these names refer to. */
const LISTS: Readonly<Record<string, ListName>> = {
  staff: 'staff',
  venue: 'venues',
  venues: 'venues',
  other_venue: 'venues',
  default_venue: 'venues',
  default_venue_rooms: 'rooms',
  memberships: 'memberships',
  signup_free_membership: 'memberships',
  category: 'categories',
  instructor: 'instructors',
  instructors: 'instructors',
  offering_types: 'offerings',
  registration_timelines: 'timelines',
  fields: 'questions',
  collection: 'collections',
  courses: 'courses',
  products: 'products',
  filter: 'filters',
  tags: 'tags',
  set_from: 'statuses',
};

/** Numbers and texts whose name states what they are. */
const NAMED: readonly (readonly [RegExp, Kind])[] = [
  [/(^|_)color$/, 'color'],
  [/^phone_number$/, 'tel'],
  [/percentage$/, 'percent'],
  [/_interval$|^minimum_notice$|^until_minutes_before$/, 'minutes'],
  [/^image$|logo$|^cover$|^thumbnail$/, 'image'],
  [/^image_choices$/, 'images'],
  [/^customers$/, 'people'],
];
const IMPRECISE = ['text', 'number', 'numbers'];

function settingOf(name: string, { kind, columns, ...rest }: Printed): Setting {
  const last = name.split('.').at(-1)!;
  const known = { name, kind: kind as Kind, ...rest };
  if (columns) return { ...known, columns: Object.entries(columns).map(([column, one]) => settingOf(column, one)) };
  if (!IMPRECISE.includes(kind)) return known;
  const from = kind === 'text' ? undefined : LISTS[last];
  if (from) return { ...known, kind: kind === 'number' ? 'one' : 'many', from };
  return { ...known, kind: NAMED.find(([pattern]) => pattern.test(last))?.[1] ?? known.kind };
}

type More = Partial<Omit<Setting, 'name'>>;
interface Chosen {
  /**
   * names in the order of the form, with white space between; the name of an object stands for all of its properties
   */
  readonly fields?: string;
  /** additions by the name of a setting, or of the object that contains it */
  readonly more?: Readonly<Record<string, More>>;
  /** properties that nobody can set to anything */
  readonly without?: readonly string[];
}

const isWithin = (name: string, object: string): boolean => name === object || name.startsWith(`${object}.`);

/** Returns the settings in their order, followed by the rest of the operation's properties if it is `complete`. */
function settingsOf(
  change: string,
  add: string,
  { fields = '', more = {}, without = [] }: Chosen,
  complete: boolean,
): Setting[] {
  const changed = INPUTS[change].fields;
  const added = INPUTS[add].fields;
  const all = { ...added, ...changed };
  const names = Object.keys(all);
  const chosen = fields
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((one) => {
      const inside = names.filter((name) => isWithin(name, one));
      return inside.length > 0 ? inside : [one];
    });
  const left = complete
    ? names.filter((name) => !without.includes(name) && !chosen.some((one) => isWithin(one, name)))
    : [];
  return [...new Set([...chosen, ...left])].map((name) => ({
    ...settingOf(name, all[name] ?? { kind: 'text' }),
    ...(!(name in changed) && name in added && { only: 'new' as const }),
    ...(!(name in added) && name in changed && { only: 'change' as const }),
    ...more[name.split('.')[0]],
    ...more[name],
  }));
}

/** Declares a form with all properties of an operation; with `part`, only those in `fields`. */
export function form({
  fields,
  more,
  part,
  ...of
}: Omit<FormOf, 'needs' | 'settings'> & Chosen & { part?: true; needs?: readonly string[] }): FormOf {
  return { needs: INPUTS[of.write].needs, settings: settingsOf(of.write, of.write, { fields, more }, !part), ...of };
}

/** Declares a collection with all properties of its operations. Its objects are resources: they have a version. */
export function collection({
  fields,
  more,
  without,
  ...of
}: Omit<CollectionOf, 'needs' | 'settings' | 'titles'> & Chosen & { titles?: readonly string[] }): CollectionOf {
  const { change, add = change } = of;
  return {
    versioned: true,
    titles: ['name'],
    needs: INPUTS[change].needs,
    settings: settingsOf(change, add, { fields, more, without }, true),
    ...of,
  };
}
