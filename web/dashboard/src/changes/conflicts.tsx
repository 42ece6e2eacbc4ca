/** The conflicts of a form whose fields keep their own values. */
import { ConflictList } from './conflict-list.tsx';
import { labelIn, put, shownIn, type Values } from './merge.ts';

export interface ConflictsProps {
  readonly form: HTMLFormElement;
  /** names of the fields */
  readonly names: readonly string[];
  readonly mine: Values;
  readonly theirs: Values;
  readonly onSettled: (names: readonly string[]) => void;
}

export function Conflicts({ form, names, mine, theirs, onSettled }: ConflictsProps) {
  return (
    <ConflictList
      conflicts={names.map((name) => ({
        name,
        label: labelIn(form, name),
        mine: shownIn(form, name, mine[name]),
        theirs: shownIn(form, name, theirs[name]),
      }))}
      onSettle={(some, whose) => {
        for (const name of some) put(form, name, (whose === 'mine' ? mine : theirs)[name]);
        onSettled(some);
      }}
    />
  );
}
