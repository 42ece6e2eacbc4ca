/**
 * Returns a function whose identity stays the same while its behavior changes, so that components that receive it need
 * not render again.
 */
import { useCallback, useLayoutEffect, useRef } from 'react';

/** For event handlers only: the returned function must not be called during rendering. */
export function useStable<A extends unknown[], R>(act: (...args: A) => R): (...args: A) => R {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
