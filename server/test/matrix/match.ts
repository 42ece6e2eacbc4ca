/** Comparison of a dry run with the actual result: new objects have another id, and moments another time. */
import type { Effect } from '../../kernel/work/unit/work.ts';

export interface Thing {
  readonly object: string;
  readonly id: number;
}

/** Returns a thing as text. Effects write some object names without separators. */
export const textOf = ({ object, id }: Thing): string => `${object.replaceAll('_', '')} ${id}`;

/** Returns the things that an effect names: its object, and those in its detail. */
export const listSubjects = ({ object, id, detail }: Effect): Thing[] =>
  [{ object, id }, ...Object.entries(detail).map(([name, value]) => ({ object: name, id: value }))].filter(
    (one): one is Thing => typeof one.id === 'number',
  );

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+/.test(text);
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));

/** Values that are random, or that a dry run withholds because it creates none. */
const DRAWN = /\.(\w*code|\w*token|\w*secret|\w*key|(client|account|webhook)_id|begins_with|next_url|page)$/;

/** Returns an address without its ids and random words. */
const blank = (text: string): string => (text.includes('://') ? text.replaceAll(/[\w-]{10,}|\d+/g, '*') : text);

/** Groups the distinct names of things by the kind of object, in their order. */
const byObject = (names: Iterable<string>): Map<string, string[]> =>
  Map.groupBy(new Set(names), (name) => name.split(' ')[0]);

/** Returns the actual name of each thing that a dry run names. */
export function namesOf(said: readonly Thing[], real: readonly Thing[]): (thing: Thing) => string {
  const [foreseen, known] = [new Set(said.map(textOf)), new Set(real.map(textOf))];
  const made = byObject(known.difference(foreseen));
  const renamed = new Map<string, string>();
  // New objects are in the same order.
  for (const [object, names] of byObject(foreseen.difference(known)))
    for (const [i, name] of names.entries()) renamed.set(name, made.get(object)?.[i] ?? name);
  return (thing) => renamed.get(textOf(thing)) ?? textOf(thing);
}

/** Returns the differences between two responses. A number may stand for another one, if it does so everywhere. */
export function differences(tried: unknown, made: unknown, at = '', numbers = new Map<string, unknown>()): string[] {
  if (Object.is(tried, made) || DRAWN.test(at)) return [];
  if (isNumber(tried) && isNumber(made)) {
    const known = numbers.get(String(tried)) ?? made;
    numbers.set(String(tried), known);
    if (String(known) === String(made)) return [];
  } else if (typeof tried === 'string' && typeof made === 'string') {
    if ((isMoment(tried) && isMoment(made)) || blank(tried) === blank(made)) return [];
  } else if (tried !== null && made !== null && typeof tried === 'object' && typeof made === 'object') {
    return [...new Set([...Object.keys(tried), ...Object.keys(made)])].flatMap((name) =>
      differences((tried as any)[name], (made as any)[name], `${at}.${name}`, numbers),
    );
  }
  return [`${at}: ${JSON.stringify(tried)} became ${JSON.stringify(made)}`];
}

/**
 * Returns true if texts that both have, such as days, reasons and amounts, are the same. Reversals have negative
 * amounts.
 */
export const agree = (detail: Readonly<Record<string, unknown>>, payload: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(detail).every(([name, value]) => {
    const other = payload[name];
    if (typeof value !== 'string' || typeof other !== 'string') return true;
    return value.replace(/^-/, '') === other.replace(/^-/, '');
  });
