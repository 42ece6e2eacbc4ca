/** The fields of a form: those that its other fields ask for. */
import { useState, type ReactNode } from 'react';
import { bodyOf, isAsked, typedOf, type Answer, type Typed } from '../values.ts';
import { SettingField } from './index.tsx';
import { typedIn } from '../typed-in.ts';
import type { CollectionOf, FormOf, Setting } from '../declared/setting.ts';
import type { ErrorsOf } from '../../../changes/proposal-form.tsx';

export interface Opened {
  /** null: a new object */
  readonly answer: Answer | null;
  readonly etag: string | null;
  /** what it is set to */
  readonly before: Typed;
  /** what stands in the fields at first */
  readonly typed: Typed;
  /** counts up whenever the fields begin anew */
  readonly n: number;
}

type Of = FormOf | CollectionOf;

export const openedOf = ({ settings }: Of, answer: Answer | null, etag: string | null, n = 0): Opened => {
  const typed = typedOf(settings, answer);
  // Of a new object nothing is set yet, so all that is said is sent.
  return { answer, etag, before: answer === null ? {} : typed, typed, n };
};

const isShown = ({ only }: Setting, { answer }: Opened): boolean =>
  only === undefined || only === (answer === null ? 'new' : 'change');

/** What has no field, but other fields depend on. */
const hiddenOf = ({ settings }: Of, opened: Opened): Typed =>
  Object.fromEntries(settings.filter((one) => !isShown(one, opened)).map(({ name }) => [name, opened.typed[name]]));

/** What a change of the object sends. */
export function changeOf(of: Of, opened: Opened, typed: Typed): Record<string, unknown> {
  const settings = of.settings.filter((one) => isShown(one, opened));
  return bodyOf({ ...of, settings }, opened.before, { ...hiddenOf(of, opened), ...typed });
}

export interface FieldsProps {
  readonly of: Of;
  readonly opened: Opened;
  readonly errors: ErrorsOf;
  /** what is said of that which stands in the fields now */
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
