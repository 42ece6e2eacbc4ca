/** Signatures of messages by Standard Webhooks: HMAC-SHA256 over id, time and body. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A message may be this much older or newer than our clock, in seconds. */
const TOLERANCE_S = 300;
const ID = /^[\x21-\x7e]{1,255}$/;

export interface SignedMessage {
  readonly body: Buffer;
  readonly id: string | undefined;
  /** seconds since 1970, as text */
  readonly timestamp: string | undefined;
  /** `v1,` and the signature in base64; several are separated by spaces */
  readonly signature: string | undefined;
}

/** Returns the id of the message if one of its signatures is genuine and recent; otherwise null. */
export function verifiedId(
  { body, id, timestamp, signature }: SignedMessage,
  secret: Buffer,
  nowMs: number,
): string | null {
  if (!id || !ID.test(id) || !timestamp || !/^\d{1,12}$/.test(timestamp) || !signature) return null;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_S) return null;
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  const isGenuine = signature.split(' ').some((one) => {
    const [version, value] = one.split(',', 2);
    const sent = Buffer.from(value ?? '', 'base64');
    return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  return isGenuine ? id : null;
}
