/** What a code can be about, one by one: what is sold, by its name. */
import { useCall } from '../../../app/calls.ts';
import { words } from '../words.ts';

/** A single event or course is nothing that one finds in a list by its name; programs can name them too. */
export const KINDS = ['membership', 'offering_type', 'store_product'] as const;
export type Kind = (typeof KINDS)[number];

interface Thing {
  readonly id: number;
  readonly name: string;
}

interface Item {
  readonly id: number;
  readonly type: string;
}

/** More than a business sells. */
const MOST = 200;

/** Everything of a kind; nothing until it is read. */
export function useThings(kind: Kind, enabled = true): readonly Thing[] {
  const asked = { query: { page_size: MOST }, fields: ['id', 'name'] } as const;
  const of = (one: Kind) => ({ enabled: enabled && one === kind });
  const found = {
    membership: useCall('GET /memberships', asked, of('membership')),
    offering_type: useCall('GET /offering_types', asked, of('offering_type')),
    store_product: useCall('GET /store/products', asked, of('store_product')),
  };
  return found[kind].data?.results ?? [];
}

/** The names of what codes are about; what has none that is known is called by its kind and number. */
export function useNames(items: readonly Item[]): (item: Item) => string {
  const has = (kind: Kind): boolean => items.some(({ type }) => type === kind);
  const known: Readonly<Record<string, readonly Thing[]>> = {
    membership: useThings('membership', has('membership')),
    offering_type: useThings('offering_type', has('offering_type')),
    store_product: useThings('store_product', has('store_product')),
  };
  return ({ type, id }) =>
    known[type]?.find((one) => one.id === id)?.name ??
    `${words.say(`object.${type}` as Parameters<typeof words.say>[0])} ${id}`;
}
