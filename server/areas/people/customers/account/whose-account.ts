/** The customer whose account or address a call changes: the caller, or one whom staff look after. */
import { invite } from '../../identity/index.ts';
import { lockCustomers, type CustomerRow } from '../lock.ts';
import { notFound, Problem } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { pathId } from '../../../../kernel/api/requests/input.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Returns the stored row of the customer whom the path names, locked. Customers reach their own only: nobody changes
 * the log-in of another person.
 */
export async function lockNamed(work: Work, text: string): Promise<CustomerRow> {
  const id = pathId(text);
  if (id === null) throw notFound();
  const { mode, customerId: me } = work.viewer;
  if (mode === 'customer' && id !== me) {
    const known = await work.tx.one(
      sql`SELECT FROM customer c WHERE c.provider_id = ${work.providerId} AND c.id = ${id} AND c.deleted_at IS NULL
        AND c.family_id = (SELECT me.family_id FROM customer me WHERE me.provider_id = ${work.providerId}
          AND me.id = ${me})`,
    );
    if (!known) throw notFound();
    throw new Problem('permission_denied', {
      staff: 'In customer mode, you can change your own account only.',
      customer: 'You can change your own account only.',
    });
  }
  const [row] = await lockCustomers(work, [id]);
  if (!row || row.deleted_at !== null || row.is_walk_in) throw notFound();
  return row;
}

/** Invites a customer without an account once more. */
export async function inviteAgain(work: Work, { id, email }: CustomerRow): Promise<void> {
  if (email === null)
    throw new Problem('conflict', {
      staff: 'The customer has no email address. Add one with `change_email` first.',
      customer: 'There is no email address on record. Ask the business to add it.',
    });
  await invite(work, { customer: id });
}
