/** Merges two customers who are one person, in one transaction. The rules are in docs/algorithms/merging.md. */
import { beginMerging, endMerging } from '../../../people/customers/index.ts';
import { customerMergeFeed } from './feed.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { lockBookings, mergeBookings } from '../../../scheduling/schedule/index.ts';
import { lockAccounts } from '../../../money/ledger/index.ts';
import { lockCustomerCheckouts } from '../../../commerce/checkouts/index.ts';
import { lockCustomerInvoices } from '../../../money/invoices/index.ts';
import { lockCustomerOrders } from '../../../commerce/store/index.ts';
import { lockCustomerPayments } from '../../../money/payments/index.ts';
import { lockOwnedBy } from '../../../memberships/customer-memberships/index.ts';
import { keepOutBackground } from '../../../../kernel/work/jobs/background-lock.ts';
import { repoint } from '../../../../kernel/work/unit/repoint.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export async function mergeCustomers(work: Work, two: { kept: number; merged: number }): Promise<void> {
  if (two.kept === two.merged) throw invalid('into', "A customer can't be merged into itself. Name another one.");
  // A merge locks two customers in order of their ids, background work in the order of what happened to them.
  await keepOutBackground(work.tx, work.providerId);
  // Everything that moves is locked first, in the order of locks: a payment may be under way.
  await lockCustomerCheckouts(work, two.merged);
  const locked = await lockBookings(work, two);
  await lockCustomerOrders(work, two.merged);
  const merging = await beginMerging(work, two);
  await lockOwnedBy(work, [two.kept, two.merged]);
  await mergeBookings(work, two, locked);
  await lockCustomerInvoices(work, two.merged);
  await lockCustomerPayments(work, two.merged);
  // Their account entries move in the order of the tables, which is before the ledger.
  await lockAccounts(work, [two.kept, two.merged]);
  await repoint(work, 'customer', two);
  await endMerging(work, merging);
  const { kept, merged } = merging;
  work.record(customerMergeFeed.merged, merged.id, { customer: merged.id, into: kept.id });
  work.effect('customer_merged', 'customer', merged.id, { into: kept.id });
  if (merged.user_id !== null && kept.user_id !== null && merged.user_id !== kept.user_id)
    work.effect('log_in_ended', 'customer', merged.id, { stays_with: kept.id });
}
