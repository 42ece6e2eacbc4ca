/** Two customers who are one person become one, in one transaction. The rules are in docs/algorithms/merging.md. */
import { customerMerged } from './feed.ts';
import { changeCustomer, customerUpdated } from '../../../people/customers/index.ts';
import { familyAfter, mayStillSend, type Place } from '../rules/merge.ts';
import { lockHeldBy } from '../../../memberships/customer-memberships/index.ts';
import { instant, sql } from '../../../../kernel/db/sql.ts';
import { invalid, Problem } from '../../../../kernel/api/problem.ts';
import { lockBookings, mergeBookings } from '../../../scheduling/schedule/index.ts';
import { moveEverything } from './move.ts';
import { peopleChange } from '../../../../kernel/db/people-lock.ts';
import { updateRow } from '../../../../kernel/db/row.ts';
import type { Work } from '../../../../kernel/work.ts';

interface Row extends Record<string, unknown> {
  readonly id: number;
  readonly user_id: number | null;
  readonly family_id: number | null;
  readonly family_role: Place['role'];
  readonly status_id: number | null;
  readonly is_status_locked: boolean;
}

/** What the kept customer takes over where it has nothing itself. */
const FILLED = ['email', 'first_name', 'last_name', 'date_of_birth', 'venue_id', 'status_id', 'user_id'] as const;
const CONSENTS = ['is_opted_into_broadcast_messages', 'is_opted_into_sms_marketing'] as const;

/** What the properties are called where they are shown. */
const SHOWN: Record<string, string> = { venue_id: 'venue', status_id: 'status', family_id: 'family' };

export async function mergeCustomers(work: Work, two: { kept: number; merged: number }): Promise<void> {
  if (two.kept === two.merged) throw invalid('into', "A customer can't be merged into itself. Name another one.");
  await peopleChange(work.tx, work.providerId);
  const locked = await lockBookings(work, two);
  const { kept, merged } = await lockCustomers(work, two);
  await lockHeldBy(work, [two.kept, two.merged]);
  const family = familyAfter(
    { family: kept.family_id, role: kept.family_role },
    { family: merged.family_id, role: merged.family_role },
  );
  if ('refused' in family) throw new Problem('conflict', family.refused);
  work.touch('customer', kept.id, kept);
  work.touch('customer', merged.id, merged);
  await mergeBookings(work, two, locked);
  await moveEverything(work, two);
  if (family.bringsFamily) await bringFamily(work, kept, merged);
  // From here on the database answers for it: whoever were forgotten would refuse this.
  await work.tx.run(sql`DELETE FROM customer WHERE provider_id = ${work.providerId} AND id = ${merged.id}`);
  await work.tx.run(
    sql`INSERT INTO customer_merge (provider_id, customer_id, into_id, at) VALUES (${work.providerId}, ${merged.id}, ${kept.id}, ${instant(work.now)})`,
  );
  await fill(work, kept, merged, family.place);
  work.record(customerMerged, merged.id, { customer: merged.id, into: kept.id });
  work.effect('customer_merged', 'customer', merged.id, { into: kept.id });
  if (merged.user_id !== null && kept.user_id !== null && merged.user_id !== kept.user_id)
    work.effect('log_in_ended', 'customer', merged.id, { stays_with: kept.id });
}

/**
 * Each by id, so that two merges cannot wait for each other. A booking for one of them that is under way ends first.
 */
async function lockCustomers(work: Work, two: { kept: number; merged: number }): Promise<{ kept: Row; merged: Row }> {
  const rows = await work.tx.rows<Row>(
    sql`SELECT * FROM customer WHERE provider_id = ${work.providerId} AND id IN (${two.kept}, ${two.merged}) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
  );
  const found = (id: number): Row => {
    const row = rows.find((r) => r.id === id);
    if (!row) throw new Problem('not_found', `There is no customer with the id ${id}.`);
    return row;
  };
  return { kept: found(two.kept), merged: found(two.merged) };
}

async function bringFamily(work: Work, kept: Row, merged: Row): Promise<void> {
  const members = await work.tx.rows<Row>(
    sql`SELECT * FROM customer WHERE provider_id = ${work.providerId} AND family_id = ${merged.family_id} AND id <> ${merged.id} ORDER BY id FOR UPDATE`,
  );
  for (const member of members) {
    work.touch('customer', member.id, member);
    await updateRow(work, 'customer', member.id, { family_id: kept.family_id });
    work.record(customerUpdated, member.id, { customer: member.id, changed: ['family'] });
    work.effect('family_moved', 'customer', member.id, { family: kept.family_id });
  }
}

async function fill(work: Work, kept: Row, merged: Row, place: Place): Promise<void> {
  const taken = FILLED.filter((name) => (kept[name] ?? null) === null && (merged[name] ?? null) !== null).map(
    (name) => [name, merged[name]],
  );
  // A lock is on a status, and goes with the one that stays.
  const locked = kept.status_id === null && merged.status_id !== null ? merged.is_status_locked : kept.is_status_locked;
  const values = Object.fromEntries([
    ...taken,
    ['is_status_locked', locked],
    ['is_lead', kept.is_lead && merged.is_lead],
    ['family_id', place.family],
    ['family_role', place.role],
  ]);
  const consents = CONSENTS.filter((name) => kept[name] && !mayStillSend(true, merged[name] as boolean)).map((name) => [
    name,
    false,
  ]);
  if (consents.length > 0) await changeCustomer(work, kept.id, Object.fromEntries(consents));
  const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => kept[name] !== value));
  if (!(await updateRow(work, 'customer', kept.id, changed))) return;
  const names = Object.keys(changed)
    .filter((name) => name !== 'user_id')
    .map((name) => SHOWN[name] ?? name);
  if (names.length > 0) work.record(customerUpdated, kept.id, { customer: kept.id, changed: names });
  work.effect('filled', 'customer', kept.id, { properties: names });
}
