/** Which answers a field accepts, and how they are stored. */
import { parseInstant } from '../../../../kernel/base/values/instant.ts';
import { parseDate } from '../../../../kernel/base/values/date.ts';
import { say, type Text } from '../../../../kernel/base/values/words.ts';

export const FIELD_TYPES = [
  'short_text',
  'long_text',
  'boolean',
  'date',
  'datetime',
  'integer',
  'decimal',
  'choice',
  'multiple_choice',
  'address',
  'phone_number',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const EXPLAINED = ['always', 'never', 'optional', 'if_true', 'if_false'] as const;
export type Explained = (typeof EXPLAINED)[number];

export const ADDRESS = ['address_line1', 'address_line2', 'city', 'region', 'postcode', 'country'] as const;

/** A field as far as it decides about answers. */
export interface Question {
  readonly type: FieldType;
  readonly explained: Explained;
  readonly choices: readonly string[];
}

/** An accepted answer as it is stored, or the reason why it is refused. */
export type Answer = { readonly value: unknown } | { readonly refused: Text };

const SHORT = 255;
const LONG = 10_000;
const INVISIBLE = /[\p{Cc}\u2028\u2029]/u;
const DECIMAL = /^-?\d{0,17}(?:\.\d{0,3})?$/;
const PHONE = /^\+?[\d\s().\-/]{3,40}$/;

const no = (refused: Text): Answer => ({ refused });
const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

/** Reads an answer. `zone`: for times without an offset. */
export function readAnswer({ type, explained, choices }: Question, input: unknown, zone: string): Answer {
  switch (type) {
    case 'short_text':
      return line(input, SHORT);
    case 'long_text':
      return text(input, LONG);
    case 'phone_number':
      return phone(input);
    case 'integer':
      return Number.isSafeInteger(input) ? { value: input } : no(say`Must be a whole number.`);
    case 'decimal':
      return decimal(input);
    case 'boolean':
      return yesOrNo(input, explained);
    case 'date':
      return typeof input === 'string' && parseDate(input) !== null
        ? { value: input }
        : no(say`Must be a date, for example 2026-01-31.`);
    case 'datetime':
      return moment(input, zone);
    case 'choice':
      return choices.includes(input as string) ? { value: input } : no(say`Choose one of: ${choices.join(', ')}.`);
    case 'multiple_choice':
      return several(input, choices);
    case 'address':
      return address(input);
  }
}

function text(input: unknown, max: number): Answer {
  if (typeof input !== 'string' || input.trim() === '') return no(say`Must be a text that is not empty.`);
  const value = input.trim();
  if (value.length > max) return no(say`Must be at most ${max} characters long.`);
  return value.includes('\u0000') || !value.isWellFormed()
    ? no(say`Contains characters that can’t be stored.`)
    : { value };
}

function line(input: unknown, max: number): Answer {
  const read = text(input, max);
  return 'value' in read && INVISIBLE.test(read.value as string)
    ? no(say`Must be one line without invisible characters.`)
    : read;
}

function phone(input: unknown): Answer {
  const read = line(input, SHORT);
  if ('refused' in read) return read;
  const digits = (read.value as string).replaceAll(/\D/g, '');
  return PHONE.test(read.value as string) && digits.length >= 3 && digits.length <= 20
    ? read
    : no(say`Must be a phone number, for example +44 1632 960001.`);
}

function decimal(input: unknown): Answer {
  const sent = typeof input === 'number' ? String(input) : typeof input === 'string' ? input.trim() : '';
  if (!DECIMAL.test(sent) || !/\d/.test(sent))
    return no(say`Must be a number with at most 17 digits and 3 decimals, for example 12.5.`);
  const [, sign, whole, part] = /^(-?)0*(\d*)\.?(\d*?)0*$/.exec(sent.includes('.') ? sent : `${sent}.`)!;
  const value = `${whole || '0'}${part && `.${part}`}`;
  return { value: value === '0' ? value : sign + value };
}

/** A yes or no, alone or with an explanation: `{ answer: true, explanation: 'Nuts' }`. */
function yesOrNo(input: unknown, explained: Explained): Answer {
  const sent = typeof input === 'boolean' ? { answer: input } : input;
  if (!isObject(sent) || typeof sent.answer !== 'boolean') return no(say`Must be a yes or no.`);
  const { answer, explanation = null } = sent;
  const given = explanation === null || explanation === '' ? { value: null } : text(explanation, LONG);
  if ('refused' in given) return given;
  const isAsked = explained === 'always' || explained === (answer ? 'if_true' : 'if_false');
  if (isAsked && given.value === null) return no(say`Add an explanation.`);
  if (!isAsked && explained !== 'optional' && given.value !== null)
    return no(say`Leave the explanation out: it isn’t asked for with this answer.`);
  return { value: { answer, explanation: given.value } };
}

function moment(input: unknown, zone: string): Answer {
  const at = typeof input === 'string' ? parseInstant(input, zone) : null;
  return at === null
    ? no(say`Must be a date with a time, for example 2026-01-31T18:00.`)
    : { value: new Date(at).toISOString() };
}

function several(input: unknown, choices: readonly string[]): Answer {
  if (!Array.isArray(input) || input.length === 0 || !input.every((one) => choices.includes(one)))
    return no(say`Choose from: ${choices.join(', ')}.`);
  return { value: choices.filter((one) => input.includes(one)) };
}

function address(input: unknown): Answer {
  if (!isObject(input)) return no(say`Must be an address.`);
  const value: Record<string, string> = {};
  for (const [name, sent] of Object.entries(input)) {
    if (!(ADDRESS as readonly string[]).includes(name)) return no(say`An address has no ${name}.`);
    if (sent === null || sent === '') continue;
    const read = line(sent, SHORT);
    if ('refused' in read) return read;
    value[name] = read.value as string;
  }
  return Object.keys(value).length === 0 ? no(say`Must be an address.`) : { value };
}
