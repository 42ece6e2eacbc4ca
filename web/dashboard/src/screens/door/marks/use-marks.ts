import { useMemo, useSyncExternalStore } from 'react';
import { getKeeper, type Keeper } from './keep.ts';
import { useBusiness } from '../../../app/business.ts';
import type { Queue } from './queue.ts';

/** Returns the waiting and refused marks, and their keeper. */
export function useMarks(): readonly [Queue, Keeper] {
  const { id, staff } = useBusiness();
  const keeper = useMemo(() => getKeeper(id, staff.id), [id, staff.id]);
  return [useSyncExternalStore(keeper.subscribe, keeper.queue), keeper];
}

const online = {
  subscribe: (changed: () => void) => {
    addEventListener('online', changed);
    addEventListener('offline', changed);
    return () => {
      removeEventListener('online', changed);
      removeEventListener('offline', changed);
    };
  },
  now: () => navigator.onLine,
};

export const useOnline = (): boolean => useSyncExternalStore(online.subscribe, online.now);
