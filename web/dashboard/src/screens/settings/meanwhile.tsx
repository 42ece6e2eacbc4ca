/** Options after somebody else changed the object during editing. */
import { LastChange, type Subject } from '../../ui/history/index.tsx';
import { words } from './words.ts';

export interface MeanwhileProps {
  readonly subject: Subject | null;
  /** loads the current values, and keeps the typed ones */
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
