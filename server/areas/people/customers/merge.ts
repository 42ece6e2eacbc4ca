/** Merges two records of one person, as far as this area stores them. The rules are in docs/algorithms/merging.md. */
import { changeCustomer } from './writes.ts';
import { customerFeed } from './feed.ts';
import { familyAfter, mayStillSend, type FamilyDecision, type Place } from './rules/merge.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockCustomers, type CustomerRow } from './lock.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Properties that the kept customer takes over if its own are empty. */
const FILLED = ['email', 'first_name', 'last_name', 'date_of_birth', 'venue_id', 'status_id', 'user_id'] as const;
const CONSENTS = ['is_opted_into_broadcast_messages', 'is_opted_into_sms_marketing'] as const;

/** Public names of the properties. */
const SHOWN_PROPERTIES: Record<string, string> = { venue_id: 'venue', status_id: 'status', family_id: 'family' };

/** The two customers, locked, and the family of the kept one afterwards. */
interface Merging {
  readonly kept: CustomerRow;
  readonly merged: CustomerRow;
  readonly family: Exclude<FamilyDecision, { refused: string }>;
}

/**
 * Locks both by id, so that two merges can't deadlock. A concurrent booking for one of them finishes first. Call it
 * before anything of the two is moved.
 */
export async function beginMerging(work: Work, two: { kept: number; merged: number }): Promise<Merging> {
  const rows = await lockCustomers(work, [two.kept, two.merged], 'UPDATE');
  const found = (id: number): CustomerRow => {
    const row = rows.find((r) => r.id === id && r.deleted_at === null && !r.is_walk_in);
    if (!row) throw new Problem('not_found', `There is no customer with the id ${id}.`);
    return row;
  };
  const [kept, merged] = [found(two.kept), found(two.merged)];
  const family = familyAfter(
    { family: kept.family_id, role: kept.family_role },
    { family: merged.family_id, role: merged.family_role },
  );
  if ('refused' in family) throw new Problem('conflict', family.refused);
  work.touch('customer', kept.id, kept);
  work.touch('customer', merged.id, merged);
  return { kept, merged, family };
}

/** Call it once nothing refers to the merged customer any longer: otherwise, the database refuses it. */
export async function endMerging(work: Work, { kept, merged, family }: Merging): Promise<void> {
  if (family.bringsFamily) await bringFamily(work, kept, merged);
  await deleteRow(work, 'customer', merged.id);
  await work.tx.run(
    sql`INSERT INTO customer_merge (provider_id, customer_id, into_id, at)
      VALUES (${work.providerId}, ${merged.id}, ${kept.id}, ${instant(work.now)})`,
  );
  await fill(work, kept, merged, family.place);
}

async function bringFamily(work: Work, kept: CustomerRow, merged: CustomerRow): Promise<void> {
  const members = await work.tx.rows<CustomerRow>(
    sql`SELECT * FROM customer WHERE provider_id = ${work.providerId} AND family_id = ${merged.family_id}
      AND id <> ${merged.id} ORDER BY id FOR UPDATE`,
  );
  for (const member of members) {
    work.touch('customer', member.id, member);
    await updateRow(work, 'customer', member.id, { family_id: kept.family_id });
    work.record(customerFeed.updated, member.id, { customer: member.id, changed: ['family'] });
    work.effect('family_moved', 'customer', member.id, { family: kept.family_id });
  }
}

async function fill(work: Work, kept: CustomerRow, merged: CustomerRow, place: Place): Promise<void> {
  const taken = FILLED.filter((name) => (kept[name] ?? null) === null && (merged[name] ?? null) !== null).map(
    (name) => [name, merged[name]],
  );
  // The lock belongs to the status, and is taken over with it.
  const locked = kept.status_id === null && merged.status_id !== null ? merged.is_status_locked : kept.is_status_locked;
  const values = Object.fromEntries([
    ...taken,
    ['is_status_locked', locked],
    ['is_lead', kept.is_lead && merged.is_lead],
    ['is_guest', kept.is_guest && merged.is_guest],
    ['family_id', place.family],
    ['family_role', place.role],
  ]);
  const consents = CONSENTS.filter((name) => kept[name] && !mayStillSend(true, merged[name] as boolean)).map((name) => [
    name,
    false,
  ]);
  if (consents.length > 0) await changeCustomer(work, kept.id, Object.fromEntries(consents));
  const changed = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => kept[name as keyof CustomerRow] !== value),
  );
  if (!(await updateRow(work, 'customer', kept.id, changed))) return;
  const names = Object.keys(changed)
    .filter((name) => name !== 'user_id')
    .map((name) => SHOWN_PROPERTIES[name] ?? name);
  if (names.length > 0) work.record(customerFeed.updated, kept.id, { customer: kept.id, changed: names });
  work.effect('filled', 'customer', kept.id, { properties: names });
}
