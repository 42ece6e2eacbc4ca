import type { Answer, Typed } from '../values.ts';
import type { ErrorsOf } from '../../../changes/proposal-form.tsx';
import type { Setting } from '../declared/setting.ts';

/** What the field of a setting is given, whatever its kind. */
export interface FieldOf {
  /** the name of the form or collection */
  readonly form: string;
  readonly setting: Setting;
  /** what stands in the fields at first */
  readonly typed: Typed;
  readonly errors: ErrorsOf;
  /** what the interface said of the object; null: it is a new one */
  readonly answer: Answer | null;
}
