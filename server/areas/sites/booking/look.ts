/** Reads from the interface, as the person who looks or as a stranger, without writing anything. */
import { askAs, loadStaffViewer, memberOf, type Desk, type Person, type Ask } from '../frame/index.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { At } from './site.ts';

/** The reader of a page. */
export interface Present {
  /** somebody is logged in */
  readonly personal: boolean;
  /** the people whom they act for; null: the reader is not a customer here */
  readonly people: readonly Person[] | null;
  readonly tx: Transaction;
}

export async function looking<T>(desk: Desk, visit: At, read: (ask: Ask, present: Present) => Promise<T>): Promise<T> {
  const member = await memberOf(desk, visit);
  return desk.door.db.lookingAnywhere(visit.site.id, async (tx) => {
    const { viewer, people } = await loadStaffViewer(tx, visit, member);
    return read(askAs(desk, visit, viewer, tx), { personal: member !== null, people, tx });
  });
}
