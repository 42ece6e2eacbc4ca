/** Recognition of a file by its column names: its kind, the product that wrote it, and the property of each column. */
import {
  COLUMNS,
  KINDS,
  missingIn,
  PECULIAR,
  plainName,
  PRODUCTS,
  SHARED,
  type KindName,
  type Product,
} from './columns/index.ts';

export interface Matched {
  readonly kind: KindName;
  /** true if the rows are probably something that can't be imported as this kind */
  readonly unclear: boolean;
  /** null if no known product matches, or several could have written it */
  readonly product: Product | null;
  /** the property of each column, in order; null if it isn't imported */
  readonly properties: readonly (string | null)[];
}

type PlainNames = readonly (readonly [property: string, names: readonly string[]])[];

const plainNames = new Map<KindName, PlainNames>();

/** Returns the plain names of each property, which are made once. */
function plainNamesOf(kind: KindName): PlainNames {
  const known = plainNames.get(kind);
  if (known) return known;
  const names = Object.entries(COLUMNS[kind].properties).map(
    ([property, of]) => [property, [...new Set(Object.values(of).flat().map(plainName))]] as const,
  );
  plainNames.set(kind, names);
  return names;
}

/** Returns the property of each column in a file of this kind; each property appears once, unless columns share it. */
export function propertiesOf(kind: KindName, headings: readonly string[]): (string | null)[] {
  const found: (string | null)[] = headings.map(() => null);
  const plain = headings.map(plainName);
  for (const [property, names] of plainNamesOf(kind)) {
    for (const name of names) {
      const at = plain.findIndex((heading, i) => found[i] === null && heading !== '' && heading === name);
      if (at < 0) continue;
      found[at] = property;
      if (!SHARED.has(property)) break;
    }
  }
  return found;
}

/** Returns the product that uses the most of these exact column names, and at least one that is peculiar to it. */
function productOf(kind: KindName, headings: readonly string[]): Product | null {
  const names = Object.values(COLUMNS[kind].properties);
  const found = PRODUCTS.map((product) => ({
    product,
    peculiar: headings.filter((heading) => PECULIAR[product].includes(heading)).length,
    written: headings.filter((heading) => names.some((of) => of[product]?.includes(heading))).length,
  }))
    .filter(({ peculiar, written }) => peculiar > 0 && written > 1)
    .toSorted((a, b) => b.written - a.written || b.peculiar - a.peculiar);
  const [first, second] = found;
  if (!first || (second && second.written === first.written && second.peculiar === first.peculiar)) return null;
  return first.product;
}

/** Names of columns that show that the rows are none of the kinds, unless they have what an appointment needs. */
const FOREIGN = new Set(
  ['appointment id', 'appointment type', 'appointment price', 'appointment date', 'invoice number', 'transaction id']
    .concat(['order id', 'gift card number', 'gift card code', 'sku'])
    .map(plainName),
);

/** Returns true if the names of the columns show this kind, not only others that could be of any kind. */
function isShown(kind: KindName, headings: readonly string[]): boolean {
  const names = COLUMNS[kind].shownBy?.map(plainName);
  return names === undefined || headings.some((heading) => names.includes(plainName(heading)));
}

/** Returns true if a column is one that only files of this kind have. */
function isDecided(kind: KindName, headings: readonly string[]): boolean {
  const names = COLUMNS[kind].decidedBy?.map(plainName) ?? [];
  return headings.some((heading) => names.includes(plainName(heading)));
}

/** Returns true if a column shows this kind, but which of its properties it is has to be asked. */
const isAsked = (kind: KindName, headings: readonly string[]): boolean => {
  const names = COLUMNS[kind].asks?.map(plainName) ?? [];
  return headings.some((heading) => names.includes(plainName(heading)));
};

/** Names of people, and notes, are in files of many kinds: they say nothing about what the rows are. */
const WEAK = new Set(
  ['customer_first_name', 'customer_last_name', 'customer_name', 'instructor', 'note', 'labels'].concat([
    'recipient_name',
  ]),
);

/** Returns a property as one of those that count: the parts of a customer's name count once. */
const countedAs = (kind: KindName, property: string): string =>
  kind === 'customers' && (property === 'first_name' || property === 'last_name') ? 'name' : property;

/** Kinds that no column shows: `recognise` sees them by their rows. */
const SHOWN_BY_ROWS: ReadonlySet<KindName> = new Set(['visits']);

/** Returns the kind that has everything it needs and the most columns; of equal ones, the more specific kind. */
export function matchFile(headings: readonly string[], given: KindName | null): Matched {
  const preview = KINDS.map((kind) => {
    const properties = propertiesOf(kind, headings);
    const mapped = new Set(properties.filter((one) => one !== null));
    const asked = isAsked(kind, headings) ? 1 : 0;
    const whole = missingIn(kind, mapped).length <= asked && isShown(kind, headings);
    return {
      kind,
      properties,
      whole,
      decided: whole && isDecided(kind, headings),
      mapped: new Set([...mapped].flatMap((one) => (WEAK.has(one) ? [] : countedAs(kind, one)))).size + asked,
    };
  });
  const best = preview
    .filter(({ kind: one }) => !SHOWN_BY_ROWS.has(one))
    .toSorted(
      (a, b) =>
        Number(b.decided) - Number(a.decided) ||
        Number(b.whole) - Number(a.whole) ||
        b.mapped - a.mapped ||
        KINDS.indexOf(b.kind) - KINDS.indexOf(a.kind),
    )[0];
  const { kind, properties } = preview.find((one) => one.kind === given) ?? best;
  const isForeign = (heading: string): boolean =>
    FOREIGN.has(plainName(heading)) && !(kind === 'gift_cards' && isDecided(kind, [heading]));
  const unclear = given === null && kind !== 'appointments' && headings.some(isForeign);
  return { kind, unclear, product: productOf(kind, headings), properties };
}
