/**
 * The key by which push services know this installation (RFC 8292, VAPID). It follows from the secret key, so every process
 * has the same one and nothing is stored. Devices subscribe with its public half: what they subscribed with under an earlier
 * secret key still works while that key is known.
 */
import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { CURVE } from './encrypt.ts';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';

interface ServerKey {
  /** the uncompressed point, base64url: as browsers take it and as requests name it */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

const HOUR_S = 3600;
/** A push service accepts a signature for a day at most. */
const SIGNED_FOR_S = 12 * HOUR_S;

const made = new WeakMap<SecretBox, readonly ServerKey[]>();

/** One for each secret key that is known, the newest first. */
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
      // One in four thousand million numbers is not below the order of the curve.
      continue;
    }
    const point = pair.getPublicKey();
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    const jwk = { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') };
    return { publicKey: point.toString('base64url'), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
  }
}

/** What devices subscribe with now. */
export const publicKeyOf = (box: SecretBox): string => serverKeys(box)[0].publicKey;

/**
 * The header that says who sends to a device, for its push service alone. `publicKey`: what the device subscribed with; null:
 * that key is no longer known. `contact`: whom the service can write to, a `mailto:` or `https:` address.
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
