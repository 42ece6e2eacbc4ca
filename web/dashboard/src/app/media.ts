/** Returns true while the window matches a media query. */
import { useCallback, useSyncExternalStore } from 'react';

/** `media`: created once, with `matchMedia`. */
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
