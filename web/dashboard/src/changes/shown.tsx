/** The preview of a change, and the button that commits it. */
import { useEffect, useRef } from 'react';
import { Refused, Unreachable, type DryRun } from 'rollcall-sdk';
import { Dialog } from '../ui/dialog.tsx';
import { Effects } from './effects.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { ui } from '../ui/words.ts';
import { words } from './words.ts';
import type { Outcome, Proposal } from './change.tsx';

export interface Open {
  readonly proposal: Proposal<any>;
  readonly settle: (outcome: Outcome<any>) => void;
  /** makes the change that is shown */
  readonly make: (open: Open) => void;
  /** whether the person sees it */
  readonly shown: boolean;
  /** whether it takes the place of a form */
  readonly isHosted: boolean;
  readonly preview: DryRun<unknown> | null;
  readonly error: unknown;
  readonly making: boolean;
}

export function Shown({ open }: { readonly open: Open }) {
  const { proposal, preview, error, making, settle } = open;
  const confirm = useRef<HTMLButtonElement>(null);
  // Runs after the dialog has opened: hidden elements can't receive the focus.
  useEffect(() => confirm.current?.focus(), [preview]);
  const leave = (): void => {
    // A change in progress cannot be stopped; its outcome is shown.
    if (!making) settle({ made: false, problem: error instanceof Refused ? error.problem : null });
  };
  return (
    <Dialog title={proposal.title} onClose={leave}>
      {proposal.about}
      {error ? <Failed error={error} /> : null}
      {preview && !(error instanceof Refused) ? (
        <>
          <p className="soft">{words.say('would')}</p>
          {proposal.describe ? proposal.describe(preview) : <Effects effects={preview.effects} />}
        </>
      ) : null}
      {!preview && !error ? <Loading /> : null}
      <div className="actions">
        {preview && !(error instanceof Refused) ? (
          <button
            ref={confirm}
            type="button"
            className={proposal.grave ? 'button grave' : 'button'}
            disabled={making}
            onClick={() => open.make(open)}
          >
            {error instanceof Unreachable ? ui.say('try_again') : (proposal.confirm ?? proposal.title)}
          </button>
        ) : null}
        <button type="button" className="second" disabled={making} onClick={leave}>
          {ui.say(open.isHosted ? 'back' : error instanceof Refused ? 'close' : 'cancel')}
        </button>
      </div>
    </Dialog>
  );
}
