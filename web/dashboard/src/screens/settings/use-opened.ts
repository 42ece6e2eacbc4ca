import { useState } from 'react';
import { merged, typedOf, type Answer, type Typed } from './values.ts';
import { openedOf, type Opened } from './fields/fields.tsx';
import type { CollectionOf, FormOf } from './declared/setting.ts';

interface First {
  /** null: a new object */
  readonly answer: Answer | null;
  readonly etag: string | null;
}

/**
 * A form as it was when it was opened: what comes in meanwhile must not look as if it had been seen. `begin`: anew, with what
 * there is after `saved` was; what is typed while that is read stays. `keep`: what was typed stays, and the rest is what there
 * is now.
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
