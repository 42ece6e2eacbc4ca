/** Paginated lists for the screens. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { AskedOf, ExpandOf, FieldsOf, ItemOf, OperationName } from 'rollcall-sdk';
import { clientOf } from './client.ts';
import { keyOf, type Options } from './calls.ts';
import { useBusiness } from './business.ts';

/** Reads a list page by page: `data.pages`, `fetchNextPage`. */
export function usePages<
  O extends OperationName & `GET ${string}`,
  const P extends FieldsOf<O> & string = never,
  const E extends ExpandOf<O> & string = never,
>(operation: O, asked: AskedOf<O, P, E>, { enabled = true, keep = false }: Options = {}) {
  const { id } = useBusiness();
  type Page = { readonly count: number; readonly next: string | null; readonly results: readonly ItemOf<O, P, E>[] };
  return useInfiniteQuery<Page, Error, { pages: Page[] }, readonly unknown[], number>({
    queryKey: keyOf(id, operation, { ...asked, every: true }),
    queryFn: async ({ signal, pageParam }) => {
      const { query, ...rest } = asked as { query?: object };
      const call = clientOf(id).call as (operation: O, asked: object) => PromiseLike<Page>;
      return call.call(clientOf(id), operation, { ...rest, query: { ...query, page: pageParam }, signal });
    },
    initialPageParam: 1,
    getNextPageParam: ({ next }, _all, page) => (next === null ? undefined : page + 1),
    enabled,
    ...(keep && { placeholderData: keepPreviousData as never }),
  });
}
