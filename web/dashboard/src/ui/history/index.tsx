/** Who changed an object, for any page that shows one. Only super admins may know. Comes when it is first looked at. */
import { lazy, Suspense, useState } from 'react';
import { Loading } from '../states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { ui } from '../words.ts';

/** What was changed, as the audit log names it. */
export interface Subject {
  /** such as `customer` */
  readonly object: string;
  readonly id: number;
  /** only changes by this operation, of an object whose settings are spread over several pages */
  readonly action?: string;
}

const load = async () => {
  const shown = await import('./shown.tsx');
  await shown.ready;
  return shown;
};
const Entries = lazy(async () => ({ default: (await load()).Entries }));
const Last = lazy(async () => ({ default: (await load()).Last }));

/** All changes, newest first. */
export function History(subject: Subject) {
  return (
    <Suspense fallback={<Loading />}>
      <Entries {...subject} />
    </Suspense>
  );
}

/** Who changed it last, and what: for a form whose object is not any more what it was. */
export function LastChange(subject: Subject) {
  return (
    <Suspense fallback={<Loading />}>
      <Last {...subject} />
    </Suspense>
  );
}

/** The history on demand; nothing for those who may not see it. */
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
