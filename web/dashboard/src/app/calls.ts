/** Reading from the interface in components. What happens at the business makes what it touches be read again. */
import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import { Refused, type AnswerOf, type AskedOf, type ExpandOf, type FieldsOf, type OperationName } from 'rollcall-sdk';
import { clientOf } from './client.ts';
import { useBusiness } from './business.ts';

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      // The client tries again where that helps.
      retry: false,
      refetchOnWindowFocus: false,
    },
  },
});

/**
 * What is shown of businesses is read again after a change that was made here: those who may not follow what happens would
 * not see it otherwise.
 */
export const readAgain = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey: [business] }) => business !== null });

/** What stands around every page of a business, after a change of it. */
export const readBusinesses = (): Promise<void> => queries.refetchQueries({ queryKey: [null, 'GET /auth/profiles'] });

export const keyOf = (business: number, operation: OperationName, asked: unknown): readonly unknown[] => [
  business,
  operation,
  asked,
];

export interface Options {
  /** false: nothing is asked yet */
  readonly enabled?: boolean;
  /** what was read before stays until the answer is there */
  readonly keep?: boolean;
  /** how soon an answer is asked for again by itself, ms; false: not before something happens */
  readonly again?: (answer: any) => number | false;
}

/** What an operation that only reads gives: `data` once it is there, `error` if it was refused. */
export function useCall<
  O extends OperationName & `GET ${string}`,
  const P extends FieldsOf<O> & string = never,
  const E extends ExpandOf<O> & string = never,
>(operation: O, asked: AskedOf<O, P, E>, { enabled = true, keep = false, again }: Options = {}) {
  const { id } = useBusiness();
  return useQuery<AnswerOf<O, P, E>, Error>({
    queryKey: keyOf(id, operation, asked),
    queryFn: async ({ signal }) => {
      const call = clientOf(id).call as (operation: O, asked: object) => PromiseLike<AnswerOf<O, P, E>>;
      return call.call(clientOf(id), operation, { ...asked, signal });
    },
    enabled,
    ...(keep && { placeholderData: keepPreviousData as never }),
    ...(again && { refetchInterval: ({ state: { data } }) => data !== undefined && again(data) }),
  });
}

/** What reading was refused with; null: something else went wrong, such as the connection. */
export const problemOf = (error: unknown) => (error instanceof Refused ? error.problem : null);
