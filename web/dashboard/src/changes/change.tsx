/**
 * Every change is shown before it is made: the interface tries it, says what would happen, and takes all of it back. What is
 * then confirmed is the same call.
 */
import { createContext, lazy, Suspense, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { Refused, type Call, type DryRun, type Problem } from 'rollcall-sdk';
import { readAgain } from '../app/calls.ts';
import { toast } from '../ui/toasts.tsx';
import { ui } from '../ui/words.ts';
import type { Open } from './shown.tsx';

export interface Proposal<T> {
  /** what is about to be done: `Cancel Power Yoga` */
  readonly title: string;
  /** the button that does it; absent: the title */
  readonly confirm?: string;
  /** The call. It is made anew for the trial and for the change. */
  readonly call: () => Call<T, any, any, true>;
  /** what is said afterwards */
  readonly done: string;
  /** takes it back, where the interface can */
  readonly undo?: (answer: T) => void;
  /** it takes something away that does not come back */
  readonly grave?: boolean;
  /** more about it than the effects say */
  readonly about?: ReactNode;
  /** says what the trial found, where a line for each kind of effect says too little */
  readonly told?: (tried: DryRun<T>) => ReactNode;
}

export type Outcome<T> =
  | { readonly made: true; readonly answer: T }
  | { readonly made: false; readonly problem: Problem | null };

/** Shows what a change would do, and makes it if the person confirms. `problem`: why the interface refuses it. */
type Propose = <T>(proposal: Proposal<T>) => Promise<Outcome<T>>;

/** Comes with its words when the first change is proposed. */
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
        setOpen({ proposal, settle, tried: null, error: null, making: false });
        proposal
          .call()
          .dryRun()
          .then(
            (tried) => current.current === mine && setOpen((now) => now && { ...now, tried }),
            (error: unknown) => {
              if (current.current !== mine) return;
              // What is wrong with a field is said beside the field.
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
