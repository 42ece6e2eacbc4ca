/** One object with the version that was read, so that nobody overwrites another person's changes. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf, AskedOf, FieldsOf, OperationName } from 'rollcall-sdk';
import { clientOf } from './client.ts';
import { keyOf } from './calls.ts';
import { useBusiness } from './business.ts';

/**
 * Returns the object with its `etag`, for `ifMatch` of a change that names the same fields. Name only the fields that
 * the form changes.
 */
export function useVersioned<O extends OperationName & `GET ${string}`, const P extends FieldsOf<O> & string>(
  operation: O,
  asked: AskedOf<O, P, never>,
) {
  const { id } = useBusiness();
  return useQuery<{ readonly value: AnswerOf<O, P, never>; readonly etag: string | null }, Error>({
    queryKey: keyOf(id, operation, { ...asked, etag: true }),
    queryFn: async ({ signal }) => {
      const call = clientOf(id).call as (
        operation: O,
        asked: object,
      ) => { answer(): PromiseLike<{ value: AnswerOf<O, P, never>; etag: string | null }> };
      const { value, etag } = await call.call(clientOf(id), operation, { ...asked, signal }).answer();
      return { value, etag };
    },
    // A form starts with the current values.
    staleTime: 0,
    gcTime: 0,
  });
}

/**
 * Returns an object as it was when its form was opened, since later updates must not count as seen, and a function that
 * reads the current one for `readAgain` of the form.
 */
export function useFormVersion<T>(first: T, refetch?: () => Promise<{ readonly data: T | undefined }>) {
  const [opened, setOpened] = useState(first);
  const readAgain = async (): Promise<boolean> => {
    const now = (await refetch?.())?.data;
    if (now !== undefined) setOpened(now);
    return now !== undefined;
  };
  return { opened, readAgain };
}
