/** What a cell writes on its requests to another one, by the secret key that they share: nobody else can. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../kernel/base/secret-box.ts';

export const MARK = 'rollcall-cell';

/** How far the clocks of two cells may be apart, with the time that a request is on its way, ms. */
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
  /** what else must be as it was sent; a body is named by its hash */
  readonly rest?: string;
}

const textOf = ({ from, to, method, url, rest = '' }: Marked, at: number, nonce: string): string =>
  [from, to, at, nonce, method, url, rest].join('\n');

/** The value of the header. No two are alike: each is good once. */
export function markOf(box: SecretBox, marked: Marked, now: number): string {
  const nonce = randomBytes(12).toString('base64url');
  return `${marked.from}.${now}.${nonce}.${box.fingerprint(PURPOSE, textOf(marked, now, nonce)).toString('base64url')}`;
}

/** The cell that wrote it; null: none of ours did, or too long ago. */
export function readMark(box: SecretBox, value: unknown, asked: Omit<Marked, 'from'>, now: number): number | null {
  const [, from, at, nonce, mac] =
    (typeof value === 'string' && /^(\d{1,2})\.(\d{1,15})\.([\w-]{16})\.([\w-]{43})$/.exec(value)) || [];
  if (mac === undefined || Math.abs(now - Number(at)) > GOOD_FOR_MS) return null;
  const given = Buffer.from(mac, 'base64url');
  const known = box.fingerprints(PURPOSE, textOf({ ...asked, from: Number(from) }, Number(at), nonce));
  return known.some((each) => timingSafeEqual(each, given)) ? Number(from) : null;
}

/** The marks that came lately: whoever saw one on its way has nothing of it. In memory, so each process takes it once. */
export class SpentMarks {
  #now = new Set<string>();
  #before = new Set<string>();
  #since = 0;

  /** False: it was spent before. */
  spend(mark: string, now: number): boolean {
    // A mark is good from `GOOD_FOR_MS` before its moment until as long after.
    if (Math.abs(now - this.#since) > 2 * GOOD_FOR_MS)
      [this.#before, this.#now, this.#since] = [this.#now, new Set(), now];
    if (this.#now.has(mark) || this.#before.has(mark)) return false;
    this.#now.add(mark);
    return true;
  }
}
