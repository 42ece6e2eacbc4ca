/** A pass as a file for Apple Wallet: what it shows, hashes of all its files, and the signature of these. */
import { hash } from 'node:crypto';
import { signatureOf } from './signature.ts';
import { storedZip } from '../xlsx/zip.ts';
import type { AppleKeys } from './apple-keys.ts';

export const PKPASS = 'application/vnd.apple.pkpass';

/** Pictures and texts by their names, as `icon@2x.png`; `now`: when it is signed, epoch ms. */
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
  // The format asks for SHA-1 here; what is signed is a list that no two sets of files of ours share.
  const manifest = Buffer.from(
    JSON.stringify(Object.fromEntries([...all].map(([name, bytes]) => [name, hash('sha1', bytes)]))),
  );
  return storedZip(new Map([...all, ['manifest.json', manifest], ['signature', signatureOf(manifest, keys, now)]]));
}
