/** The declaration of a setting: a property of an operation of the interface, and the kind of field for it. */

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
  | 'zone'
  | 'switch'
  | 'choice'
  /** several of the given choices */
  | 'choices'
  /** minutes, shown in the largest suitable unit */
  | 'minutes'
  /** an uploaded picture, or several */
  | 'image'
  | 'images'
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

type More = Omit<Setting, 'name' | 'kind'>;
const kind =
  (kind: Kind) =>
  (name: string, more: More = {}): Setting => ({ name, kind, ...more });

export const text = kind('text');
export const long = kind('long');
export const email = kind('email');
export const tel = kind('tel');
export const secret = kind('secret');
export const number = kind('number');
export const decimal = kind('decimal');
export const money = kind('money');
export const percent = kind('percent');
export const time = kind('time');
export const date = kind('date');
export const color = kind('color');
export const zone = kind('zone');
export const flag = kind('switch');
export const minutes = kind('minutes');
export const image = kind('image');
export const images = kind('images');
export const people = kind('people');
export const lines = kind('lines');
export const numbers = kind('numbers');
export const amounts = kind('amounts');
export const choice = (name: string, choices: readonly string[], more: More = {}): Setting => ({
  name,
  kind: 'choice',
  choices,
  ...more,
});
export const choices = (name: string, choices: readonly string[], more: More = {}): Setting => ({
  name,
  kind: 'choices',
  choices,
  ...more,
});
export const one = (name: string, from: ListName, more: More = {}): Setting => ({ name, kind: 'one', from, ...more });
export const many = (name: string, from: ListName, more: More = {}): Setting => ({ name, kind: 'many', from, ...more });
export const rows = (name: string, columns: readonly Setting[], more: More = {}): Setting => ({
  name,
  kind: 'rows',
  columns,
  ...more,
});

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
  readonly also?: 'permissions';
}

export interface Part {
  readonly forms?: readonly FormOf[];
  readonly collections?: readonly CollectionOf[];
  /** an additional section, with these permissions */
  readonly special?: 'notices';
}
