/**
 * Encrypts messages to devices (RFC 8291, with the encoding of RFC 8188): the push service transmits them and can't
 * read them.
 */
import { createCipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';

/** The keys that a device generated for one subscription: a point on P-256, and a secret of 16 bytes. */
export interface DeviceKeys {
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

export const CURVE = 'prime256v1';
const RECORD_BYTES = 4096;
/** Space for text in one record: the tag, the end marker and the header take the rest. */
export const MAX_TEXT_BYTES = 3072;
/** The marker after the text of the last record. */
const LAST = Buffer.from([2]);

const newPair = (): ECDH => {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
};

const derive = (key: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes));

/**
 * Encrypts a text. `once`: values that are generated for this message only; a test sets them. @throws if the keys of
 * the device are invalid
 */
export function encrypt(
  text: Buffer,
  { p256dh, auth }: DeviceKeys,
  once: { readonly pair: ECDH; readonly salt: Buffer } = { pair: newPair(), salt: randomBytes(16) },
): Buffer {
  const own = once.pair.getPublicKey();
  const shared = once.pair.computeSecret(p256dh);
  const key = derive(shared, auth, Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own]), 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, once.salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, once.salt, 'Content-Encoding: nonce\0', 12),
  );
  const record = Buffer.concat([cipher.update(text), cipher.update(LAST), cipher.final(), cipher.getAuthTag()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([once.salt, size, Buffer.from([own.length]), own, record]);
}

/** Returns true if a device could have generated the keys. */
export function areKeys({ p256dh, auth }: DeviceKeys): boolean {
  if (auth.length !== 16 || p256dh.length !== 65) return false;
  try {
    newPair().computeSecret(p256dh);
    return true;
  } catch {
    return false;
  }
}
