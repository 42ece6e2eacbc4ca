import type { Answer, Typed } from '../values.ts';
import type { ErrorsOf } from '../../../changes/proposal-form.tsx';
import type { Setting } from '../declared/setting.ts';

/** The props of a setting's field, whatever its kind. */
export interface FieldOf {
  /** name of the form or collection */
  readonly form: string;
  readonly setting: Setting;
  /** initial values of the fields */
  readonly typed: Typed;
  readonly errors: ErrorsOf;
  /** the object as the interface returned it; null for a new one */
  readonly answer: Answer | null;
}
