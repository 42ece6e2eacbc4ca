/** Is this cancellation late? Staff may say otherwise; nobody else may. */
export function isLate(facts: { now: number; lateCancelsAfter: number; staffSays: boolean | undefined }): boolean {
  return facts.staffSays ?? facts.now >= facts.lateCancelsAfter;
}
