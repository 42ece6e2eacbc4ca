/**
 * The key by which push services know this installation (RFC 8292, VAPID). It is derived from the secret key, so every
 * process has the same one and nothing is stored. Devices subscribe with its public half: subscriptions under an
 * earlier secret key work as long as that key is known.
 */
import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { CURVE } from './encrypt.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

interface ServerKey {
  /** the uncompressed point, base64url: the form for browsers and for requests */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

const HOUR_S = 3600;
/** A push service accepts a signature for a day at most. */
const SIGNED_FOR_S = 12 * HOUR_S;

const made = new WeakMap<SecretBox, readonly ServerKey[]>();

/** Returns one key for each known secret key, the newest first. */
function serverKeys(box: SecretBox): readonly ServerKey[] {
  const known = made.get(box);
  if (known) return known;
  const keys = box.keyIds.map((_, nth) => serverKey((tries) => box.fingerprints('push key', String(tries))[nth]));
  made.set(box, keys);
  return keys;
}

function serverKey(bytesOf: (tries: number) => Buffer): ServerKey {
  const pair = createECDH(CURVE);
  for (let tries = 0; ; tries++) {
    const d = bytesOf(tries);
    try {
      pair.setPrivateKey(d);
    } catch {
      // One in four billion numbers is not below the order of the curve.
      continue;
    }
    const point = pair.getPublicKey();
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    const jwk = { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') };
    return { publicKey: point.toString('base64url'), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
  }
}

/** Returns the key with which devices now subscribe. */
export const publicKeyOf = (box: SecretBox): string => serverKeys(box)[0].publicKey;

/**
 * Returns the header that identifies the sender to a device's push service, and to no other. `publicKey`: the key that
 * the device subscribed with; the result is null if that key is no longer known. `contact`: a `mailto:` or `https:`
 * address at which the service can reach the operator.
 */
export async function authorizationFor(
  box: SecretBox,
  { publicKey, endpoint, contact, now }: { publicKey: string; endpoint: string; contact: string; now: number },
): Promise<string | null> {
  const key = serverKeys(box).find((one) => one.publicKey === publicKey);
  if (!key) return null;
  const token = await new SignJWT()
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(Math.floor(now / 1000) + SIGNED_FOR_S)
    .setSubject(contact)
    .sign(key.privateKey);
  return `vapid t=${token}, k=${publicKey}`;
}
