/** A labelled input with its hint and its errors. */
import { useId, type ReactElement, type ReactNode, cloneElement } from 'react';

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** messages of the interface for this property; absent if there are none */
  readonly errors?: readonly string[];
  /** an `input`, `select` or `textarea` */
  readonly children: ReactElement<Record<string, unknown>>;
}

export function Field({ label, hint, errors = [], children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}h` : '', errors.length > 0 ? `${id}e` : ''].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint ? (
        <p id={`${id}h`} className="hint">
          {hint}
        </p>
      ) : null}
      {cloneElement(children, {
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': errors.length > 0 || undefined,
      })}
      {errors.length > 0 ? (
        <p id={`${id}e`} className="error">
          {errors.join(' ')}
        </p>
      ) : null}
    </div>
  );
}
