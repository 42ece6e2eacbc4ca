/** A device that gets push notifications: it generates its keys, and reads messages as a browser does. */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

const derive = (key: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes));

export class Device {
  readonly #pair = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly keys: { readonly p256dh: Buffer; readonly auth: Buffer };

  constructor() {
    this.#pair.generateKeys();
    this.keys = { p256dh: this.#pair.getPublicKey(), auth: this.#auth };
  }

  /** the keys in the form that a browser gives to the site */
  get named(): { readonly p256dh: string; readonly auth: string } {
    return { p256dh: this.keys.p256dh.toString('base64url'), auth: this.keys.auth.toString('base64url') };
  }

  /** Decrypts a message. @throws if it is for another device, or was altered */
  read(sent: Buffer): string {
    const salt = sent.subarray(0, 16);
    const length = sent[20];
    const sender = sent.subarray(21, 21 + length);
    const record = sent.subarray(21 + length);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.keys.p256dh, sender]);
    const key = derive(this.#pair.computeSecret(sender), this.#auth, info, 32);
    const decipher = createDecipheriv(
      'aes-128-gcm',
      derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
      derive(key, salt, 'Content-Encoding: nonce\0', 12),
    );
    decipher.setAuthTag(record.subarray(-16));
    const text = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    return text.subarray(0, text.lastIndexOf(2)).toString('utf8');
  }
}
