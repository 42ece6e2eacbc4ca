/**
 * Forms of pages. A field is declared once, with its label, its kind and what a browser may fill in; parsing and
 * rendering it, with its error if there is one, are derived. Every input is bounded, whatever the browser was told.
 */

import { canonicalAddress } from '../base/values/mail-address.ts';
import { composed } from '../base/values/text/composed.ts';
import { parseDate } from '../base/values/date.ts';
import { messageFault, nameFault, plainLines } from '../base/values/person-name.ts';
import { IN_ENGLISH, type FormKey, type FormSay } from './messages.ts';
import type { Html } from '../base/markup/html.ts';

type FieldKind =
  | 'text'
  | 'lines'
  | 'number'
  | 'phone'
  | 'date'
  | 'moment'
  | 'email'
  | 'password'
  | 'code'
  | 'check'
  | 'checks'
  | 'choice'
  | 'radios'
  | 'hidden';

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
  /** for `choice`, `radios` and `checks`: pairs of value and label */
  readonly options?: readonly (readonly [string, string])[];
  /** for `radios`: image shown with the label of a value, larger while that value is selected */
  readonly pictures?: ReadonlyMap<string, Html>;
  /** a phone shows its keyboard of digits */
  readonly digits?: boolean;
  /** shown again if another field was wrong; never for secrets */
  readonly kept: boolean;
  readonly read: (sent: string) => Reading<V>;
  /** of a field that is sent once for each value, in place of `read` */
  readonly readAll?: (sent: readonly string[]) => Reading<V>;
}

const MAX_VALUES = 300;
/** Separates the values of a field that has several, in a draft. */
const SEVERAL = '\n';
/** Returns the values of a field as a draft keeps them. */
export const keptValues = (values: readonly string[]): string => values.join(SEVERAL);

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

/** Declares a text of several lines, trimmed and normalized to NFC. */
export function longText(label: string, options: Parameters<typeof text>[1] = {}): Field<string> {
  const { max = 10_000 } = options;
  const field = text(label, { ...options, max });
  const read = (sent: string): Reading<string> => {
    const value = composed(sent, max).replaceAll(/\r\n?/g, '\n').trim();
    const reading = field.read(value.replaceAll(/[\n\t]/g, ' '));
    return 'value' in reading ? { value } : reading;
  };
  return { ...field, kind: 'lines', read };
}

/** Declares a number or a phone number: a text for which phones show another keyboard. */
export const digits = (
  kind: 'number' | 'phone',
  label: string,
  options: Parameters<typeof text>[1] = {},
): Field<string> => ({
  ...text(label, { max: 40, ...(kind === 'phone' && { autocomplete: 'tel' }), ...options }),
  kind,
});

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

/** Declares several lines that one person writes to another, without web and email addresses. */
export const personalMessage = (label: string, { max, ...hints }: Hints & { max: number }): Field<string> => ({
  kind: 'lines',
  label,
  required: false,
  max,
  kept: true,
  read: (sent) => {
    // Browsers send a line break as two characters.
    const value = plainLines(sent.slice(0, 4 * max));
    if (value.length > max) return { error: 'form.too_long', n: max };
    return messageFault(value) === null ? { value } : { error: 'form.no_links' };
  },
  ...hints,
});

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

const MOMENT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** Declares a date with a time, in the format that browsers send; empty if it is optional and none was chosen. */
export const moment = (
  label: string,
  { optional = false, ...hints }: Hints & { optional?: boolean } = {},
): Field<string> => ({
  ...date(label, { optional, ...hints }),
  kind: 'moment',
  max: 19,
  read: (sent) => {
    if (optional && sent === '') return { value: '' };
    const [, day] = MOMENT.exec(sent.trim()) ?? [];
    return day !== undefined && parseDate(day) !== null ? { value: sent.trim() } : { error: 'form.moment' };
  },
});

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
  { pictures, ...hints }: Hints & Pick<Field, 'pictures'> & { optional?: boolean } = {},
): Field<string> => ({ ...choice(label, options, hints), kind: 'radios', pictures });

/** Declares a choice of any number of `options`, all of them visible. */
export function checks(
  label: string,
  options: readonly (readonly [string, string])[],
  { optional = false, ...hints }: Hints & { optional?: boolean } = {},
): Field<readonly string[]> {
  const readAll = (sent: readonly string[]): Reading<readonly string[]> => {
    const chosen = options.flatMap(([value]) => (sent.includes(value) ? value : []));
    if (chosen.length < new Set(sent).size) return { error: 'form.choice' };
    return chosen.length === 0 && !optional ? { error: 'form.choose_some' } : { value: chosen };
  };
  const read = (sent: string) => readAll([sent]);
  return { kind: 'checks', label, required: !optional, max: 300, kept: true, options, read, readAll, ...hints };
}

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
    const reading: Reading<unknown> = field.readAll
      ? field.readAll(all)
      : all.length > 1
        ? { error: 'form.once' }
        : field.read(all[0] ?? '');
    if ('error' in reading) errors[name] = say(reading.error, reading.n === undefined ? undefined : { n: reading.n });
    else values[name] = reading.value;
    if (field.kept && all[0] !== undefined)
      kept[name] = field.readAll
        ? keptValues(all.slice(0, MAX_VALUES).map((one) => one.slice(0, field.max)))
        : all[0].slice(0, field.max);
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
