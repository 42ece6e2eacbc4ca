/**
 * Who may change a customer's record: staff by permission (the endpoint says which), people for themselves and their
 * children.
 */
export interface Person {
  readonly id: number;
  readonly familyId: number | null;
  readonly familyRole: 'manager' | 'child' | null;
}

/** True when `actor` may act for `subject`: it is the same person, or a child of the family that the actor manages. */
export function mayActFor(actor: Person, subject: Person): boolean {
  if (actor.id === subject.id) return true;
  return (
    actor.familyRole === 'manager' &&
    subject.familyRole === 'child' &&
    actor.familyId !== null &&
    actor.familyId === subject.familyId
  );
}
