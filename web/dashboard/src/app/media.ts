/** Whether the window is as a media query says, also once that changes. */
import { useCallback, useSyncExternalStore } from 'react';

/** `media`: one that is made once, with `matchMedia`. */
export function useMedia(media: MediaQueryList): boolean {
  const follow = useCallback(
    (changed: () => void) => {
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    [media],
  );
  return useSyncExternalStore(follow, () => media.matches);
}
