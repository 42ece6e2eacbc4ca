/** Decides whether a customer may join a family by invitation. */
import type { Wordings } from '../../../../kernel/base/values/wording.ts';

interface Place {
  readonly familyId: number | null;
  readonly familyRole: 'manager' | 'child' | null;
}

/** Returns the refusal; null if the customer may join. Families are never merged by an invitation. */
export function refuseJoining({ familyId, familyRole }: Place, family: number): Wordings | null {
  if (familyId === null) return null;
  if (familyId === family)
    return { staff: 'The customer is in this family already.', customer: 'You are in this family already.' };
  return familyRole === 'child'
    ? {
        staff: 'The customer is a child in another family.',
        customer: 'This profile is a child in another family. Ask the business to change that first.',
      }
    : {
        staff: 'The customer manages another family.',
        customer: 'You manage another family here. Ask the business to bring both together.',
      };
}
