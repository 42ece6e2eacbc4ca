/** Families of imported people: each joins the family of their guardian, unless they have one already. */
import { changeCustomer, familyOf } from '../writes.ts';
import { lockCustomers } from '../lock.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface FamilyLink {
  readonly customer: number;
  readonly guardian: number;
  readonly role: 'manager' | 'child';
}

/** Links people to their guardians, and returns the customers for whom that changed something. */
export async function joinFamilies(work: Work, links: readonly FamilyLink[]): Promise<Set<number>> {
  const joined = new Set<number>();
  if (links.length === 0) return joined;
  const ids = [...new Set(links.flatMap(({ customer, guardian }) => [customer, guardian]))].toSorted((a, b) => a - b);
  const rows = new Map((await lockCustomers(work, ids)).map((row) => [row.id, { ...row }]));
  for (const { customer, guardian, role } of links) {
    const [member, head] = [rows.get(customer), rows.get(guardian)];
    if (!member || !head || customer === guardian || member.family_id !== null || head.family_role === 'child')
      continue;
    if (head.family_id === null) work.touch('customer', head.id, { ...head });
    const family = await familyOf(work, guardian, head.family_id);
    Object.assign(head, { family_id: family, family_role: 'manager' });
    work.touch('customer', member.id, { ...member });
    await changeCustomer(work, customer, { family_id: family, family_role: role });
    Object.assign(member, { family_id: family, family_role: role });
    joined.add(customer);
  }
  return joined;
}
