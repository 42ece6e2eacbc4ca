import { useEffect, useState } from 'react';

/** Returns a value once it has not changed for a moment, so that typing does not send a request per letter. */
export function useDeferred<T>(value: T, ms = 150): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
