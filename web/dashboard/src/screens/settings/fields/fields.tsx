/** The fields of a form: those that apply to the values of its other fields. */
import { useState, type ReactNode } from 'react';
import { bodyOf, isAsked, initialFieldValues, type Answer, type Typed } from '../values.ts';
import { SettingField } from './index.tsx';
import { typedIn } from '../typed-in.ts';
import type { CollectionOf, FormOf, Setting } from '../declared/setting.ts';
import type { ErrorsOf } from '../../../changes/proposal-form.tsx';

export interface Opened {
  /** null for a new object */
  readonly answer: Answer | null;
  readonly etag: string | null;
  /** saved values */
  readonly before: Typed;
  /** initial values of the fields */
  readonly typed: Typed;
  /** increases whenever the fields are reset */
  readonly n: number;
}

type Of = FormOf | CollectionOf;

export const openFormState = ({ settings }: Of, answer: Answer | null, etag: string | null, n = 0): Opened => {
  const typed = initialFieldValues(settings, answer);
  // A new object has no saved values, so everything that is entered is sent.
  return { answer, etag, before: answer === null ? {} : typed, typed, n };
};

const isShown = ({ only }: Setting, { answer }: Opened): boolean =>
  only === undefined || only === (answer === null ? 'new' : 'change');

/** Returns values that have no field, but on which other fields depend. */
const hiddenOf = ({ settings }: Of, opened: Opened): Typed =>
  Object.fromEntries(settings.filter((one) => !isShown(one, opened)).map(({ name }) => [name, opened.typed[name]]));

/** Returns the body of a change of the object. */
export function changeOf(of: Of, opened: Opened, typed: Typed): Record<string, unknown> {
  const settings = of.settings.filter((one) => isShown(one, opened));
  return bodyOf({ ...of, settings }, opened.before, { ...hiddenOf(of, opened), ...typed });
}

export interface FieldsProps {
  readonly of: Of;
  readonly opened: Opened;
  readonly errors: ErrorsOf;
  /** additional content that depends on the current values */
  readonly more?: (now: Typed) => ReactNode;
}

export function Fields({ of, opened, errors, more }: FieldsProps) {
  const [now, setNow] = useState<Typed>(opened.typed);
  const all = { ...hiddenOf(of, opened), ...now };
  return (
    <div onChange={({ currentTarget }) => setNow(typedIn(currentTarget.closest('form')!))}>
      {of.settings
        .filter((setting) => isShown(setting, opened) && isAsked(setting, all))
        .map((setting) => (
          <SettingField
            key={setting.name}
            form={of.name}
            setting={setting}
            typed={opened.typed}
            errors={errors}
            answer={opened.answer}
          />
        ))}
      {more?.(all)}
    </div>
  );
}
