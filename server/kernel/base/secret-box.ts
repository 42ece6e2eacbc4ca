/**
 * Seals values that must be readable again: AES-256-GCM under the installation's secret key. Each value contains the id
 * of its key, so that the key can be changed, and is bound to one purpose, so that a sealed value that is moved to
 * another row can't be opened.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** The value was sealed with another key, for another purpose, or was altered. */
export class NotOpened extends Error {
  override name = 'NotOpened';
}

interface Key {
  readonly id: string;
  readonly seal: Buffer;
  readonly fingerprint: Buffer;
  readonly files: Buffer;
}

const derived = (secret: Buffer, what: string, length = KEY_BYTES): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `rollcall ${what}`, length));

const keyOf = (secret: Buffer): Key => ({
  id: derived(secret, 'key id', 6).toString('base64url'),
  seal: derived(secret, 'seal'),
  fingerprint: derived(secret, 'fingerprint'),
  files: derived(secret, 'files'),
});

export class SecretBox {
  readonly #keys: readonly Key[];

  /** The first secret seals; all of them open. Each has at least 32 bytes. */
  constructor(secrets: readonly Buffer[]) {
    if (secrets.length === 0 || secrets.some((s) => s.length < KEY_BYTES))
      throw new Error('a secret key has at least 32 bytes');
    this.#keys = secrets.map(keyOf);
  }

  /** Ids of the keys that open, for a query: the second part of a sealed value is the id of its key. */
  get keyIds(): string[] {
    return this.#keys.map((key) => key.id);
  }

  /** Seals a text. `purpose` names its place, such as `totp:12`; the same one is needed to open it. */
  seal(purpose: string, text: string): string {
    const [key] = this.#keys;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.seal, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${key.id}.${sealed.toString('base64url')}`;
  }

  /**
   * Opens a sealed text.
   * @throws NotOpened
   */
  open(purpose: string, sealed: string): string {
    const [version, id, body, ...more] = sealed.split('.');
    const key = this.#keys.find((k) => k.id === id);
    if (version !== VERSION || body === undefined || more.length > 0) throw new NotOpened('this is no sealed value');
    if (!key) {
      throw new NotOpened(
        'the value was sealed with a key that is not known: set SECRET_KEY to the one of this installation, or add the earlier one to SECRET_KEY_PREVIOUS',
      );
    }
    const bytes = Buffer.from(body, 'base64url');
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new NotOpened('this is no sealed value');
    const decipher = createDecipheriv('aes-256-gcm', key.seal, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      throw new NotOpened('the sealed value was altered, or is for another purpose');
    }
  }

  /** Returns the newest key for whole files, with its id. */
  get fileKey(): { readonly id: string; readonly key: Buffer } {
    const [{ id, files }] = this.#keys;
    return { id, key: files };
  }

  /** Returns the key for whole files with this id; null: it is none of this installation. */
  findFileKey(id: string): Buffer | null {
    return this.#keys.find((one) => one.id === id)?.files ?? null;
  }

  /** Returns true if the newest key sealed it; otherwise, seal it again on occasion. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${VERSION}.${this.#keys[0].id}.`);
  }

  /** Returns a keyed hash of something guessable, such as an address, which reveals nothing without the key. */
  fingerprint(purpose: string, text: string): Buffer {
    return this.fingerprints(purpose, text)[0];
  }

  /**
   * Returns the fingerprint by each key that opens, newest first: values issued under an earlier key are still
   * recognised.
   */
  fingerprints(purpose: string, text: string): Buffer[] {
    return this.#keys.map((key) => createHmac('sha256', key.fingerprint).update(`${purpose}\n${text}`).digest());
  }
}

/** Returns the bytes of a key in hexadecimal or base64; null if the text is neither, or too short. */
export function readKey(text: string): Buffer | null {
  const hex = /^(?:[0-9a-f]{2})+$/i.test(text);
  if (!hex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, hex ? 'hex' : 'base64');
  return bytes.length < KEY_BYTES ? null : bytes;
}

export const keyFile = (dataDir: string): string => join(resolve(dataDir), 'secret.key');

/** Returns the key in `secret.key` of the data folder; creates it, readable by its owner only, if there is none. */
export function keyOfDataDir(dataDir: string): Buffer {
  const file = keyFile(dataDir);
  const known = readKeyFile(file);
  if (known) return known;
  mkdirSync(resolve(dataDir), { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(own, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    // All or nothing, and the first of two processes wins: a link never replaces an existing file.
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  return readKeyFile(file)!;
}

function readKeyFile(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const key = readKey(text);
  if (!key)
    throw new Error(
      `${file} holds no key of at least 32 bytes. Remedy: put back the file of this installation; without it, sealed secrets cannot be read.`,
    );
  return key;
}

/** Returns the box of an installation: with the keys that its operator set, or the one in its data folder. */
export const secretBoxOf = ({
  secretKeys,
  dataDir,
}: {
  readonly secretKeys: readonly Buffer[];
  readonly dataDir: string;
}): SecretBox => new SecretBox(secretKeys.length > 0 ? secretKeys : [keyOfDataDir(dataDir)]);

/** Returns the box without creating a key; null: there is none yet. */
export function existingSecretBox({
  secretKeys,
  dataDir,
}: {
  readonly secretKeys: readonly Buffer[];
  readonly dataDir: string;
}): SecretBox | null {
  if (secretKeys.length > 0) return new SecretBox(secretKeys);
  const key = readKeyFile(keyFile(dataDir));
  return key && new SecretBox([key]);
}
