/** A question as a form field, and its answer as a text. */
import { ADDRESS, isObject } from '../../../person/answer-text.ts';
import { Field } from '../../../ui/field.tsx';
import { words } from './words.ts';
import type { ItemOf } from 'rollcall-sdk';
import type { Typed } from '../../../changes/proposal-form.tsx';

type Question = ItemOf<'GET /customer_fields'>;
type Type = Question['type'];

/** Returns the answer that was entered, as the interface takes it; null removes it. */
export function answerIn(type: Type, typed: Typed): unknown {
  const { value = '' } = typed;
  if (type === 'multiple_choice') {
    const chosen = Object.keys(typed).filter((name) => name.startsWith('of ') && typed[name] !== undefined);
    return chosen.length === 0 ? null : chosen.map((name) => name.slice(3));
  }
  if (type === 'address') {
    const parts = ADDRESS.flatMap((part) => (typed[part] ? [[part, typed[part]] as const] : []));
    return parts.length === 0 ? null : Object.fromEntries(parts);
  }
  if (value === '') return null;
  if (type === 'integer') return Number(value);
  if (type === 'boolean') return { answer: value === 'yes', explanation: typed.explanation || null };
  return value;
}

interface AnswerFieldProps {
  readonly question: Question;
  /** the present answer; undefined: there is none */
  readonly value: unknown;
  readonly errors: readonly string[];
}

const INPUTS: Readonly<Partial<Record<Type, string>>> = {
  date: 'date',
  datetime: 'datetime-local',
  phone_number: 'tel',
};

export function AnswerField({ question, value, errors }: AnswerFieldProps) {
  const { type, full_text: label, help, choices, explanation_required_condition: explained } = question;
  const hint = help ?? undefined;
  const plain = value === undefined || isObject(value) || Array.isArray(value) ? '' : String(value);
  if (type === 'boolean') {
    const { answer, explanation } = isObject(value) ? value : {};
    return (
      <>
        <Field label={label} hint={hint} errors={errors}>
          <select name="value" defaultValue={answer === undefined ? '' : answer === true ? 'yes' : 'no'} autoFocus>
            <option value="">{words.say('answer.blank')}</option>
            <option value="yes">{words.say('answer.yes')}</option>
            <option value="no">{words.say('answer.no')}</option>
          </select>
        </Field>
        {explained === 'never' ? null : (
          <Field label={words.say('answer.explanation')}>
            <textarea name="explanation" rows={3} defaultValue={String(explanation ?? '')} />
          </Field>
        )}
      </>
    );
  }
  if (type === 'multiple_choice') {
    const chosen = new Set(Array.isArray(value) ? value : []);
    return (
      <fieldset aria-invalid={errors.length > 0 || undefined}>
        <legend>{label}</legend>
        {choices.map((one) => (
          <label key={one.value} className="box">
            <input name={`of ${one.value}`} type="checkbox" defaultChecked={chosen.has(one.value)} /> {one.value}
          </label>
        ))}
        {errors.length > 0 ? <p className="error">{errors.join(' ')}</p> : null}
      </fieldset>
    );
  }
  if (type === 'address') {
    const known = isObject(value) ? value : {};
    return (
      <fieldset aria-invalid={errors.length > 0 || undefined}>
        <legend>{label}</legend>
        {ADDRESS.map((part) => (
          <Field key={part} label={words.say(`answer.${part}`)}>
            <input name={part} maxLength={255} defaultValue={String(known[part] ?? '')} />
          </Field>
        ))}
        {errors.length > 0 ? <p className="error">{errors.join(' ')}</p> : null}
      </fieldset>
    );
  }
  if (type === 'choice')
    return (
      <Field label={label} hint={hint} errors={errors}>
        <select name="value" defaultValue={plain} autoFocus>
          <option value="">{words.say('answer.blank')}</option>
          {choices.map((one) => (
            <option key={one.value} value={one.value}>
              {one.value}
            </option>
          ))}
        </select>
      </Field>
    );
  if (type === 'long_text')
    return (
      <Field label={label} hint={hint} errors={errors}>
        <textarea name="value" rows={5} defaultValue={plain} autoFocus />
      </Field>
    );
  return (
    <Field label={label} hint={hint} errors={errors}>
      <input
        name="value"
        type={INPUTS[type] ?? 'text'}
        inputMode={type === 'integer' ? 'numeric' : type === 'decimal' ? 'decimal' : undefined}
        defaultValue={type === 'datetime' ? plain.slice(0, 16) : plain}
        autoFocus
      />
    </Field>
  );
}
