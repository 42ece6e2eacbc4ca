/**
 * Keyboard shortcuts: one key, one after `g`, or one with Ctrl (Command on a Mac, as `mod`). Disabled while somebody
 * types.
 */
import { useEffect } from 'react';

/** Maximum time between the two keys, in milliseconds. */
const SOON_MS = 1200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('dialog:modal') !== null);

/** Handles shortcuts. `keys`: actions by key, such as `?`, `g t`, `mod+k` */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | null = null;
    const press = (event: KeyboardEvent): void => {
      if (event.altKey || event.isComposing) return;
      const mod = event.ctrlKey || event.metaKey;
      if (!mod && isTyping(event.target)) return;
      const key = mod ? `mod+${event.key.toLowerCase()}` : event.key;
      const both = first && event.timeStamp - first.at < SOON_MS ? `${first.key} ${key}` : null;
      const run = (both && keys[both]) || keys[key];
      first = { key, at: event.timeStamp };
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [keys]);
}
