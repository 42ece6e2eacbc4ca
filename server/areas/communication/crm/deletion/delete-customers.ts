/** Deletes customers who have nothing that anybody still needs: no bookings, no memberships, nobody to look after. */
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { bulkAction, startBulkAction, type BulkKind } from '../../../platform/bulk/index.ts';
import { deleteCustomers, lockCustomers } from '../../../people/customers/index.ts';
import { group, refs } from '../../../../kernel/api/kinds.ts';
import { whatKeeps } from './what-keeps.ts';

export const deleteKind: BulkKind = {
  type: 'delete_customers',
  many: async (work, ids) => {
    // A booking that is under way holds the row of its customer: it is waited for, and counted.
    const rows = await lockCustomers(work, ids, 'UPDATE');
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
    'Returns immediately. A job deletes the customers, and each has its own result. Customers with bookings, memberships or children in their family are kept, and the result says why. A dry run lists who would be deleted.',
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
