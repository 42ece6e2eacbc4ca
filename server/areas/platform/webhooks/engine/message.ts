/** One attempt: the message, its signature, and the meaning of the response. */
import { createHmac } from 'node:crypto';
import { OutboundFailure, type Outbound, type OutboundAnswer } from '../../../../kernel/base/http-out/outbound.ts';
import { presentFeedItem, type Reading } from '../../../../kernel/work/feed/present.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';

/** A due delivery, with its feed item. */
export interface Due {
  readonly id: number;
  /** null for a test */
  readonly seq: number | null;
  readonly kind: string;
  readonly message_id: string;
  /** attempts ever made, and failures since somebody last requested it */
  readonly attempts: number;
  readonly failures: number;
  /** the body of earlier attempts */
  readonly body: string | null;
  readonly created_at: number;
  /** null if there is no such item */
  readonly object: string | null;
  readonly object_id: number | null;
  readonly payload: Record<string, unknown> | null;
  readonly occurred_at: number | null;
}

const RESPONSE_LENGTH = 4000;

/**
 * The message leaves the business: it shows what the permission required for creating a destination shows, and no more.
 */
const outside: Reading = (permissions) => permissions.includes('developer');

/** Returns the body, which is the same in every attempt; null if the feed item is gone. */
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

/** Returns the item of a test. It isn't in the feed, hence its id. */
const testItem = (due: Due, destination: number, zone: string) => ({
  object: 'feed_item',
  id: 0,
  timestamp: formatInstant(due.created_at, zone),
  type: due.kind,
  resources: { webhook_destination: destination },
  payload: { webhook_destination: destination },
});

/**
 * Signs according to Standard Webhooks, once with each secret, so that a receiver that knows either of two can verify.
 */
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

/** Result of an attempt. */
export interface Attempted {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly answer: OutboundAnswer | null;
  readonly error: string | null;
}

/** Replaces NUL characters and lone surrogates, which PostgreSQL can't store. */
const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed();

/** Makes an attempt. Never throws: every error is a result. */
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

/**
 * Returns the result for a delivery whose feed item left retention before it was sent: nothing is sent, and the
 * delivery says why.
 */
export const notSent = (now: number): Attempted => ({
  startedAt: now,
  durationMs: 0,
  answer: null,
  error: 'Not sent: the feed item is no longer kept.',
});

export const succeeded = ({ answer }: Attempted): boolean =>
  answer !== null && answer.status >= 200 && answer.status < 300;
