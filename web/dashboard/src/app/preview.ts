/** Results of operations that change nothing although they are POST requests: a preview, or a simulation. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AnswerOf, AskedOf, OperationName } from 'rollcall-sdk';
import { clientOf } from './client.ts';
import { keyOf } from './calls.ts';
import { useBusiness } from './business.ts';
import { useDeferred } from './deferred.ts';

/** Input is sent once nothing was typed for this long. */
const SETTLED_MS = 300;

/** Returns the previous result until the new one arrives. */
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
