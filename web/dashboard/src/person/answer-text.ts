/** An answer of a customer to a question of the business, in words. */
import { calendarDayOf, momentOf } from '../words/times.ts';
import { words } from './words.ts';
import type { ItemOf } from 'rollcall-sdk';

type Question = ItemOf<'GET /customer_fields'>;

export const ADDRESS = ['address_line1', 'address_line2', 'city', 'region', 'postcode', 'country'] as const;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the answer in words. */
export function answerText(type: Question['type'], value: unknown, zone: string): string {
  if (type === 'boolean' && isObject(value))
    return [words.say(value.answer === true ? 'answer.yes' : 'answer.no'), value.explanation]
      .filter(Boolean)
      .join(': ');
  if (type === 'address' && isObject(value)) return ADDRESS.flatMap((part) => value[part] ?? []).join(', ');
  if (type === 'date') return calendarDayOf(String(value));
  if (type === 'datetime') return momentOf(String(value), zone);
  return Array.isArray(value) ? value.join(', ') : String(value);
}
