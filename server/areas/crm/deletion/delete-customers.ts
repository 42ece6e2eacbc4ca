/** Deletes customers who have nothing that anybody still needs: no bookings, no memberships, nobody to look after. */
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { bulkAction, startBulkAction, type BulkKind } from '../../bulk/index.ts';
import { deleteCustomers } from '../../customers/index.ts';
import { group, refs } from '../../../kernel/api/kinds.ts';
import { sql } from '../../../kernel/db/sql.ts';
import type { Work } from '../../../kernel/work.ts';

interface Kept {
  readonly id: number;
  readonly name: string | null;
  readonly bookings: number;
  readonly waiting: number;
  readonly memberships: number;
  readonly shared: number;
  readonly children: number;
}

/** By id, why a customer stays; those who may go are left out. One statement, however many are asked about. */
async function whatKeeps({ tx, providerId }: Work, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx.rows<Kept>(sql`
    SELECT c.id, nullif(concat_ws(' ', c.first_name, c.last_name), '') AS name,
      (SELECT count(*)::int FROM attendance a WHERE a.provider_id = c.provider_id AND a.customer_id = c.id AND a.status <> 'not_registered') AS bookings,
      (SELECT count(*)::int FROM waitlist_spot w WHERE w.provider_id = c.provider_id AND w.customer_id = c.id AND w.ended_at IS NULL) AS waiting,
      (SELECT count(*)::int FROM customer_membership m WHERE m.provider_id = c.provider_id AND m.customer_id = c.id) AS memberships,
      (SELECT count(*)::int FROM customer_membership_share s WHERE s.provider_id = c.provider_id AND s.customer_id = c.id) AS shared,
      (SELECT count(*)::int FROM customer k WHERE c.family_role = 'manager' AND k.provider_id = c.provider_id AND k.family_id = c.family_id
         AND k.family_role = 'child' AND k.deleted_at IS NULL) AS children
    FROM customer c WHERE c.provider_id = ${providerId} AND c.id = ANY(${ids}::bigint[]) AND c.deleted_at IS NULL`);
  const known = new Map(rows.map((row) => [row.id, row]));
  return new Map(ids.flatMap((id) => {
    const row = known.get(id);
    const why = row ? reasonOf(row) : 'The customer is gone already.';
    return why ? [[id, why]] : [];
  }));
}

const counted = (n: number, one: string, many = `${one}s`): string[] => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]);

function reasonOf({ name, bookings, waiting, memberships, shared, children }: Kept): string | null {
  const has = [
    ...counted(bookings, 'booking'), ...counted(waiting, 'place on a waitlist', 'places on waitlists'), ...counted(memberships, 'membership'),
    ...counted(shared, 'shared membership'), ...counted(children, 'child in the family', 'children in the family'),
  ];
  return has.length === 0 ? null : `${name ?? 'The customer'} has ${has.join(', ')}, and can’t be deleted.`;
}

export const deleteKind: BulkKind = {
  type: 'delete_customers',
  many: async (work, ids) => {
    // A booking that is under way holds the row of its customer: it is waited for, and counted.
    const rows = await work.tx.rows<Record<string, unknown> & { id: number }>(
      sql`SELECT * FROM customer WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[]) ORDER BY id FOR UPDATE`,
    );
    const kept = await whatKeeps(work, ids);
    const gone = rows.filter(({ id }) => !kept.has(id));
    if (gone.length > 0) await deleteCustomers(work, gone);
    return kept;
  },
};

export const bulkDelete = action({
  path: '/customers/bulk_delete',
  summary: 'Delete many customers',
  description:
    'Answers at once; a job deletes them, and each has its own result. Customers with bookings, memberships or children in the family stay, and the result says why. A dry run lists who would be deleted.',
  who: staffWith('super_admin'),
  body: { customers: group({ ids: refs('customer', { min: 1, max: 10_000 }) }) },
  returns: one(bulkAction),
  run: async ({ work, body, dryRun }) => {
    const ids = [...new Set(body.customers.ids)];
    if (dryRun) {
      const kept = await whatKeeps(work, ids);
      for (const id of ids) {
        const because = kept.get(id);
        if (because === undefined) work.effect('customer_deleted', 'customer', id);
        else work.effect('customer_kept', 'customer', id, { because });
      }
    }
    return startBulkAction(work, deleteKind, ids);
  },
});
