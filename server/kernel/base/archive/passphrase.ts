/**
 * Seals the secrets of an archive with a passphrase: AES-256-GCM under a key from scrypt. The same secret in the same
 * place of the same business always results in the same text, so that repeated archives are equal byte for byte: the
 * nonce is derived from the secret and its place, as in synthetic-nonce constructions.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { ArchiveDamaged } from './tar.ts';

/** About a quarter of a second and 64 MiB for each guess. */
export const SCRYPT = { N: 2 ** 16, r: 8, p: 1 } as const;
const NONCE = 12;
const TAG = 16;
const PREFIX = 'sealed:1:';
export const SHORTEST = 12;

/** The passphrase does not open the archive. */
export class WrongPassphrase extends Error {
  override name = 'WrongPassphrase';
}

const wrong = () => new ArchiveDamaged('a secret in it was altered or moved');

export class ArchiveSeal {
  readonly #key: Buffer;
  readonly #nonces: Buffer;
  /** verifies a passphrase, and reveals nothing else */
  readonly check: string;

  constructor(secret: Buffer) {
    const derived = (what: string) => Buffer.from(hkdfSync('sha256', secret, '', `rollcall archive ${what}`, 32));
    this.#key = derived('seal');
    this.#nonces = derived('nonce');
    this.check = derived('check').toString('hex');
  }

  /** Seals a text. `place` is the location of the secret; the same one is needed to open it. */
  seal(place: string, text: string): string {
    const nonce = createHmac('sha256', this.#nonces).update(`${place}\n${text}`).digest().subarray(0, NONCE);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG });
    cipher.setAAD(Buffer.from(place));
    const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return PREFIX + body.toString('base64url');
  }

  /**
   * Opens a sealed text.
   * @throws ArchiveDamaged if it was sealed for another place, or altered
   */
  open(place: string, sealed: unknown): string {
    if (typeof sealed !== 'string' || !sealed.startsWith(PREFIX)) throw wrong();
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    if (bytes.length < NONCE + TAG) throw wrong();
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(-TAG));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8');
    } catch {
      throw wrong();
    }
  }
}

/** Returns a salt that is unique to a business and the same in all of its archives, so that these are equal. */
export const saltOf = (business: number, createdAt: string): string =>
  createHash('sha256').update(`rollcall business ${business} ${createdAt}`).digest('hex');

export async function createSeal(passphrase: string, salt: string): Promise<ArchiveSeal> {
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
  const { N, r, p } = SCRYPT;
  return new ArchiveSeal(
    await derive(passphrase.normalize('NFKC'), Buffer.from(salt, 'hex'), 32, { N, r, p, maxmem: 256 * N * r }),
  );
}
