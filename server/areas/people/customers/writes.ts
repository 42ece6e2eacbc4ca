/** Writes of customers, for the endpoints of this area, the importer and the demo. */
import { assignmentLink } from './customer.ts';
import { changedNames, insertRow, replaceLinks, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, raw, sql } from '../../../kernel/base/db/sql.ts';
import { noteConsent } from './consent.ts';
import { customerFeed } from './feed.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface NewCustomer {
  /** empty: not known */
  first_name: string;
  /** empty: not known, or the person has none */
  last_name: string;
  email?: string | null;
  date_of_birth?: string | null;
  venue?: number | null;
  family_id?: number;
  family_role?: 'manager' | 'child';
  is_opted_into_broadcast_messages?: boolean;
  is_opted_into_sms_marketing?: boolean;
  user_id?: number;
  /** bought without an account; other guests may have the same address */
  is_guest?: boolean;
  /** the language in which they read, for example `fr` or `fr-CA` */
  locale?: string;
  /** code of the customer who referred them */
  referred_by_code?: string | null;
}

export async function createCustomer(work: Work, { venue, ...values }: NewCustomer): Promise<number> {
  const names = { first_name: values.first_name || null, last_name: values.last_name || null };
  const id = await insertRow(work, 'customer', { ...values, ...names, venue_id: venue });
  await noteConsent(work, id, values, true);
  work.record(customerFeed.created, id, { customer: id });
  return id;
}

interface CustomerChanges extends Record<string, unknown> {
  /** id */
  venue?: unknown;
  /** ids; replaces the whole list */
  staff_assignments?: readonly number[];
}

/** Changes a customer. `values` maps names of properties to new values. */
export async function changeCustomer(
  work: Work,
  id: number,
  { venue, staff_assignments: assigned, ...values }: CustomerChanges,
): Promise<void> {
  const changed = changedNames({ ...values, venue, staff_assignments: assigned });
  await noteConsent(work, id, values);
  await updateRow(work, 'customer', id, { ...values, venue_id: venue });
  if (assigned)
    await replaceLinks(
      work,
      assignmentLink.table,
      { column: assignmentLink.parent, id },
      { column: assignmentLink.child, ids: assigned },
    );
  if (changed.length > 0) work.record(customerFeed.updated, id, { customer: id, changed });
}

/** Makes the customer a manager of the family, or of a new one if there is none, and returns the family. */
export async function familyOf(work: Work, managerId: number, familyId: number | null): Promise<number> {
  if (familyId !== null) return familyId;
  const row = await work.tx.one<{ id: number }>(
    sql`INSERT INTO ${raw('family')} (provider_id) VALUES (${work.providerId}) RETURNING id`,
  );
  work.touch('family', row!.id, null);
  await changeCustomer(work, managerId, { family_id: row!.id, family_role: 'manager' });
  return row!.id;
}

/** Deletes customers whose stored rows are given, locked. They remain in the lists of deleted customers. */
export async function deleteCustomers(
  work: Work,
  rows: readonly (Record<string, unknown> & { id: number })[],
): Promise<void> {
  for (const row of rows) work.touch('customer', row.id, row);
  const now = instant(work.now);
  const ids = rows.map((row) => row.id);
  await work.tx.run(
    sql`UPDATE customer SET deleted_at = ${now}, updated_at = ${now}
      WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[])`,
  );
  for (const { id } of rows) work.record(customerFeed.deleted, id, { customer: id });
}
