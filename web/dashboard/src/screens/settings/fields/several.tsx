/** Fields for several values: checkboxes, people, and rows with the same properties. */
import { useState } from 'react';
import { choiceOf, hintFor, labelOf, words } from '../words.ts';
import { FindCustomer } from '../../../ui/find-customer.tsx';
import { nameOf } from '../../../app/customers.ts';
import type { Answer } from '../values.ts';
import type { FieldOf } from './field-of.ts';
import { useList } from '../call.ts';

interface Box {
  readonly key: string;
  readonly label: string;
}

// The names of the boxes let the form find the field of a refusal.
function Boxes({ form, setting, typed, errors, boxes }: FieldOf & { readonly boxes: readonly Box[] }) {
  const hint = hintFor(form, setting);
  const wrong = errors(setting.name);
  return (
    <fieldset className="field" name={setting.name} tabIndex={-1}>
      <legend>{labelOf(form, setting)}</legend>
      {hint ? <p className="hint">{hint}</p> : null}
      {wrong.length > 0 ? <p className="error">{wrong.join(' ')}</p> : null}
      <div className="setting-boxes">
        {boxes.length === 0 ? <p className="soft small">{words.say('nothing_there')}</p> : null}
        {boxes.map(({ key, label }) => (
          <label key={key} className="box">
            <input
              type="checkbox"
              name={`${setting.name}.${key}`}
              defaultChecked={typed[`${setting.name}.${key}`] !== undefined}
            />{' '}
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export const Choices = (props: FieldOf) => (
  <Boxes
    {...props}
    boxes={props.setting.choices!.map((key) => ({ key, label: choiceOf(props.form, props.setting, key) }))}
  />
);

export function Many(props: FieldOf) {
  const { setting, typed } = props;
  const { data } = useList(setting.from!);
  const chosen = Object.keys(typed)
    .filter((name) => name.startsWith(`${setting.name}.`) && typed[name] !== undefined)
    .map((name) => name.slice(setting.name.length + 1));
  const known = (data ?? []).map(({ id, name }) => ({ key: String(id), label: name ?? String(id) }));
  // Chosen values that the list doesn't have, or has not loaded yet, stay chosen.
  const others = chosen
    .filter((key) => !known.some((one) => one.key === key))
    .map((key) => ({ key, label: data ? key : '…' }));
  return <Boxes {...props} boxes={[...known, ...others]} />;
}

export function People({ form, setting, answer, errors }: FieldOf) {
  const wrong = errors(setting.name);
  const [people, setPeople] = useState<readonly Box[]>(() =>
    ((answer?.[setting.name] ?? []) as Answer[]).map((one) => ({
      key: String(one.id),
      label: nameOf(one as Parameters<typeof nameOf>[0]),
    })),
  );
  return (
    <fieldset className="field" name={setting.name} tabIndex={-1}>
      <legend>{labelOf(form, setting)}</legend>
      {wrong.length > 0 ? <p className="error">{wrong.join(' ')}</p> : null}
      <FindCustomer
        label={words.say('find_customer')}
        onChoose={({ id, label }) =>
          setPeople((all) => [...all.filter(({ key }) => key !== String(id)), { key: String(id), label }])
        }
      />
      <ul className="plain-list">
        {people.map(({ key, label }) => (
          <li key={key}>
            <input type="hidden" name={`${setting.name}.${key}`} value="on" />
            {label}{' '}
            <button
              type="button"
              className="plain"
              onClick={() => setPeople((all) => all.filter((one) => one.key !== key))}
            >
              {words.say('remove', { what: label })}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
