/** The turn for values that are tried in turns (rare.ts): a number that depends only on the sources. */
import { hash } from 'node:crypto';
import type { Sources } from './sources.ts';

/** Enough turns that fifths, quarters and thirds all vary. */
const TURNS = 60;

export function turnByContent(files: readonly string[], sources: Sources): number {
  const digests = files.map((file) => `${file} ${hash('sha1', sources.text(file), 'hex')}`);
  return parseInt(hash('sha1', digests.join('\n'), 'hex').slice(0, 8), 16) % TURNS;
}
