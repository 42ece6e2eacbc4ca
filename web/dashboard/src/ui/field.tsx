/** A labelled input with what helps to fill it in, and what is wrong with it. */
import { useId, type ReactElement, type ReactNode, cloneElement } from 'react';

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** as the interface says it of this property; absent: it is fine */
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
