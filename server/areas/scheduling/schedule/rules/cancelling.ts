/** Returns true if a cancellation is late. Only staff may override this. */
export function isLate(facts: { now: number; lateCancelsAfter: number; staffSays: boolean | undefined }): boolean {
  return facts.staffSays ?? facts.now >= facts.lateCancelsAfter;
}
