/** What to do about a change that somebody else made while this one was typed. */
import { LastChange, type Subject } from '../../ui/history/index.tsx';
import { words } from './words.ts';

export interface MeanwhileProps {
  readonly subject: Subject | null;
  /** takes over what is there now, and keeps what was typed */
  readonly onAgain: (form: HTMLFormElement) => void;
}

export function Meanwhile({ subject, onAgain }: MeanwhileProps) {
  return (
    <>
      {subject ? <LastChange {...subject} /> : null}
      <button type="button" className="second" onClick={({ currentTarget }) => onAgain(currentTarget.form!)}>
        {words.say('again')}
      </button>
    </>
  );
}
