/**
 * Every change is previewed before it is made: the interface runs it, returns the effects, and rolls everything back.
 * Confirming sends the same call.
 */
import { createContext, lazy, Suspense, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { Refused, type Call, type DryRun, type Problem } from 'rollcall-sdk';
import { readAgain } from '../app/calls.ts';
import { toast } from '../ui/toasts.tsx';
import { ui } from '../ui/words.ts';
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
  /** undoes the change, if the interface can */
  readonly undo?: (answer: T) => void;
  /** the change destroys something that can't be restored */
  readonly grave?: boolean;
  /** details that are not part of the effects */
  readonly about?: ReactNode;
  /** shows the preview, if one line per kind of effect is not enough */
  readonly describe?: (preview: DryRun<T>) => ReactNode;
}

export type Outcome<T> =
  | { readonly made: true; readonly answer: T }
  | { readonly made: false; readonly problem: Problem | null };

/** Previews a change, and makes it if the person confirms. `problem`: why the interface refuses it */
type Propose = <T>(proposal: Proposal<T>) => Promise<Outcome<T>>;

/** Loaded with its texts when the first change is proposed. */
const Shown = lazy(async () => ({ default: (await import('./shown.tsx')).Shown }));

const ProposeContext = createContext<Propose | null>(null);

export function usePropose(): Propose {
  const propose = use(ProposeContext);
  if (!propose) throw new Error('Changes need <Changes> around them.');
  return propose;
}

export function Changes({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<Open | null>(null);
  const current = useRef<object | null>(null);
  const propose = useCallback<Propose>(
    (proposal) =>
      new Promise((done) => {
        const mine = {};
        current.current = mine;
        const settle: Open['settle'] = (outcome) => {
          current.current = null;
          setOpen(null);
          done(outcome);
        };
        setOpen({ proposal, settle, preview: null, error: null, making: false });
        proposal
          .call()
          .dryRun()
          .then(
            (preview) => current.current === mine && setOpen((now) => now && { ...now, preview }),
            (error: unknown) => {
              if (current.current !== mine) return;
              // Errors of a field are shown next to the field.
              if (error instanceof Refused && Object.keys(error.problem.field_errors).length > 0)
                settle({ made: false, problem: error.problem });
              else setOpen((now) => now && { ...now, error });
            },
          );
      }),
    [],
  );
  const make = async ({ proposal, settle }: Open): Promise<void> => {
    setOpen((now) => now && { ...now, making: true, error: null });
    try {
      const answer = await proposal.call();
      readAgain();
      const { undo } = proposal;
      toast({
        text: proposal.done,
        ...(undo && { action: { label: ui.say('undo'), run: () => undo(answer) } }),
      });
      settle({ made: true, answer });
    } catch (error) {
      setOpen((now) => now && { ...now, making: false, error });
    }
  };
  const value = useMemo(() => propose, [propose]);
  return (
    <ProposeContext value={value}>
      {children}
      <Suspense>{open && <Shown open={open} onMake={() => void make(open)} />}</Suspense>
    </ProposeContext>
  );
}
