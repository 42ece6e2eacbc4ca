/** Decides which version of a policy is in effect, and to which version a customer has to agree. */

export interface Version {
  readonly id: number;
  /** epoch ms */
  readonly effectiveAt: number;
  readonly asksAgain: boolean;
}

const byTime = (a: Version, b: Version): number => a.effectiveAt - b.effectiveAt || a.id - b.id;

/** Returns the version in effect, or else the next one; undefined if there is none. */
export function currentOrImpending(versions: readonly Version[], now: number): Version | undefined {
  const sorted = versions.toSorted(byTime);
  return (
    sorted.findLast(({ effectiveAt }) => effectiveAt <= now) ??
    sorted.findLast(({ effectiveAt }) => effectiveAt === sorted[0].effectiveAt)
  );
}

/**
 * Returns true if an agreement to one of these versions still counts: none that came into effect after it asks
 * customers again.
 */
export function stillAgrees(versions: readonly Version[], agreed: ReadonlySet<number>, now: number): boolean {
  const inEffect = versions.filter(({ effectiveAt }) => effectiveAt <= now).toSorted(byTime);
  const since = inEffect.findLastIndex(({ asksAgain }) => asksAgain);
  const later = versions.filter(({ effectiveAt }) => effectiveAt > now);
  return [...inEffect.slice(Math.max(since, 0)), ...later].some(({ id }) => agreed.has(id));
}
