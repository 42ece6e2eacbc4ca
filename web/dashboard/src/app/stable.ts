/** A function that stays the same one while what it does changes, so that what is given it need not be drawn again. */
import { useCallback, useLayoutEffect, useRef } from 'react';

/** For handlers: it must not be called while something is drawn. */
export function useStable<A extends unknown[], R>(act: (...args: A) => R): (...args: A) => R {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
