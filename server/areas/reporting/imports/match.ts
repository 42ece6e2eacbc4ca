/** Recognition of a file by its column names: its kind, the product that wrote it, and the property of each column. */
import { COLUMNS, KINDS, missingIn, plainName, PRODUCTS, type KindName, type Product } from './columns/index.ts';

export interface Matched {
  readonly kind: KindName;
  /** null if no known product matches, or several could have written it */
  readonly product: Product | null;
  /** the property of each column, in order; null if it isn't imported */
  readonly properties: readonly (string | null)[];
}

/** Returns the property of each column in a file of this kind; each property appears once. */
export function propertiesOf(kind: KindName, headings: readonly string[]): (string | null)[] {
  const found: (string | null)[] = headings.map(() => null);
  const plain = headings.map(plainName);
  for (const [property, names] of Object.entries(COLUMNS[kind].properties)) {
    for (const name of Object.values(names).flat()) {
      const at = plain.findIndex((heading, i) => found[i] === null && heading !== '' && heading === plainName(name));
      if (at < 0) continue;
      found[at] = property;
      break;
    }
  }
  return found;
}

/** Returns the product that uses the most of these exact column names, and at least one that no other product uses. */
function productOf(kind: KindName, headings: readonly string[]): Product | null {
  const names = Object.values(COLUMNS[kind].properties);
  const writes = (product: Product, heading: string) => names.some((of) => of[product]?.includes(heading));
  const preview = PRODUCTS.map((product) => {
    const written = headings.filter((heading) => writes(product, heading));
    const alone = written.filter((heading) => PRODUCTS.every((other) => other === product || !writes(other, heading)));
    return { product, written: written.length, alone: alone.length };
  })
    .filter(({ written, alone }) => written > 1 && alone > 0)
    .toSorted((a, b) => b.written - a.written || b.alone - a.alone);
  const [first, second] = preview;
  if (!first || (second && second.written === first.written && second.alone === first.alone)) return null;
  return first.product;
}

/** Returns the kind that has everything it needs and the most columns; of equal ones, the more specific kind. */
export function matchFile(headings: readonly string[], given: KindName | null): Matched {
  const preview = KINDS.map((kind) => {
    const properties = propertiesOf(kind, headings);
    const mapped = new Set(properties.filter((one) => one !== null));
    return { kind, properties, whole: missingIn(kind, mapped).length === 0, mapped: mapped.size };
  });
  const best = preview.toSorted(
    (a, b) => Number(b.whole) - Number(a.whole) || b.mapped - a.mapped || KINDS.indexOf(b.kind) - KINDS.indexOf(a.kind),
  )[0];
  const { kind, properties } = preview.find((one) => one.kind === given) ?? best;
  return { kind, product: productOf(kind, headings), properties };
}
