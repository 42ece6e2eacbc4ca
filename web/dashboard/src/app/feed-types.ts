/** The types of feed items of a business. */
import { useQuery } from '@tanstack/react-query';
import { clientOf } from './client.ts';
import { keyOf } from './calls.ts';
import { useBusiness } from './business.ts';

export interface FeedType {
  readonly type: string;
  /** in English, from the reference of the interface */
  readonly description: string;
  /** names of properties */
  readonly payload: readonly string[];
}

const OPERATION = 'GET /feed_item_types';

/** Returns all types in alphabetical order. They don't change while the service runs. */
export function useFeedTypes() {
  const { id } = useBusiness();
  return useQuery({
    queryKey: keyOf(id, OPERATION, { all: true }),
    queryFn: async ({ signal }) => {
      const all: FeedType[] = [];
      for await (const one of clientOf(id).call(OPERATION, { query: { page_size: 100 }, signal })) all.push(one);
      return all;
    },
    staleTime: Infinity,
  });
}
