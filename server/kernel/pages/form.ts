/**
 * Forms of pages. A field is declared once, with its label, its kind and what a browser may fill in; parsing and
 * rendering it, with its error if there is one, are derived. Every input is bounded, whatever the browser was told.
 */

import { canonicalAddress } from '../base/values/mail-address.ts';
import { composed } from '../base/values/text/composed.ts';
import { parseDate } from '../base/values/date.ts';
import { nameFault } from '../base/values/person-name.ts';
import { IN_ENGLISH, type FormKey, type FormSay } from './messages.ts';
import type { Html } from '../base/markup/html.ts';

type FieldKind = 'text' | 'date' | 'email' | 'password' | 'code' | 'check' | 'choice' | 'radios' | 'hidden';

/**
 * A parsed value, or an error message that says how to fix the input; `n` is the limit in characters that the message
 * names.
 */
type Reading<V> = { readonly value: V } | { readonly error: FormKey; readonly n?: number };

export interface Field<V = unknown> {
  readonly kind: FieldKind;
  readonly label: string;
  readonly hint?: string;
  /** HTML autocomplete token: what the browser knows about the person */
  readonly autocomplete?: string;
  readonly required: boolean;
  readonly max: number;
  /** for `choice` and `radios`: pairs of value and label */
  readonly options?: readonly (readonly [string, string])[];
  /** for `radios`: image shown with the label of a value, larger while that value is selected */
  readonly pictures?: ReadonlyMap<string, Html>;
  /** a phone shows its keyboard of digits */
  readonly digits?: boolean;
  /** shown again if another field was wrong; never for secrets */
  readonly kept: boolean;
  readonly read: (sent: string) => Reading<V>;
}

interface Hints {
  hint?: string;
  autocomplete?: string;
}

const CONTROL = /\p{Cc}/u;
const EMAIL = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\]]+$/u;

/** Declares a single line of text, trimmed and normalized to NFC. */
export function text(
  label: string,
  { max = 256, optional = false, ...hints }: Hints & { max?: number; optional?: boolean } = {},
): Field<string> {
  const read = (sent: string): Reading<string> => {
    const value = composed(sent, max).trim();
    if (value === '' && !optional) return { error: 'form.fill_in' };
    if (value.length > max) return { error: 'form.too_long', n: max };
    return CONTROL.test(value) ? { error: 'form.invisible' } : { value };
  };
  return { kind: 'text', label, required: !optional, max, kept: true, read, ...hints };
}

/** Declares the name of a person, used as the greeting in emails. */
export function personName(label: string, options: Parameters<typeof text>[1]): Field<string> {
  const field = text(label, options);
  const read = (sent: string): Reading<string> => {
    const reading = field.read(sent);
    const fault = 'value' in reading ? nameFault(reading.value) : null;
    return fault === null ? reading : { error: fault === 'characters' ? 'form.invisible' : 'form.no_address' };
  };
  return { ...field, read };
}

export function email(
  label = 'Email address',
  { optional = false, ...hints }: Hints & { optional?: boolean } = {},
): Field<string> {
  const read = (sent: string): Reading<string> => (optional && sent.trim() === '' ? { value: '' } : readEmail(sent));
  return { ...text(label, { max: 254, optional }), kind: 'email', autocomplete: 'email', read, ...hints };
}

function readEmail(sent: string): Reading<string> {
  const value = canonicalAddress(sent);
  if (value === '') return { error: 'form.email_missing' };
  const plain = value.length <= 254 && !CONTROL.test(value) && EMAIL.test(value);
  return plain ? { value } : { error: 'form.email' };
}

/** Declares a password, taken exactly as typed, including spaces. The caller checks its strength. */
export function password(label: string, hints: Hints = {}): Field<string> {
  return {
    kind: 'password',
    label,
    required: true,
    max: 512,
    kept: false,
    autocomplete: 'current-password',
    read: readPassword,
    ...hints,
  };
}

function readPassword(sent: string): Reading<string> {
  if (sent === '') return { error: 'form.password_missing' };
  return sent.length > 512 ? { error: 'form.too_long', n: 512 } : { value: sent };
}

/** Declares a short code that a person copies from elsewhere; spaces and dashes in it are ignored. */
export function code(
  label: string,
  { max = 40, ...hints }: Hints & { max?: number; digits?: boolean } = {},
): Field<string> {
  const read = (sent: string): Reading<string> => {
    const value = sent.replaceAll(/[\s-]/g, '');
    if (value === '') return { error: 'form.code_missing' };
    return value.length <= max && /^[A-Za-z0-9]+$/.test(value) ? { value } : { error: 'form.code' };
  };
  return { kind: 'code', label, required: true, max, kept: false, autocomplete: 'one-time-code', read, ...hints };
}

/** Declares a calendar date in the format that browsers send; empty if it is optional and none was chosen. */
export const date = (
  label: string,
  { optional = false, ...hints }: Hints & { optional?: boolean } = {},
): Field<string> => ({
  kind: 'date',
  label,
  required: !optional,
  max: 10,
  kept: true,
  read: (sent) => (optional && sent === '' ? { value: '' } : readDate(sent)),
  ...hints,
});

function readDate(sent: string): Reading<string> {
  const value = parseDate(sent.trim());
  return value === null ? { error: 'form.date' } : { value };
}

export const check = (label: string, hints: Hints = {}): Field<boolean> => ({
  kind: 'check',
  label,
  required: false,
  max: 10,
  kept: true,
  read: (sent) => ({ value: sent === 'on' }),
  ...hints,
});

/**
 * Declares a choice of `options`, which are pairs of value and label; empty if it is optional and nothing was chosen.
 */
export function choice(
  label: string,
  options: readonly (readonly [string, string])[],
  { optional = false, ...hints }: Hints & { optional?: boolean } = {},
): Field<string> {
  const taken = (sent: string): boolean => (sent === '' && optional) || options.some(([value]) => value === sent);
  const read = (sent: string): Reading<string> => (taken(sent) ? { value: sent } : { error: 'form.choice' });
  return { kind: 'choice', label, required: !optional, max: 100, kept: true, options, read, ...hints };
}

/** Declares a choice of a few `options`, all of them visible. */
export const radios = (
  label: string,
  options: readonly (readonly [string, string])[],
  { pictures, ...hints }: Hints & Pick<Field, 'pictures'> = {},
): Field<string> => ({ ...choice(label, options, hints), kind: 'radios', pictures });

/** Declares a value that the page itself carries along, such as the secret of a link. Empty if it was not sent. */
export const hidden = (max = 200): Field<string> => ({
  kind: 'hidden',
  label: '',
  required: false,
  max,
  kept: true,
  read: (sent) => (sent.length <= max && !CONTROL.test(sent) ? { value: sent } : { value: '' }),
});

export type Fields = Readonly<Record<string, Field<any>>>;
export type Values<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer V> ? V : never };

/** The submitted values that may be shown again, and the errors by field; '' is the form as a whole. */
export interface Draft {
  readonly kept: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  /** HTTP status of the response that shows the errors; 422 if absent */
  readonly status?: number;
}

export const EMPTY: Draft = { kept: {}, errors: {} };

type FormReading<F extends Fields> =
  | { readonly values: Values<F>; readonly draft: Draft }
  | { readonly values: null; readonly draft: Draft };

/**
 * Parses a submitted form; `say` phrases errors for the person who sent it. A field that was sent twice never comes
 * from an honest form, and is refused by name.
 */
export function readForm<F extends Fields>(
  fields: F,
  sent: URLSearchParams,
  say: FormSay = IN_ENGLISH,
): FormReading<F> {
  const [values, kept, errors]: [Record<string, unknown>, Record<string, string>, Record<string, string>] = [
    {},
    {},
    {},
  ];
  for (const [name, field] of Object.entries(fields)) {
    const all = sent.getAll(name);
    const reading: Reading<unknown> = all.length > 1 ? { error: 'form.once' } : field.read(all[0] ?? '');
    if ('error' in reading) errors[name] = say(reading.error, reading.n === undefined ? undefined : { n: reading.n });
    else values[name] = reading.value;
    if (field.kept && all[0] !== undefined) kept[name] = all[0].slice(0, field.max);
  }
  const draft = { kept, errors };
  return Object.keys(errors).length > 0 ? { values: null, draft } : { values: values as Values<F>, draft };
}

/** Returns the same draft with an error that was found later. */
export const withError = (draft: Draft, name: string, error: string, status?: number): Draft => ({
  kept: draft.kept,
  errors: { ...draft.errors, [name]: error },
  status,
});
