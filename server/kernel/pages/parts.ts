/**
 * Pages of several parts: a part that fails is logged and shown as missing, and the other parts are shown. A refusal
 * applies to the whole page.
 */
import { aroundFor } from './messages.ts';
import { Failure } from '../api/requests/refusals.ts';
import { html, type Html } from '../base/markup/html.ts';
import { Problem } from '../base/problem.ts';
import type { Reader } from '../base/languages/languages.ts';
import type { Visit } from './visit.ts';

/** The function that reads each part. */
export type Reads<Asking, Page> = { readonly [Part in keyof Page]: (asking: Asking) => Promise<Page[Part]> };

/** The parts as read; undefined for a part that is missing. */
export type Parts<Page> = { readonly [Part in keyof Page]: Page[Part] | undefined };

const isRefusal = (error: unknown): boolean => error instanceof Problem && !(error instanceof Failure);

/**
 * Reads all parts in one transaction. If that fails, reads each in a transaction of its own: after a failed statement,
 * PostgreSQL runs none of the following ones.
 * @throws Problem if the page is refused; Error if no part can be read
 */
export async function readParts<Asking, Page extends object>(
  visit: Pick<Visit, 'leaveOut'>,
  look: <T>(read: (asking: Asking) => Promise<T>) => Promise<T>,
  reads: Reads<Asking, Page>,
): Promise<Parts<Page>> {
  const names = Object.keys(reads) as (keyof Page)[];
  const readOf =
    (name: keyof Page) =>
    async (asking: Asking): Promise<[keyof Page, unknown]> => [name, await reads[name](asking)];
  const partsOf = (read: readonly (readonly [keyof Page, unknown])[]) => Object.fromEntries(read) as Parts<Page>;
  try {
    return partsOf(await look((asking) => Promise.all(names.map((name) => readOf(name)(asking)))));
  } catch (error) {
    if (isRefusal(error)) throw error;
  }
  const read: [keyof Page, unknown][] = [];
  let failure: unknown;
  for (const name of names)
    try {
      read.push(await look(readOf(name)));
    } catch (error) {
      if (isRefusal(error)) throw error;
      failure = error;
      visit.leaveOut(error);
    }
  if (read.length === 0) throw failure;
  return partsOf(read);
}

/** Renders the part, or a note that it is missing. */
export function showPart<T>(
  visit: Pick<Visit, 'leaveOut'>,
  reader: Reader,
  part: T | undefined,
  show: (part: T) => Html | null,
): Html | null {
  if (part !== undefined)
    try {
      return show(part);
    } catch (error) {
      if (isRefusal(error)) throw error;
      visit.leaveOut(error);
    }
  return html`<section class="card"><p class="soft">${aroundFor(reader)('page.part_missing')}</p></section>`;
}
