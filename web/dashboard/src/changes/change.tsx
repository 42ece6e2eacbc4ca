/**
 * Every change is shown before it is made: the interface tries it, says what would happen, and takes all of it back. What is
 * then confirmed is the same call.
 */
import { createContext, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { Refused, Unreachable, type Call, type DryRun, type Problem } from 'rollcall-sdk';
import { Dialog } from '../ui/dialog.tsx';
import { Effects } from './effects.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { readAgain } from '../app/calls.ts';
import { toast } from '../ui/toasts.tsx';
import { ui } from '../ui/words.ts';
import { words } from './words.ts';

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
}

export type Outcome<T> =
  | { readonly made: true; readonly answer: T }
  | { readonly made: false; readonly problem: Problem | null };

/** Shows what a change would do, and makes it if the person confirms. `problem`: why the interface refuses it. */
type Propose = <T>(proposal: Proposal<T>) => Promise<Outcome<T>>;

const ProposeContext = createContext<Propose | null>(null);

export function usePropose(): Propose {
  const propose = use(ProposeContext);
  if (!propose) throw new Error('Changes need <Changes> around them.');
  return propose;
}

interface Open {
  readonly proposal: Proposal<any>;
  readonly settle: (outcome: Outcome<any>) => void;
  readonly tried: DryRun<unknown> | null;
  readonly error: unknown;
  readonly making: boolean;
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
        ...(undo && { action: { label: words.say('undo'), run: () => undo(answer) } }),
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
      {open && <Shown open={open} onMake={() => void make(open)} />}
    </ProposeContext>
  );
}

function Shown({ open, onMake }: { readonly open: Open; readonly onMake: () => void }) {
  const { proposal, tried, error, making, settle } = open;
  const leave = (): void => {
    // A change that is on its way cannot be stopped; its outcome is shown.
    if (!making) settle({ made: false, problem: error instanceof Refused ? error.problem : null });
  };
  return (
    <Dialog title={proposal.title} onClose={leave}>
      {proposal.about}
      {error ? <Failed error={error} /> : null}
      {tried && !(error instanceof Refused) ? (
        <>
          <p className="soft">{words.say('would')}</p>
          <Effects effects={tried.effects} />
        </>
      ) : null}
      {!tried && !error ? <Loading /> : null}
      <div className="actions">
        {tried && !(error instanceof Refused) ? (
          <button
            type="button"
            className={proposal.grave ? 'button grave' : 'button'}
            disabled={making}
            onClick={onMake}
            autoFocus
          >
            {error instanceof Unreachable ? ui.say('try_again') : (proposal.confirm ?? proposal.title)}
          </button>
        ) : null}
        <button type="button" className="second" disabled={making} onClick={leave}>
          {error instanceof Refused ? ui.say('close') : ui.say('cancel')}
        </button>
      </div>
    </Dialog>
  );
}
