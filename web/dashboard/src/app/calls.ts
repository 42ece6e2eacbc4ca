/**
 * Reads from the interface in components. Feed items of the business trigger a new read of the data that they affect.
 */
import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import { Refused, type AnswerOf, type AskedOf, type ExpandOf, type FieldsOf, type OperationName } from 'rollcall-sdk';
import { clientOf } from './client.ts';
import { useBusiness } from './business.ts';

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      // The client already retries where that helps.
      retry: false,
      refetchOnWindowFocus: false,
    },
  },
});

/**
 * Reads all displayed data of businesses again after a change that was made here: people without access to the feed
 * would not see it otherwise.
 */
export const readAgain = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey: [business] }) => business !== null });

/** Reads the data around every page of a business again, after a change to it. */
export const readBusinesses = (): Promise<void> => queries.refetchQueries({ queryKey: [null, 'GET /auth/profiles'] });

export const keyOf = (business: number, operation: OperationName, asked: unknown): readonly unknown[] => [
  business,
  operation,
  asked,
];

export interface Options {
  /** false: sends no request yet */
  readonly enabled?: boolean;
  /** keeps showing the previous data until the response arrives */
  readonly keep?: boolean;
  /**
   * polling interval in milliseconds, which can depend on the response; false: no polling, only feed items trigger a
   * new read
   */
  readonly again?: (answer: any) => number | false;
}

/** Returns the result of a read: `data` once it is loaded, `error` if it was refused. */
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

/** Returns the problem with which a read was refused; null for any other failure, such as the connection. */
export const problemOf = (error: unknown) => (error instanceof Refused ? error.problem : null);
