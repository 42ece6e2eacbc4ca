/**
 * Secret addresses of calendar feeds. An address is derived from the key of the installation: it can be shown again at
 * any time, and is not stored in the database. Resetting an address raises its generation.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

const FEED_KINDS = ['customer', 'family', 'instructor', 'room', 'business'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** A calendar that can be subscribed to. `subject` is a customer, an instructor or a room; 0 for the whole business. */
export interface Feed {
  readonly providerId: number;
  readonly kind: FeedKind;
  readonly subject: number;
}

const LETTERS: Readonly<Record<FeedKind, string>> = {
  customer: 'c',
  family: 'f',
  instructor: 'i',
  room: 'r',
  business: 'b',
};

/** For example `12-c345-` and 40 digits that only this installation can derive. */
const TOKEN = /^([1-9]\d{0,14})-([cfirb])(0|[1-9]\d{0,14})-([0-9a-f]{40})$/;
const DIGITS = 40;

const text = ({ providerId, kind, subject }: Feed, generation: number): string =>
  `${providerId}:${kind}:${subject}:${generation}`;

const proofOf = (fingerprint: Buffer): string => fingerprint.toString('hex').slice(0, DIGITS);

const tokenOf = (feed: Feed, proof: string): string =>
  `${feed.providerId}-${LETTERS[feed.kind]}${feed.subject}-${proof}`;

export const feedToken = (secrets: Pick<SecretBox, 'fingerprint'>, feed: Feed, generation: number): string =>
  tokenOf(feed, proofOf(secrets.fingerprint('calendar feed', text(feed, generation))));

/** Returns what a token claims to be for; null if it is malformed. */
export function readToken(token: string): Feed | null {
  const [, provider, letter, subject] = TOKEN.exec(token) ?? [];
  if (letter === undefined) return null;
  const kind = FEED_KINDS.find((one) => LETTERS[one] === letter)!;
  const feed = { providerId: Number(provider), kind, subject: Number(subject) };
  return (kind === 'business') === (feed.subject === 0) ? feed : null;
}

interface Stored {
  readonly generation: number;
  /** as hexadecimal */
  readonly earlier: readonly string[];
}

/**
 * Returns the proof of a token: the newest key, an earlier key, or a removed key under which the token was seen before.
 * Null if the token is wrong.
 */
export function proves(
  box: Pick<SecretBox, 'fingerprints'>,
  feed: Feed,
  token: string,
  { generation, earlier }: Stored,
): 'newest' | 'earlier' | 'seen' | null {
  const [newest, ...others] = box.fingerprints('calendar feed', text(feed, generation)).map(proofOf);
  const is = (proof: string) => timingSafeEqual(Buffer.from(tokenOf(feed, proof)), Buffer.from(token));
  if (is(newest)) return 'newest';
  if (earlier.includes(tokenHash(token))) return 'seen';
  return others.some(is) ? 'earlier' : null;
}

export const tokenHash = (token: string): string => hash('sha256', token, 'hex');

/** Returns the row of a feed: its columns, and a condition that selects it. */
export function rowOf({ kind, subject }: Pick<Feed, 'kind' | 'subject'>) {
  const columns = {
    kind,
    customer_id: kind === 'customer' || kind === 'family' ? subject : null,
    instructor_id: kind === 'instructor' ? subject : null,
    venue_room_id: kind === 'room' ? subject : null,
  };
  const is: Sql = sql`f.kind = ${kind} AND f.customer_id IS NOT DISTINCT FROM ${columns.customer_id}::bigint
    AND f.instructor_id IS NOT DISTINCT FROM ${columns.instructor_id}::bigint
    AND f.venue_room_id IS NOT DISTINCT FROM ${columns.venue_room_id}::bigint`;
  return { columns, is };
}
