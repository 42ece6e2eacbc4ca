/**
 * Effects of a dry run. The contents of their details are not declared, so a page checks everything that it reads from
 * them.
 */
import type { Effect } from './ask.ts';

type Detail = Effect['detail'];

const unlike = (name: string, value: unknown): Error =>
  new Error(`an effect says ${JSON.stringify(value)} where a page reads its ${name}`);

export function textIn(detail: Detail, name: string): string {
  const value = detail[name];
  if (typeof value !== 'string') throw unlike(name, value);
  return value;
}

export function numberIn(detail: Detail, name: string): number {
  const value = detail[name];
  if (typeof value !== 'number') throw unlike(name, value);
  return value;
}

export const effectsOf = <N extends string>(
  effects: readonly Effect[],
  ...names: readonly N[]
): (Effect & { readonly effect: N })[] =>
  effects.filter((one): one is Effect & { readonly effect: N } => (names as readonly string[]).includes(one.effect));
