/** Calls operations by the names in the list of settings. */
import { useQuery } from '@tanstack/react-query';
import type { Call } from 'rollcall-sdk';
import { clientOf } from '../../app/client.ts';
import { fieldsOf, type Answer } from './values.ts';
import { keyOf } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import type { CollectionOf, FormOf, ListName } from './declared/setting.ts';

export function callOf(business: number, operation: string, asked: object): Call<any, Answer, string, true> {
  const client = clientOf(business);
  return (client.call as unknown as (operation: string, asked: object) => Call<any, Answer, string, true>).call(
    client,
    operation,
    asked,
  );
}

/**
 * Returns the arguments that read and change a form or an object; both name the same fields, so that the version
 * applies to both.
 */
export const askedOf = (of: FormOf | CollectionOf, id: number | string) => ({
  ...(of.read.includes('{id}') && { params: { id } }),
  ...(of.versioned && { fields: [...new Set([...fieldsOf(of.settings), ...('titles' in of ? of.titles : [])])] }),
});

export interface Read {
  readonly answer: Answer;
  /** for `ifMatch`; null if it has no version */
  readonly etag: string | null;
}

export function useRead(of: FormOf | CollectionOf, id: number | string, enabled = true) {
  const { id: business } = useBusiness();
  const asked = askedOf(of, id);
  return useQuery<Read>({
    queryKey: [...keyOf(business, of.read as never, asked), 'version'],
    enabled,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { value, etag } = await callOf(business, of.read, { ...asked, signal }).answer();
      return { answer: value, etag };
    },
  });
}

const LISTS = {
  staff: 'GET /staff',
  venues: 'GET /venues',
  rooms: 'GET /venue_rooms',
  memberships: 'GET /memberships',
  categories: 'GET /offering_type_categories',
  instructors: 'GET /instructors',
  offerings: 'GET /offering_types',
  timelines: 'GET /registration_timelines',
  questions: 'GET /customer_fields',
  collections: 'GET /content_collections',
  courses: 'GET /courses',
  products: 'GET /store/products',
  filters: 'GET /content_filters',
  tags: 'GET /content_tags',
  statuses: 'GET /customer_statuses',
} as const satisfies Readonly<Record<ListName, string>>;

/** Properties that name an entry, where it has no `name`. */
const TITLES: Readonly<Partial<Record<ListName, string>>> = { questions: 'label' };

export interface Entry {
  readonly id: number;
  readonly name: string | null;
}

/** Reads all choices of a setting. */
export function useList(name: ListName) {
  const { id: business } = useBusiness();
  return useQuery<readonly Entry[], Error>({
    queryKey: keyOf(business, LISTS[name], { every: 'name' }),
    queryFn: async ({ signal }) => {
      const all: Entry[] = [];
      const title = TITLES[name] ?? 'name';
      const asked = { query: { page_size: 100 }, fields: ['id', title], signal };
      for await (const entry of callOf(business, LISTS[name], asked) as AsyncIterable<Record<string, unknown>>)
        all.push({ id: entry.id as number, name: entry[title] as string | null });
      return all;
    },
  });
}
