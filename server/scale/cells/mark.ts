/**
 * The mark of a cell on its requests to another one, signed with the secret key that they share: nobody else can create
 * it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../kernel/base/secret-box.ts';

export const MARK = 'rollcall-cell';

/** Maximum difference between the clocks of two cells, including the transit time of a request, in milliseconds. */
const GOOD_FOR_MS = 30_000;
const PURPOSE = 'request between cells';

export interface Marked {
  /** the cell that asks */
  readonly from: number;
  /** the cell that is asked */
  readonly to: number;
  readonly method: string;
  /** path and query */
  readonly url: string;
  /** other values that must not change in transit; a body is represented by its hash */
  readonly rest?: string;
}

const textOf = ({ from, to, method, url, rest = '' }: Marked, at: number, nonce: string): string =>
  [from, to, at, nonce, method, url, rest].join('\n');

/** Returns the header value. No two are alike: each is valid once. */
export function markOf(box: SecretBox, marked: Marked, now: number): string {
  const nonce = randomBytes(12).toString('base64url');
  return `${marked.from}.${now}.${nonce}.${box.fingerprint(PURPOSE, textOf(marked, now, nonce)).toString('base64url')}`;
}

/** Returns the cell that wrote it; null: not one of our cells, or too long ago. */
export function readMark(box: SecretBox, value: unknown, asked: Omit<Marked, 'from'>, now: number): number | null {
  const [, from, at, nonce, mac] =
    (typeof value === 'string' && /^(\d{1,2})\.(\d{1,15})\.([\w-]{16})\.([\w-]{43})$/.exec(value)) || [];
  if (mac === undefined || Math.abs(now - Number(at)) > GOOD_FOR_MS) return null;
  const given = Buffer.from(mac, 'base64url');
  const known = box.fingerprints(PURPOSE, textOf({ ...asked, from: Number(from) }, Number(at), nonce));
  return known.some((each) => timingSafeEqual(each, given)) ? Number(from) : null;
}

/**
 * The marks of the last moments, so that an intercepted one is useless. In memory, so each process accepts a mark once.
 */
export class SpentMarks {
  #now = new Set<string>();
  #before = new Set<string>();
  #since = 0;

  /** Marks it as spent. Returns false if it was spent before. */
  spend(mark: string, now: number): boolean {
    // A mark is valid from `GOOD_FOR_MS` before its time until the same time after.
    if (Math.abs(now - this.#since) > 2 * GOOD_FOR_MS)
      [this.#before, this.#now, this.#since] = [this.#now, new Set(), now];
    if (this.#now.has(mark) || this.#before.has(mark)) return false;
    this.#now.add(mark);
    return true;
  }
}
