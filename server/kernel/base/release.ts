/** The release of this program. */
import { readFileSync } from 'node:fs';

export const RELEASE: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;

/** Compares releases; negative: `a` is older than `b`. A pre-release with a hyphen comes before the release itself. */
export function compareReleases(a: string, b: string): number {
  const [one, other] = [a, b].map((release) => /^(\d+)\.(\d+)\.(\d+)(-.+)?$/.exec(release));
  if (!one || !other) throw new Error(`"${one ? b : a}" is not a release such as 1.2.3`);
  for (const i of [1, 2, 3]) if (one[i] !== other[i]) return Number(one[i]) - Number(other[i]);
  const [before, after] = [one[4], other[4]];
  if (before === after) return 0;
  return before !== undefined && (after === undefined || before < after) ? -1 : 1;
}
