/** What an operation answers that changes nothing although it is a POST: a preview, or a simulation. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AnswerOf, AskedOf, OperationName } from 'rollcall-sdk';
import { clientOf } from './client.ts';
import { keyOf } from './calls.ts';
import { useBusiness } from './business.ts';
import { useDeferred } from './deferred.ts';

/** What is typed is asked for once nothing more is typed for so long. */
const SETTLED_MS = 300;

/** The answer before stays until the new one is there. */
export function usePreview<O extends OperationName & `POST ${string}`>(
  operation: O,
  asked: AskedOf<O, never, never>,
  enabled = true,
) {
  const { id } = useBusiness();
  const settled = useDeferred(JSON.stringify(asked), SETTLED_MS);
  return useQuery<AnswerOf<O, never, never>, Error>({
    queryKey: keyOf(id, operation, settled),
    queryFn: async ({ signal }) => {
      const call = clientOf(id).call as (operation: O, asked: object) => PromiseLike<AnswerOf<O, never, never>>;
      return call.call(clientOf(id), operation, { ...(JSON.parse(settled) as object), signal });
    },
    enabled,
    staleTime: 0,
    placeholderData: keepPreviousData as never,
  });
}
