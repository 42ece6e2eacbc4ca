/** The query of the address: filters and drafts. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Returns the values of the address, and a function that changes some of them. Undefined and empty values are left out.
 */
export function useAddress(): readonly [Values, (change: Values, options?: { readonly push?: boolean }) => void] {
  const values = useSearch({ strict: false }) as Values;
  const navigate = useNavigate();
  const change = useCallback(
    (next: Values, { push = false }: { readonly push?: boolean } = {}) =>
      void navigate({
        to: '.',
        search: ((before: Values) => ({ ...before, ...next })) as never,
        replace: !push,
        resetScroll: false,
      }),
    [navigate],
  );
  return [values, change];
}

/** Returns a parameter of the path, such as `customer` of `people/$customer`. */
export const useParam = (name: string): string => (useParams({ strict: false }) as Record<string, string>)[name];
