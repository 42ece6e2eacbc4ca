/** Ids in addresses and forms of pages, which people may have typed. */
import { notFound } from '../base/problem.ts';
import { pathId } from '../api/requests/input.ts';

/** Returns null for a text that is missing or can't be an id. */
export const idOf = (text: string | null | undefined): number | null => pathId(text ?? '');

export const isId = (text: string | null | undefined): boolean => idOf(text) !== null;

/** @throws Problem 404 for a text that can't be an id */
export function idIn(text: string | null | undefined): number {
  const id = idOf(text);
  if (id === null) throw notFound();
  return id;
}
