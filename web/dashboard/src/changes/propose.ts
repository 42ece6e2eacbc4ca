/** How a change is tried, shown if it has to be, and made. */
import type { Dispatch, RefObject, SetStateAction } from 'react';
import { Refused } from 'rollcall-sdk';
import { needsPreview } from './news.ts';
import { problemOf, readAgain } from '../app/calls.ts';
import { toast } from '../ui/toasts.tsx';
import { topmost } from '../ui/dialog-stack.ts';
import { ui } from '../ui/words.ts';
import type { Open } from './shown.tsx';
import type { Outcome, Proposal } from './change.tsx';

/** A preview that takes longer than this is shown while it loads. */
const PATIENCE_MS = 400;

interface Place {
  readonly business: number;
  /** the change that is being tried, shown or made */
  readonly current: RefObject<Open | null>;
  readonly setOpen: Dispatch<SetStateAction<Open | null>>;
}

async function make({ proposal, settle, preview }: Open, { business, setOpen }: Place): Promise<void> {
  setOpen((now) => now && { ...now, making: true, error: null });
  try {
    const call = proposal.call();
    // A change that was shown first concerns others too. Without access to the earlier values, they can't be restored.
    const prepared =
      proposal.undo || preview
        ? null
        : await import('./undo.ts')
            .then(({ prepareUndo }) => prepareUndo(business, call, proposal.undone))
            .catch(() => null);
    const { value, etag } = await call.answer();
    readAgain();
    const run = proposal.undo ? () => proposal.undo!(value) : prepared && (() => void prepared(value, etag));
    toast({ text: proposal.done, ...(run && { action: { label: ui.say('undo'), run } }) });
    settle({ made: true, answer: value });
  } catch (error) {
    setOpen((now) => now && { ...now, making: false, shown: true, error });
  }
}

/** Tries a change, shows its effects if they concern others, and makes it. */
export function propose<T>(proposal: Proposal<T>, place: Place): Promise<Outcome<T>> {
  const { current, setOpen } = place;
  return new Promise((done) => {
    // A second click while the first one is being tried or made.
    if (current.current) return done({ made: false, problem: null });
    const settle: Open['settle'] = (outcome) => {
      clearTimeout(patience);
      current.current = null;
      setOpen(null);
      done(outcome);
    };
    const mine: Open = {
      proposal,
      settle,
      make: (open) => void make(open, place),
      isHosted: topmost() !== undefined,
      preview: null,
      error: null,
      making: false,
      shown: false,
    };
    const patience = setTimeout(() => setOpen((now) => now && { ...now, shown: true }), PATIENCE_MS);
    current.current = mine;
    setOpen(mine);
    const call = proposal.call();
    call.dryRun().then(
      (preview) => {
        if (current.current !== mine) return;
        const { grave, about, announced } = proposal;
        const isKnown = announced
          ? preview.effects.every(({ effect }) => announced.includes(effect))
          : !needsPreview(call.operation, preview.effects);
        if (!grave && !about && isKnown) return make(mine, place);
        clearTimeout(patience);
        setOpen((now) => now && { ...now, preview, shown: true });
      },
      (error: unknown) => {
        if (current.current !== mine) return;
        // Errors of a field are shown next to the field.
        const isOfForm = proposal.inForm || Object.keys(problemOf(error)?.field_errors ?? {}).length > 0;
        if (error instanceof Refused && isOfForm) settle({ made: false, problem: error.problem });
        else setOpen((now) => now && { ...now, error, shown: true });
      },
    );
  });
}
