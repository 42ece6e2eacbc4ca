/** Rows with the same properties, each of which has a field of its own kind. */
import { useState, type ComponentType } from 'react';
import { hintFor, labelOf, words } from '../words.ts';
import { rowsOf, within } from '../values.ts';
import type { FieldOf } from './field-of.ts';

export function Rows({
  form,
  setting,
  typed,
  errors,
  answer,
  Shown,
}: FieldOf & { readonly Shown: ComponentType<FieldOf> }) {
  const wrong = errors(setting.name);
  // Rows have keys of their own, so that input stays in its row when another one is removed.
  const [keys, setKeys] = useState(() => Array.from({ length: rowsOf(setting.name, typed) }, (_, n) => n));
  const hint = hintFor(form, setting);
  return (
    <fieldset className="field" name={setting.name} tabIndex={-1}>
      <legend>{labelOf(form, setting)}</legend>
      {hint ? <p className="hint">{hint}</p> : null}
      {wrong.length > 0 ? <p className="error">{wrong.join(' ')}</p> : null}
      {keys.map((key, n) => (
        <fieldset key={key} className="setting-row">
          <legend className="unseen">{words.say('row', { n: n + 1 })}</legend>
          {setting.columns!.map((column) => (
            <Shown
              key={column.name}
              form={form}
              setting={within(column, setting.name, n)}
              typed={renumbered(typed, within(column, setting.name, key).name, within(column, setting.name, n).name)}
              errors={errors}
              answer={answer}
            />
          ))}
          <button type="button" className="second" onClick={() => setKeys((all) => all.filter((one) => one !== key))}>
            {words.say('row.remove', { n: n + 1 })}
          </button>
        </fieldset>
      ))}
      <button
        type="button"
        className="second"
        onClick={() => setKeys((all) => [...all, Math.max(-1, ...all, rowsOf(setting.name, typed) - 1) + 1])}
      >
        {words.say('row.add')}
      </button>
    </fieldset>
  );
}

/** Returns the initial values of a row, under its current number. */
const renumbered = (typed: FieldOf['typed'], first: string, now: string): FieldOf['typed'] => ({
  [now]: typed[first],
  [`${now}.unit`]: typed[`${first}.unit`],
});
