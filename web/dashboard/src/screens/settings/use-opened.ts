import { useState } from 'react';
import { conflictsOf, isAsked, merged, taken, initialFieldValues, type Answer, type Typed } from './values.ts';
import { openFormState, type Opened } from './fields/fields.tsx';
import type { CollectionOf, FormOf, Setting } from './declared/setting.ts';

interface First {
  /** null for a new object */
  readonly answer: Answer | null;
  readonly etag: string | null;
}

/**
 * Keeps the state of a form from when it was opened: later updates must not count as seen. `begin`: starts again with
 * the current values after `saved` was stored; input during that read is kept. `keep`: keeps the typed values, and
 * loads the current ones for the rest. `conflicts`: what both people changed, until each is settled.
 */
export function useOpened(of: FormOf | CollectionOf, first: First, readAgain: () => Promise<First | null>) {
  const [opened, setOpened] = useState<Opened>(() => openFormState(of, first.answer, first.etag));
  const [conflicts, setConflicts] = useState<readonly Setting[]>([]);
  const begin = async (saved: Typed, typedNow: () => Typed): Promise<void> => {
    const now = await readAgain();
    if (!now) return;
    const before = initialFieldValues(of.settings, now.answer);
    const typed = merged(saved, typedNow(), before);
    setOpened(({ n }) => ({ ...now, before, typed, n: n + 1 }));
  };
  const keep = async (typed: Typed): Promise<void> => {
    const now = await readAgain();
    if (!now) return;
    const before = initialFieldValues(of.settings, now.answer);
    const asked = of.settings.filter((setting) => isAsked(setting, typed));
    setConflicts(now.answer && opened.answer ? conflictsOf(asked, opened.before, typed, before) : []);
    setOpened(({ before: was, n }) => ({ ...now, before, typed: merged(was, typed, before), n: n + 1 }));
  };
  /** Takes what the other person saved, or keeps what was typed. `typed`: the current values of the form. */
  const settle = (some: readonly Setting[], whose: 'mine' | 'theirs', typed: Typed): void => {
    setConflicts((all) => all.filter((one) => !some.includes(one)));
    if (whose === 'theirs') setOpened((now) => ({ ...now, typed: taken(some, typed, now.before), n: now.n + 1 }));
  };
  return { opened, begin, keep, conflicts, settle };
}
