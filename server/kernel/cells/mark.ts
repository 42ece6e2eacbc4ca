/** What a cell writes on its requests to another one, by the secret key that they share: nobody else can. */
import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secret-box.ts';

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

const textOf = ({ from, to, method, url, rest = '' }: Marked, at: number): string =>
  [from, to, at, method, url, rest].join('\n');

/** The value of the header. */
export const markOf = (box: SecretBox, marked: Marked, now: number): string =>
  `${marked.from}.${now}.${box.fingerprint(PURPOSE, textOf(marked, now)).toString('base64url')}`;

/** The cell that wrote it; null: none of ours did, or too long ago. */
export function readMark(box: SecretBox, value: unknown, asked: Omit<Marked, 'from'>, now: number): number | null {
  const [, from, at, mac] = (typeof value === 'string' && /^(\d{1,2})\.(\d{1,15})\.([\w-]{43})$/.exec(value)) || [];
  if (mac === undefined || Math.abs(now - Number(at)) > GOOD_FOR_MS) return null;
  const given = Buffer.from(mac, 'base64url');
  const known = box.fingerprints(PURPOSE, textOf({ ...asked, from: Number(from) }, Number(at)));
  return known.some((each) => timingSafeEqual(each, given)) ? Number(from) : null;
}
