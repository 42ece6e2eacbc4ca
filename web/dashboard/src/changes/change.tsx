/**
 * Every change is tried before it is made: the interface runs it, returns the effects, and rolls everything back. If
 * they concern people, money or messages, they are shown, and confirming sends the same call. Otherwise it is sent at
 * once, with an offer to undo it.
 */
import { createContext, lazy, Suspense, use, useCallback, useRef, useState, type ReactNode } from 'react';
import type { Call, DryRun, Problem } from 'rollcall-sdk';
import { useBusiness } from '../app/business.ts';
import type { Open } from './shown.tsx';

export interface Proposal<T> {
  /** title of the action: `Cancel Power Yoga` */
  readonly title: string;
  /** label of the button that confirms; absent: the title */
  readonly confirm?: string;
  /** Creates the call, once for the preview and once for the change. */
  readonly call: () => Call<T, any, any, true>;
  /** message after success */
  readonly done: string;
  /** undoes the change; absent: derived from the call, if the interface can */
  readonly undo?: (answer: T) => void;
  /** runs after the change was undone, for a form that still shows it */
  readonly undone?: () => void;
  /** the change destroys something that can't be restored */
  readonly grave?: boolean;
  /** effects that the button itself names, on the object beside it; with no other effect, the change is made at once */
  readonly announced?: readonly string[];
  /** details that are not part of the effects; with them, the change is always shown first */
  readonly about?: ReactNode;
  /** the form shows a refusal itself */
  readonly inForm?: boolean;
  /** shows the preview, if one line per kind of effect is not enough */
  readonly describe?: (preview: DryRun<T>) => ReactNode;
}

export type Outcome<T> =
  | { readonly made: true; readonly answer: T }
  | { readonly made: false; readonly problem: Problem | null };

/** Previews a change, and makes it if the person confirms. `problem`: why the interface refuses it */
export type Propose = <T>(proposal: Proposal<T>) => Promise<Outcome<T>>;

/** Loaded with its texts when the first change is proposed. */
const Shown = lazy(async () => ({ default: (await import('./shown.tsx')).Shown }));

const ProposeContext = createContext<Propose | null>(null);

export function usePropose(): Propose {
  const propose = use(ProposeContext);
  if (!propose) throw new Error('Changes need <Changes> around them.');
  return propose;
}

export function Changes({ children }: { readonly children: ReactNode }) {
  const { id: business } = useBusiness();
  const [open, setOpen] = useState<Open | null>(null);
  const current = useRef<Open | null>(null);
  const propose = useCallback<Propose>(
    // Loaded with the first change.
    async (proposal) => (await import('./propose.ts')).propose(proposal, { business, current, setOpen }),
    [business],
  );
  return (
    <ProposeContext value={propose}>
      {children}
      <Suspense>{open?.shown && <Shown open={open} />}</Suspense>
    </ProposeContext>
  );
}
