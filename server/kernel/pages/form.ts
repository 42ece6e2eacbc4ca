/**
 * Forms of pages: a field is declared once, with its label, its kind and what a browser may fill in; reading it from
 * what was sent and showing it, with its error where there is one, are derived. Every input is bounded, whatever a
 * browser was told.
 */

import { canonicalAddress } from '../base/values/mail-address.ts';
import { parseDate } from '../base/values/date.ts';
import { nameFault } from '../base/values/person-name.ts';
import { IN_ENGLISH, type FormKey, type FormSay } from './messages.ts';
import type { Html } from '../base/markup/html.ts';

export type FieldKind = 'text' | 'date' | 'email' | 'password' | 'code' | 'check' | 'choice' | 'radios' | 'hidden';

/** What was read, or why it cannot be: a message that says how to mend it, of at most `n` characters. */
type Reading<V> = { readonly value: V } | { readonly error: FormKey; readonly n?: number };

export interface Field<V = unknown> {
  readonly kind: FieldKind;
  readonly label: string;
  readonly hint?: string;
  /** token of the HTML attribute: what the browser knows about the person */
  readonly autocomplete?: string;
  readonly required: boolean;
  readonly max: number;
  /** for `choice` and `radios`: value and label */
  readonly options?: readonly (readonly [string, string])[];
  /** for `radios`: shown with the label of a value, and larger while that is chosen */
  readonly pictures?: ReadonlyMap<string, Html>;
  /** shown again when something else was wrong; never so for secrets */
  readonly kept: boolean;
  readonly read: (sent: string) => Reading<V>;
}

interface Hints {
  hint?: string;
  autocomplete?: string;
}

const CONTROL = /\p{Cc}/u;
const EMAIL = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\]]+$/u;

/** One line of text, without blanks around it, in one of the ways to write it (NFC). */
export function text(
  label: string,
  { max = 256, optional = false, ...hints }: Hints & { max?: number; optional?: boolean } = {},
): Field<string> {
  const read = (sent: string): Reading<string> => {
    const value = sent.normalize('NFC').trim();
    if (value === '' && !optional) return { error: 'form.fill_in' };
    if (value.length > max) return { error: 'form.too_long', n: max };
    return CONTROL.test(value) ? { error: 'form.invisible' } : { value };
  };
  return { kind: 'text', label, required: !optional, max, kept: true, read, ...hints };
}

/** The name of a person, with which mails greet. */
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

/** Taken as it was typed, blanks included. Whether it is good enough is for others to say. */
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

/** A short code that a person copies from elsewhere; blanks and dashes within it mean nothing. */
export function code(label: string, { max = 40, ...hints }: Hints & { max?: number } = {}): Field<string> {
  const read = (sent: string): Reading<string> => {
    const value = sent.replaceAll(/[\s-]/g, '');
    if (value === '') return { error: 'form.code_missing' };
    return value.length <= max && /^[A-Za-z0-9]+$/.test(value) ? { value } : { error: 'form.code' };
  };
  return { kind: 'code', label, required: true, max, kept: false, autocomplete: 'one-time-code', read, ...hints };
}

/** A calendar date, as browsers send it; empty where it is optional and none was chosen. */
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

/** One of `options`, pairs of value and label; empty where it is optional and nothing was chosen. */
export function choice(
  label: string,
  options: readonly (readonly [string, string])[],
  { optional = false, ...hints }: Hints & { optional?: boolean } = {},
): Field<string> {
  const taken = (sent: string): boolean => (sent === '' && optional) || options.some(([value]) => value === sent);
  const read = (sent: string): Reading<string> => (taken(sent) ? { value: sent } : { error: 'form.choice' });
  return { kind: 'choice', label, required: !optional, max: 100, kept: true, options, read, ...hints };
}

/** One of a few `options`, all of them in sight. */
export const radios = (
  label: string,
  options: readonly (readonly [string, string])[],
  { pictures, ...hints }: Hints & Pick<Field, 'pictures'> = {},
): Field<string> => ({ ...choice(label, options, hints), kind: 'radios', pictures });

/** Carried along by the page itself, such as the secret of a link. Empty where it was not sent. */
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

/**
 * What a person sent, as far as it may be shown again, and what is wrong with it by field; '' is about the form as a
 * whole.
 */
export interface Draft {
  readonly kept: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  /** of the answer that shows the errors; 422 where absent */
  readonly status?: number;
}

export const EMPTY: Draft = { kept: {}, errors: {} };

export type FormReading<F extends Fields> =
  | { readonly values: Values<F>; readonly draft: Draft }
  | { readonly values: null; readonly draft: Draft };

/** Reads what was sent; `say`: to the person who sent it. A field sent twice is nobody's honest form, and is refused by name. */
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

/** The same draft with something that turned out later to be wrong. */
export const withError = (draft: Draft, name: string, error: string, status?: number): Draft => ({
  kept: draft.kept,
  errors: { ...draft.errors, [name]: error },
  status,
});
