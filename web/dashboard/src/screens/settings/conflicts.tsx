/**
 * Properties that two people changed to different values: both versions in words, and which one to use, field by field
 * or for all at once.
 */
import { choiceOf, labelOf, words } from './words.ts';
import { changeSaid, words as changes } from '../../changes/words.ts';
import { nameIn, zoneName } from '../../words/names.ts';
import { typedIn } from './typed-in.ts';
import { lifetimeIn, valueOf, type Typed } from './values.ts';
import type { Opened } from './fields/fields.tsx';
import type { Kind, Setting } from './declared/setting.ts';

export interface ConflictsProps {
  /** name of the form */
  readonly form: string;
  readonly opened: Opened;
  readonly conflicts: readonly Setting[];
  readonly onSettle: (some: readonly Setting[], whose: 'mine' | 'theirs', typed: Typed) => void;
}

/** Returns the value of a field that people choose by its name. */
function inWords(kind: Kind, value: string): string {
  if (kind === 'country') return nameIn('region', value);
  if (kind === 'language') return nameIn('language', value);
  if (kind === 'zone') return zoneName(value);
  if (kind === 'triggers') return changeSaid(value);
  const lifetime = kind === 'lifetime' ? lifetimeIn(value) : null;
  return lifetime ? `${lifetime.n} ${words.say(`unit.${lifetime.unit}` as 'unit.D')}` : value;
}

function said(form: string, setting: Setting, typed: Typed): string {
  const value = valueOf(setting, typed);
  if (setting.kind === 'secret') return words.say('conflict.secret');
  if (typeof value === 'boolean') return changes.say(value ? 'conflict.on' : 'conflict.off');
  if (value === null || value === undefined || value === '') return changes.say('conflict.nothing');
  const one = (part: unknown): string =>
    setting.choices ? choiceOf(form, setting, String(part)) : inWords(setting.kind, String(part));
  return Array.isArray(value)
    ? value.every((part) => typeof part !== 'object')
      ? value.map(one).join(', ') || changes.say('conflict.nothing')
      : words.say('conflict.several', { n: value.length })
    : one(value);
}

export function Conflicts({ form, opened, conflicts, onSettle }: ConflictsProps) {
  if (conflicts.length === 0) return null;
  const button = (some: readonly Setting[], whose: 'mine' | 'theirs', text: string, about?: string) => (
    <button
      type="button"
      className="second"
      {...(about !== undefined && { 'aria-label': `${about}: ${text}` })}
      onClick={({ currentTarget }) => onSettle(some, whose, typedIn(currentTarget.form!))}
    >
      {text}
    </button>
  );
  return (
    <div className="notice conflicts" role="group" aria-label={changes.say('conflict')}>
      <p>{changes.say('conflict')}</p>
      <ul>
        {conflicts.map((setting) => {
          const label = labelOf(form, setting);
          return (
            <li key={setting.name}>
              <strong>{label}</strong>
              <span>{changes.say('conflict.mine', { value: said(form, setting, opened.typed) })}</span>
              <span>{changes.say('conflict.theirs', { value: said(form, setting, opened.before) })}</span>
              <span className="actions">
                {button([setting], 'mine', changes.say('conflict.keep'), label)}
                {button([setting], 'theirs', changes.say('conflict.take'), label)}
              </span>
            </li>
          );
        })}
      </ul>
      {conflicts.length > 1 ? (
        <div className="actions">
          {button(conflicts, 'mine', changes.say('conflict.keep_all'))}
          {button(conflicts, 'theirs', changes.say('conflict.take_all'))}
        </div>
      ) : null}
    </div>
  );
}
