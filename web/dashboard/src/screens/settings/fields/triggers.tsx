/** Checkboxes for what can happen to a customer, in words; what happens rarely is in a section of its own. */
import { GROUPS, said, TRIGGER_GROUPS, useOtherTriggers } from '../../../triggers/triggers.ts';
import { hintFor, labelOf } from '../words.ts';
import { words as ofTriggers } from '../../../triggers/words.ts';
import type { FieldOf } from './field-of.ts';

export function Triggers({ form, setting, typed, errors }: FieldOf) {
  const { name } = setting;
  const others = useOtherTriggers();
  const hint = hintFor(form, setting);
  const wrong = errors(name);
  const box = (type: string, text: string) => (
    <label key={type} className="box">
      <input type="checkbox" name={`${name}.${type}`} defaultChecked={typed[`${name}.${type}`] !== undefined} /> {text}
    </label>
  );
  const usual: readonly string[] = TRIGGER_GROUPS.flatMap((group) => GROUPS[group]);
  const chosen = Object.keys(typed)
    .filter((field) => field.startsWith(`${name}.`) && typed[field] !== undefined)
    .map((field) => field.slice(name.length + 1));
  // Those that are chosen stay chosen while the others are read.
  const known = others.map(({ type }) => type);
  const unread = chosen.filter((type) => !usual.includes(type) && !known.includes(type));
  const rare = [...unread.map((type) => ({ type, text: said(type) })), ...others];
  return (
    <fieldset className="field" name={name} tabIndex={-1}>
      <legend>{labelOf(form, setting)}</legend>
      {hint ? <p className="hint">{hint}</p> : null}
      {wrong.length > 0 ? <p className="error">{wrong.join(' ')}</p> : null}
      <div className="setting-boxes">
        {usual.filter((type) => !NEVER.has(type)).map((type) => box(type, said(type)))}
      </div>
      <details open={rare.some(({ type }) => chosen.includes(type))}>
        <summary>{ofTriggers.say('others')}</summary>
        <div className="setting-boxes">{rare.map(({ type, text }) => box(type, text))}</div>
      </details>
    </fieldset>
  );
}

/** A change of status can't trigger another one. */
const NEVER = new Set(['customer_status.changed']);
