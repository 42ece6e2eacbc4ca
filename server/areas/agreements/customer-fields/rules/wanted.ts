/** Conditions about an answer, as lists of customers take them: `allergy:yes`. */
import type { FieldType } from './answer.ts';

export interface Wanted {
  readonly key: string;
  /** `any`: there is an answer; `none`: there is none */
  readonly match: 'is' | 'any' | 'none';
  readonly value: string;
}

/** Returns the condition; null if the text is not one. */
export function readWanted(text: string): Wanted | null {
  const at = text.indexOf(':');
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 1 || value === '') return null;
  return { key, match: value === '*' ? 'any' : value === 'none' ? 'none' : 'is', value };
}

const YES_OR_NO: Readonly<Record<string, string>> = { yes: 'true', true: 'true', no: 'false', false: 'false' };

/** Returns the value as the answers of a type are compared with it; null if no answer can be equal to it. */
export const comparable = (type: FieldType, value: string): string | null =>
  type === 'boolean' ? (YES_OR_NO[value.toLowerCase()] ?? null) : value;

/** Returns the values that an answer is equal to, in lower case: each choice, and each line of an address. */
export function comparedValues(type: FieldType, answer: any): readonly string[] {
  const all: readonly unknown[] =
    type === 'boolean'
      ? [answer.answer ? 'yes' : 'no']
      : type === 'multiple_choice'
        ? answer
        : type === 'address'
          ? Object.values(answer)
          : [answer];
  return all.map((one) => String(one).toLowerCase());
}
