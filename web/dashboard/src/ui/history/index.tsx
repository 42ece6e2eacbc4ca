/** The audit history of an object, for any page that shows one. Only super admins can see it. Loaded on demand. */
import { lazy, Suspense, useState } from 'react';
import { Loading } from '../states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { ui } from '../words.ts';

/** The changed object, as the audit log identifies it. */
export interface Subject {
  /** type of the object, such as `customer` */
  readonly object: string;
  readonly id: number;
  /** only changes by this operation, for an object whose settings are on several pages */
  readonly action?: string;
}

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
