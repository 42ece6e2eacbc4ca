/** What a setting is: a property of an operation of the interface, and by what kind of field it is set. */

/** Lists that a setting chooses from. */
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
  /** kept, but never shown again */
  | 'secret'
  | 'number'
  | 'decimal'
  | 'money'
  | 'percent'
  | 'time'
  /** a day of the calendar */
  | 'date'
  | 'color'
  | 'zone'
  | 'switch'
  | 'choice'
  /** some of several choices */
  | 'choices'
  /** minutes, shown in the largest unit that fits */
  | 'minutes'
  /** an uploaded picture, and several of them */
  | 'image'
  | 'images'
  /** one of a list of the business, and several of them */
  | 'one'
  | 'many'
  /** customers, found by name */
  | 'people'
  /** texts, one on each line */
  | 'lines'
  /** numbers or amounts, separated by commas */
  | 'numbers'
  | 'amounts'
  /** objects, each with the same properties */
  | 'rows';

export interface Setting {
  /** the property; of an object within, with a dot: `contact_info.email` */
  readonly name: string;
  readonly kind: Kind;
  readonly choices?: readonly string[];
  readonly from?: ListName;
  readonly columns?: readonly Setting[];
  /** may be empty, which is null */
  readonly nullable?: boolean;
  /** can only be said once, when the object is created; or only later */
  readonly only?: 'new' | 'change';
  /** shown only if another property has one of these values */
  readonly when?: readonly [name: string, ...values: string[]];
  /** of a new object; of several choices, separated by spaces */
  readonly first?: string;
  /** the answer has a link in its place unless it's asked for by field */
  readonly linked?: boolean;
  /** the property of the answer that says it; absent: the same */
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
  /** of its labels, and in addresses */
  readonly name: string;
  /** any of these permissions */
  readonly needs: readonly string[];
  readonly settings: readonly Setting[];
  /** objects that are only taken as a whole; empty, they are null if they may be */
  readonly wholes?: readonly string[];
}

/** Settings that there are once at a business. */
export interface FormOf extends Declared {
  readonly read: `GET ${string}`;
  readonly write: `PATCH ${string}`;
  /** the answer is of a resource: it has a version, and fields can be chosen */
  readonly versioned?: boolean;
}

/** Objects of which a business has several. */
export interface CollectionOf extends Declared {
  /** in the audit log; null: its changes are those of the business */
  readonly object: string | null;
  readonly list: `GET ${string}`;
  readonly read: `GET ${string}`;
  readonly add?: `POST ${string}`;
  readonly change: `PATCH ${string}`;
  readonly remove?: `DELETE ${string}`;
  readonly versioned?: boolean;
  /** puts them in the order in which customers see them; `as`: the property that takes their ids */
  readonly order?: { readonly change: `PATCH ${string}`; readonly as: string };
  /** of the list */
  readonly query?: Readonly<Record<string, unknown>>;
  /** properties of an entry that say what it is called; the first that is there */
  readonly titles: readonly string[];
  /** fields that say together what a new one is called; absent: the first title */
  readonly called?: readonly string[];
  /** what the list shows of an entry besides */
  readonly also?: 'permissions';
}

export interface Part {
  readonly forms?: readonly FormOf[];
  readonly collections?: readonly CollectionOf[];
  /** something besides, with these permissions */
  readonly special?: 'notices';
}
