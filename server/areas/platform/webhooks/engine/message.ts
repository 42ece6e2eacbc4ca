/** One attempt: what is sent, how it is signed, and what the answer means. */
import { createHmac } from 'node:crypto';
import { OutboundFailure, type Outbound, type OutboundAnswer } from '../../../../kernel/base/http-out/outbound.ts';
import { presentFeedItem, type Reading } from '../../../../kernel/work/feed/present.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';

/** A delivery that is due, with the feed item that it is about. */
export interface Due {
  readonly id: number;
  /** null: a test */
  readonly seq: number | null;
  readonly kind: string;
  readonly message_id: string;
  /** ever made, and failed since somebody last asked for it */
  readonly attempts: number;
  readonly failures: number;
  /** as it was sent before */
  readonly body: string | null;
  readonly created_at: number;
  /** null where there is no such item */
  readonly object: string | null;
  readonly object_id: number | null;
  readonly payload: Record<string, unknown> | null;
  readonly occurred_at: number | null;
}

const RESPONSE_LENGTH = 4000;

/**
 * What is sent leads outside of the business: it tells what the permission that is needed to enter a destination shows,
 * and no more.
 */
const outside: Reading = (permissions) => permissions.includes('developer');

/** What is sent, the same in every attempt; null: the feed item is gone. */
export function bodyOf(due: Due, destination: number, zone: string): string | null {
  if (due.body !== null) return due.body;
  if (due.seq === null) return JSON.stringify({ feed_items: [testItem(due, destination, zone)] });
  if (due.object === null) return null;
  const item = {
    seq: due.seq,
    kind: due.kind,
    object: due.object,
    objectId: due.object_id!,
    payload: due.payload!,
    occurredAt: due.occurred_at!,
  };
  return JSON.stringify({ feed_items: [presentFeedItem(item, zone, outside)] });
}

/** Stands nowhere in the feed, hence its id. */
const testItem = (due: Due, destination: number, zone: string) => ({
  object: 'feed_item',
  id: 0,
  timestamp: formatInstant(due.created_at, zone),
  type: due.kind,
  resources: { webhook_destination: destination },
  payload: { webhook_destination: destination },
});

/** By the scheme of Standard Webhooks: each secret signs, so that a receiver who knows either of two can verify. */
export const signature = (secrets: readonly Buffer[], id: string, seconds: number, body: string): string =>
  secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`)
    .join(' ');

export function headersOf(
  due: Due,
  body: string,
  secrets: readonly Buffer[],
  words: readonly string[],
  now: number,
): Record<string, string> {
  const seconds = Math.floor(now / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Rollcall-Webhooks',
    'webhook-id': due.message_id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signature(secrets, due.message_id, seconds, body),
    ...Object.fromEntries(words.map((word) => [`${word}-webhook-id`, due.message_id])),
  };
}

/** What an attempt came to. */
export interface Attempted {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly answer: OutboundAnswer | null;
  readonly error: string | null;
}

/** PostgreSQL keeps no such character, and half of a pair is none. */
const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed();

/** Never throws: whatever happens is what the attempt came to. */
export async function attempt(
  outbound: Outbound,
  request: { url: string; headers: Record<string, string>; body: string },
  now: () => number,
): Promise<Attempted> {
  const [startedAt, begin] = [now(), performance.now()];
  const since = () => Math.round(performance.now() - begin);
  try {
    const { status, headers, body } = await outbound.send(request);
    const kept = Object.fromEntries(Object.entries(headers).map(([name, value]) => [storable(name), storable(value)]));
    return {
      startedAt,
      durationMs: since(),
      answer: { status, headers: kept, body: storable(body.slice(0, RESPONSE_LENGTH)) },
      error: null,
    };
  } catch (error) {
    return {
      startedAt,
      durationMs: since(),
      answer: null,
      error: error instanceof OutboundFailure ? error.message : 'The request failed.',
    };
  }
}

/** Its feed item left retention before its turn came: nothing is sent, and the delivery says why. */
export const notSent = (now: number): Attempted => ({
  startedAt: now,
  durationMs: 0,
  answer: null,
  error: 'Not sent: the feed item is no longer kept.',
});

export const succeeded = ({ answer }: Attempted): boolean =>
  answer !== null && answer.status >= 200 && answer.status < 300;
