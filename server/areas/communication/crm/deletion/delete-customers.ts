/** Deletes customers who are no longer needed for anything: no bookings, no memberships, nobody to look after. */
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { bulkAction, startBulkAction, type BulkKind } from '../../../platform/bulk/index.ts';
import { deleteCustomers, lockCustomers } from '../../../people/customers/index.ts';
import { boolean, group, refs } from '../../../../kernel/base/fields/kinds.ts';
import { cancelMembership } from '../../../memberships/customer-memberships/index.ts';
import { Field, type ValueOf } from '../../../../kernel/base/fields/field.ts';
import { isPending, whatKeeps, type Ending } from './deletion-blockers.ts';
import { openEntries, voidEntries } from '../../../money/account-entries/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { voidInvoice } from '../../../money/invoices/index.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const deleteKind: BulkKind = {
  type: 'delete_customers',
  many: async (work, ids) => {
    // A concurrent booking has locked the row of its customer: this waits for it, and counts it.
    const rows = await lockCustomers(work, ids, 'UPDATE');
    const kept = await whatKeeps(work, ids);
    const gone = rows.filter(({ id }) => !kept.has(id));
    if (gone.length > 0) await deleteCustomers(work, gone);
    return kept;
  },
};

/** Reason for voiding charges and invoices, visible to customers. */

/**
 * Ends what continues only because nobody has ended it, then deletes. Customers who must be kept for another reason
 * remain unchanged. One customer at a time, because ending a membership takes locks of its own.
 */
export const endAndDelete = {
  type: 'end_and_delete_customers',
  portion: 5,
  one: async (work: Work, id: number, ending: Ending) => {
    const refuse = async () => {
      const why = (await whatKeeps(work, [id], ending)).get(id);
      if (why !== undefined) throw new Problem('conflict', why);
    };
    await refuse();
    if (ending.memberships) await endMemberships(work, id);
    if (ending.payments) await voidPending(work, id);
    const rows = await lockCustomers(work, [id], 'UPDATE');
    await refuse();
    await deleteCustomers(work, rows);
  },
} satisfies BulkKind;

async function endMemberships(work: Work, customer: number): Promise<void> {
  const held = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM customer_membership WHERE provider_id = ${work.providerId} AND customer_id = ${customer}
      AND status IN ('active', 'hold') ORDER BY id`,
  );
  const today = wallAt(work.now, work.tenant.zone).date;
  for (const { id } of held) await cancelMembership(work, id, { reason: 'cancelled', forced: today });
}

async function voidPending(work: Work, customer: number): Promise<void> {
  const of = sql`x.provider_id = ${work.providerId} AND x.customer_id = ${customer}`;
  const invoices = await work.tx.rows<{ id: number }>(
    sql`SELECT x.id FROM invoice x WHERE ${of} AND ${raw(isPending('x'))} ORDER BY x.id`,
  );
  const closed = storedTexts(work).say('account_closed');
  for (const { id } of invoices) await voidInvoice(work, id, closed);
  // After the invoices: voiding an invoice reopens its charges.
  const open = await openEntries(work, customer);
  await voidEntries(
    work,
    open.map(({ id }) => id),
    closed,
  );
}

const ids = group({ ids: refs('customer', { min: 1, max: 10_000 }) });

/** `{"ids": [1, 2]}`, or only the ids. */
const customers = new Field<ValueOf<{ ids: Field<number[]> }>>({
  ...ids.spec,
  schema: { anyOf: [ids.spec.schema, ids.spec.schema.properties.ids] },
  read: (input, path, reading) => ids.spec.read(Array.isArray(input) ? { ids: input } : input, path, reading),
});

export const bulkDelete = action({
  path: '/customers/bulk_delete',
  summary: 'Delete many customers',
  description:
    'Returns immediately. A job deletes the customers, and each has its own result. Customers with bookings, memberships or children in their family are kept, and the result says why. A dry run lists who would be deleted.',
  who: staffWith('super_admin'),
  body: {
    customers,
    cancel_active_memberships: boolean()
      .default(false)
      .describe(
        'True cancels the memberships of customers who can be deleted otherwise, with today as their last day. Memberships don’t keep a customer then.',
      ),
    cancel_pending_payments: boolean()
      .default(false)
      .describe(
        'True voids the open charges of customers who can be deleted otherwise, and their invoices of which nothing was paid. Neither keeps a customer then. Customers who have paid something are always kept.',
      ),
  },
  returns: one(bulkAction),
  run: async ({ work, body, dryRun }) => {
    const chosen = [...new Set(body.customers.ids)];
    const ending = { memberships: body.cancel_active_memberships, payments: body.cancel_pending_payments };
    if (dryRun) {
      const kept = await whatKeeps(work, chosen, ending);
      for (const id of chosen) {
        const because = kept.get(id);
        if (because === undefined) work.effect('customer_deleted', 'customer', id);
        else work.effect('customer_kept', 'customer', id, { because });
        if (because === undefined && ending.memberships) await endMemberships(work, id);
        if (because === undefined && ending.payments) await voidPending(work, id);
      }
    }
    const ends = ending.memberships || ending.payments;
    return startBulkAction(work, ends ? endAndDelete : deleteKind, chosen, ends ? ending : {});
  },
});
