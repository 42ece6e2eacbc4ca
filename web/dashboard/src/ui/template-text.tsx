/** A text with merge fields, such as `{{customer.first_name}}`, which are inserted at the cursor. */
import './template-text.css';
import { flushSync } from 'react-dom';
import { useId, useRef, useState } from 'react';
import { Field } from './field.tsx';
import { ui } from './words.ts';

export interface MergeField {
  /** for example `customer.first_name` */
  readonly name: string;
  /** description of its value */
  readonly description: string;
}

export interface TemplateTextProps {
  readonly label: string;
  /** name of the field in its form */
  readonly name: string;
  readonly errors?: readonly string[];
  readonly fields: readonly MergeField[];
  /** 1 for a single line */
  readonly rows: number;
  /** absent: the field is uncontrolled, and `initial` is its initial value */
  readonly value?: string;
  readonly initial?: string;
  readonly onText?: (text: string) => void;
  readonly hint?: string;
  readonly autoFocus?: boolean;
}

export function TemplateText(props: TemplateTextProps) {
  const { label, name, errors, fields, rows, initial = '', onText, hint, autoFocus } = props;
  const [own, setOwn] = useState(initial);
  const text = props.value ?? own;
  const place = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const choose = useId();
  const put = (next: string): void => {
    setOwn(next);
    onText?.(next);
  };
  const insert = (field: string): void => {
    const { selectionStart, selectionEnd } = place.current!;
    const [from, to] = [selectionStart ?? text.length, selectionEnd ?? text.length];
    const written = `{{${field}}}`;
    // Rendered immediately: a focus change in the next frame could interrupt somebody who has moved on in the meantime.
    flushSync(() => put(text.slice(0, from) + written + text.slice(to)));
    place.current!.focus();
    place.current!.setSelectionRange(from + written.length, from + written.length);
  };
  const shared = {
    ref: place,
    name,
    value: text,
    autoFocus,
    onChange: (event: { readonly target: { readonly value: string } }) => put(event.target.value),
  };
  return (
    <div className="template-text">
      <Field label={label} errors={errors} hint={hint}>
        {rows === 1 ? <input autoComplete="off" {...shared} /> : <textarea rows={rows} {...shared} />}
      </Field>
      <p className="small">
        <label htmlFor={choose}>{ui.say('field.insert', { label })}</label>{' '}
        <select
          id={choose}
          value=""
          onChange={(event) => {
            if (event.target.value) insert(event.target.value);
          }}
        >
          <option value="">{ui.say('field.choose')}</option>
          {fields.map(({ name: field, description }) => (
            <option key={field} value={field}>
              {description}
            </option>
          ))}
        </select>
      </p>
    </div>
  );
}
