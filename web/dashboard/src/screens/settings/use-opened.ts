import { useState } from 'react';
import { merged, typedOf, type Answer, type Typed } from './values.ts';
import { openedOf, type Opened } from './fields/fields.tsx';
import type { CollectionOf, FormOf } from './declared/setting.ts';

interface First {
  /** null for a new object */
  readonly answer: Answer | null;
  readonly etag: string | null;
}

/**
 * Keeps the state of a form from when it was opened: later updates must not count as seen. `begin`: starts again with
 * the current values after `saved` was stored; input during that read is kept. `keep`: keeps the typed values, and
 * loads the current ones for the rest.
 */
export function useOpened(of: FormOf | CollectionOf, first: First, readAgain: () => Promise<First | null>) {
  const [opened, setOpened] = useState<Opened>(() => openedOf(of, first.answer, first.etag));
  const begin = async (saved: Typed, typedNow: () => Typed): Promise<void> => {
    const now = await readAgain();
    if (!now) return;
    const before = typedOf(of.settings, now.answer);
    const typed = merged(saved, typedNow(), before);
    setOpened(({ n }) => ({ ...now, before, typed, n: n + 1 }));
  };
  const keep = async (typed: Typed): Promise<void> => {
    const now = await readAgain();
    if (!now) return;
    const before = typedOf(of.settings, now.answer);
    setOpened(({ before: was, n }) => ({ ...now, before, typed: merged(was, typed, before), n: n + 1 }));
  };
  return { opened, begin, keep };
}
