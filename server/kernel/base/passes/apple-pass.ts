/** A pass as a file for Apple Wallet: its content, hashes of all its files, and a signature of the hashes. */
import { hash } from 'node:crypto';
import { signatureOf } from './signature.ts';
import { storedZip } from '../files/zip.ts';
import type { AppleKeys } from './apple-keys.ts';

export const PKPASS = 'application/vnd.apple.pkpass';

/** Returns the file. Pictures and texts have file names, such as `icon@2x.png`; `now`: time of signing, epoch ms. */
export function applePass(
  pass: Readonly<Record<string, unknown>>,
  files: ReadonlyMap<string, Buffer>,
  keys: AppleKeys,
  now: number,
): Buffer {
  const shown = {
    formatVersion: 1,
    passTypeIdentifier: keys.passType,
    teamIdentifier: keys.team,
    ...pass,
  };
  const all = new Map([['pass.json', Buffer.from(JSON.stringify(shown))], ...files]);
  // The format requires SHA-1 here; the signed list is different for any two sets of our files.
  const manifest = Buffer.from(
    JSON.stringify(Object.fromEntries([...all].map(([name, bytes]) => [name, hash('sha1', bytes)]))),
  );
  return storedZip(new Map([...all, ['manifest.json', manifest], ['signature', signatureOf(manifest, keys, now)]]));
}
