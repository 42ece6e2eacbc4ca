/** Compares what a dry run says with what then happens: new objects have another id, and moments another time. */
import type { Effect } from '../../../../kernel/work/unit/work.ts';

export interface Thing {
  readonly object: string;
  readonly id: number;
}

/** A thing as one text. Effects write some names of objects together. */
export const textOf = ({ object, id }: Thing): string => `${object.replaceAll('_', '')} ${id}`;

/** What an effect is about: its object, and those that it names besides. */
export const thingsOf = ({ object, id, detail }: Effect): Thing[] =>
  [{ object, id }, ...Object.entries(detail).map(([name, value]) => ({ object: name, id: value }))].filter(
    (one): one is Thing => typeof one.id === 'number',
  );

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+/.test(text);
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));

/** Drawn anew each time, or kept back by a dry run because it makes none. */
const DRAWN = /\.(\w*code|\w*token|\w*secret|\w*key|(client|account|webhook)_id|begins_with|next_url|page)$/;

/** An address without the ids and the random words in it. */
const blank = (text: string): string => (text.includes('://') ? text.replaceAll(/[\w-]{10,}|\d+/g, '*') : text);

/** The names of things, each once, in their order, by the kind of object. */
const byObject = (names: Iterable<string>): Map<string, string[]> =>
  Map.groupBy(new Set(names), (name) => name.split(' ')[0]);

/** The names that what a dry run is about has in truth. */
export function namesOf(said: readonly Thing[], real: readonly Thing[]): (thing: Thing) => string {
  const [foreseen, known] = [new Set(said.map(textOf)), new Set(real.map(textOf))];
  const made = byObject(known.difference(foreseen));
  const renamed = new Map<string, string>();
  // What is new comes in the same order.
  for (const [object, names] of byObject(foreseen.difference(known)))
    for (const [i, name] of names.entries()) renamed.set(name, made.get(object)?.[i] ?? name);
  return (thing) => renamed.get(textOf(thing)) ?? textOf(thing);
}

/** Where two answers are not the same. A number that stands for another one stands for it everywhere. */
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

/** Whether texts that both have, such as days, reasons and amounts, are the same. What is taken back counts downwards. */
export const agree = (detail: Readonly<Record<string, unknown>>, payload: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(detail).every(([name, value]) => {
    const other = payload[name];
    if (typeof value !== 'string' || typeof other !== 'string') return true;
    return value.replace(/^-/, '') === other.replace(/^-/, '');
  });
