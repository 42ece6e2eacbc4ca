/**
 * Rules for changing a customer's record: staff by permission (the endpoint says which), customers for themselves and
 * their children.
 */
export interface Person {
  readonly id: number;
  readonly familyId: number | null;
  readonly familyRole: 'manager' | 'child' | null;
}

/** Returns true if `actor` may act for `subject`: the same person, or a child of the family that the actor manages. */
export function mayActFor(actor: Person, subject: Person): boolean {
  if (actor.id === subject.id) return true;
  return (
    actor.familyRole === 'manager' &&
    subject.familyRole === 'child' &&
    actor.familyId !== null &&
    actor.familyId === subject.familyId
  );
}
