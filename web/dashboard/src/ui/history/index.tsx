/** The audit history of an object, for any page that shows one. Only super admins can see it. Loaded on demand. */
import { lazy, Suspense, useState } from 'react';
import { Loading } from '../states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { ui } from '../words.ts';
import type { Catalogue } from '../../words/catalogue.ts';
import type { Labels } from './labels.ts';

/** The changed object, as the audit log identifies it. */
export interface Subject {
  /** type of the object, such as `customer` */
  readonly object: string;
  readonly id: number;
  /** only changes by this operation, for an object whose settings are on several pages */
  readonly action?: string;
  /** its properties in words; absent: those that the history knows itself */
  readonly labels?: Labels;
}

/**
 * Returns labels from the texts of a screen: the key of each property, and the beginning of the keys of its choices.
 * The history itself loads later.
 */
export const labelsFrom = <Key extends string>(
  { say, has }: Pick<Catalogue<Key>, 'say' | 'has'>,
  names: Readonly<Record<string, Key>>,
  choices: Readonly<Record<string, string>> = {},
): Labels => ({
  name: (property) => (Object.hasOwn(names, property) ? say(names[property]) : undefined),
  choice: (property, value) => {
    const key = `${choices[property]}.${value}`;
    return has(key) ? say(key as Key) : undefined;
  },
});

const load = async () => {
  const shown = await import('./shown.tsx');
  await shown.ready;
  return shown;
};
const Entries = lazy(async () => ({ default: (await load()).Entries }));
const Last = lazy(async () => ({ default: (await load()).Last }));

/** Shows all changes, newest first. */
export function History(subject: Subject) {
  return (
    <Suspense fallback={<Loading />}>
      <Entries {...subject} />
    </Suspense>
  );
}

/** Shows the last change and its author, for a form whose object was changed in the meantime. */
export function LastChange(subject: Subject) {
  return (
    <Suspense fallback={<Loading />}>
      <Last {...subject} />
    </Suspense>
  );
}

/** Shows a button for the history; nothing for people who may not see it. */
export function WhoChanged(subject: Subject) {
  const business = useBusiness();
  const [isOpen, setIsOpen] = useState(false);
  if (!may(business, 'super_admin')) return null;
  return (
    <details className="history" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{ui.say('who_changed')}</summary>
      {isOpen ? <History {...subject} /> : null}
    </details>
  );
}
