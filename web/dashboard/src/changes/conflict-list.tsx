/** Fields that two people changed to different values: both versions, and which one to use. */
import { words } from './words.ts';

export interface Conflict {
  /** name of the field */
  readonly name: string;
  readonly label: string;
  /** as the form shows them; true and false for a box */
  readonly mine: string | boolean;
  readonly theirs: string | boolean;
}

export interface ConflictListProps {
  readonly conflicts: readonly Conflict[];
  /** `names`: the fields that are decided */
  readonly onSettle: (names: readonly string[], whose: 'mine' | 'theirs') => void;
}

const said = (value: string | boolean): string =>
  typeof value === 'boolean'
    ? words.say(value ? 'conflict.on' : 'conflict.off')
    : value || words.say('conflict.nothing');

export function ConflictList({ conflicts, onSettle }: ConflictListProps) {
  if (conflicts.length === 0) return null;
  const all = conflicts.map(({ name }) => name);
  const button = (names: readonly string[], whose: 'mine' | 'theirs', text: string, about?: string) => (
    <button
      type="button"
      className="second"
      {...(about !== undefined && { 'aria-label': `${about}: ${text}` })}
      onClick={() => onSettle(names, whose)}
    >
      {text}
    </button>
  );
  return (
    <div className="notice" role="group" aria-label={words.say('conflict')}>
      <p>{words.say('conflict')}</p>
      <ul className="plain-list">
        {conflicts.map(({ name, label, mine, theirs }) => (
          <li key={name}>
            <strong>{label}</strong>
            <br />
            {words.say('conflict.mine', { value: said(mine) })}
            <br />
            {words.say('conflict.theirs', { value: said(theirs) })}
            <span className="row-actions">
              {button([name], 'mine', words.say('conflict.keep'), label)}
              {button([name], 'theirs', words.say('conflict.take'), label)}
            </span>
          </li>
        ))}
      </ul>
      {conflicts.length > 1 ? (
        <div className="actions">
          {button(all, 'mine', words.say('conflict.keep_all'))}
          {button(all, 'theirs', words.say('conflict.take_all'))}
        </div>
      ) : null}
    </div>
  );
}
