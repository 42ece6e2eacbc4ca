/**
 * Steps for unpaid invoices, each taken once and in its own transaction: retry a payment; block, pause or cancel the
 * membership; and undo all of that once nothing is due.
 */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { applyCredit, lockInvoices, markFailed, markPending, type InvoiceRow } from '../../money/invoices/index.ts';
import { BILLING_NOTICES } from './notice-types.ts';
import { billingSettings } from './settings.ts';
import {
  cancelMembership,
  pauseMembership,
  resumeMembership,
  setUnpaid,
} from '../../memberships/customer-memberships/index.ts';
import { creditOf, lockAccounts } from '../../money/ledger/index.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { lockCollection, noteFailure, valuesOf, type CollectionRow } from './collections.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { startPayment } from '../../money/payments/index.ts';
import { todayOf } from './today.ts';
import type { Method } from './facts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const change = ({ tx, providerId, now }: Work, invoice: number, to: Sql): Promise<unknown> =>
  tx.run(sql`UPDATE billing_collection SET ${to}, updated_at = ${instant(now)}
    WHERE provider_id = ${providerId} AND invoice_id = ${invoice}`);

/**
 * Takes the next step that is due for an invoice. Returns the payment to continue after the commit, or null if there is
 * none.
 */
export async function takeStep(work: Work, invoice: number): Promise<number | null> {
  const seen = await work.tx.one<CollectionRow>(
    sql`SELECT * FROM billing_collection WHERE provider_id = ${work.providerId} AND invoice_id = ${invoice}`,
  );
  const due = (at: number | null | undefined) => at !== null && at !== undefined && at <= work.now;
  if (seen === undefined) return null;
  // Memberships are locked before invoices, so steps that change a membership are separate.
  if (due(seen.release_at)) await release(work, seen);
  else if (due(seen.end_at)) await end(work, seen);
  else if (due(seen.block_at)) await block(work, seen);
  else if (due(seen.next_at)) return tryAgain(work, invoice);
  return null;
}

async function tryAgain(work: Work, id: number): Promise<number | null> {
  const [invoice] = await lockInvoices(work, [id]);
  const row = await lockCollection(work, id);
  if (row === undefined || row.next_at === null || row.next_at > work.now) return null;
  const left = invoice.due_minor - (await spendCredit(work, invoice));
  if (left === 0) {
    await change(work, id, sql`next_at = NULL`);
    return null;
  }
  const method = await methodFor(work, invoice, row);
  if (method === null) {
    const { status } = await noteFailure(work, row);
    // An invoice that was never charged stays open.
    if (invoice.status !== 'open') await markFailed(work, id, status);
    return null;
  }
  const payment = await startPayment(work, {
    processor: method.processor,
    payer: invoice.customer_id,
    amount: left,
    payee: { name: 'invoice', id },
    description: storedTexts(work).say('invoice', { number: invoice.number }),
    method: method.id,
    returnTo: '',
    cancelTo: '',
  });
  await markPending(work, id);
  await change(work, id, sql`next_at = NULL, payment_id = ${payment}`);
  return payment;
}

/** Spends credit that was added since then before charging the rest. Amounts are minor units. */
async function spendCredit(work: Work, { id, customer_id: customer, due_minor: due }: InvoiceRow): Promise<number> {
  if (due === 0 || !(await billingSettings(work)).use_account_credit) return 0;
  await lockAccounts(work, [customer]);
  const amount = Math.min(due, await creditOf(work, customer));
  if (amount <= 0) return 0;
  await applyCredit(work, { invoice: id, amount, from: 'credit' });
  return amount;
}

/** Returns a saved method of the invoice's payer: the chosen one, otherwise the newest. */
const methodFor = async (
  { tx, providerId }: Work,
  { customer_id: payer }: InvoiceRow,
  { customer_membership_id: membership }: CollectionRow,
): Promise<Method | null> =>
  (await tx.one<Method & Record<string, unknown>>(sql`
    SELECT m.id, m.payment_processor_id AS processor FROM payment_method m
      JOIN payment_processor p ON p.provider_id = m.provider_id AND p.id = m.payment_processor_id
        AND p.disabled_at IS NULL
      LEFT JOIN payment_subscription s ON s.provider_id = m.provider_id
        AND s.customer_membership_id = ${membership}::bigint
    WHERE m.provider_id = ${providerId} AND m.customer_id = ${payer} AND m.removed_at IS NULL
    ORDER BY (m.id = s.payment_method_id) DESC NULLS LAST, m.id DESC LIMIT 1`)) ?? null;

const readInvoice = async ({ tx, providerId }: Work, id: number): Promise<InvoiceRow> =>
  (await tx.one<InvoiceRow>(sql`SELECT * FROM invoice WHERE provider_id = ${providerId} AND id = ${id}`))!;

async function block(work: Work, { invoice_id: id, customer_membership_id: membership }: CollectionRow): Promise<void> {
  const invoice = await readInvoice(work, id);
  const blocks = invoice.due_minor > 0 && (await setUnpaid(work, membership!, id));
  const row = await lockCollection(work, id);
  await change(work, id, sql`block_at = NULL, blocked = ${row!.blocked || blocks}`);
  if (!blocks) return;
  const values = await valuesOf(work, invoice);
  const notice = { type: BILLING_NOTICES.suspended, customer: invoice.customer_id, key: String(id), values };
  await work.registry.notifier.notify(work, [notice]);
}

/**
 * Applies the business's choice after the last attempt. Skips anything that is impossible because the membership has
 * ended.
 */
async function end(work: Work, { invoice_id: id, customer_membership_id: membership }: CollectionRow): Promise<void> {
  const { after_last_retry: what } = await billingSettings(work);
  let hold: number | null = null;
  if ((await readInvoice(work, id)).due_minor > 0 && what !== 'none') {
    hold = await attempt(async () => {
      if (what === 'pause') return pauseMembership(work, membership!);
      await cancelMembership(work, membership!, { reason: 'cancelled', forced: todayOf(work) });
      return null;
    });
  }
  await lockCollection(work, id);
  await change(
    work,
    id,
    sql`end_at = NULL, hold_id = coalesce(${hold}::bigint, hold_id),
      state = CASE state WHEN 'open' THEN 'ended' ELSE state END`,
  );
}

/** Returns null for a refusal before anything was written: it doesn't count as a failure. */
async function attempt<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

async function release(work: Work, { invoice_id: id, customer_membership_id, ...seen }: CollectionRow): Promise<void> {
  const membership = customer_membership_id!;
  if (seen.hold_id !== null) await attempt(() => resumeMembership(work, seen.hold_id!));
  if (seen.blocked) {
    const other = await work.tx.one<{ id: number }>(sql`
      SELECT c.invoice_id AS id FROM billing_collection c
      JOIN invoice i ON i.provider_id = c.provider_id AND i.id = c.invoice_id
      WHERE c.provider_id = ${work.providerId} AND c.customer_membership_id = ${membership} AND c.blocked
        AND c.state <> 'settled'
        AND c.invoice_id <> ${id} AND i.due_minor > 0 ORDER BY c.invoice_id LIMIT 1`);
    await setUnpaid(work, membership, other?.id ?? null);
  }
  await lockCollection(work, id);
  await change(work, id, sql`release_at = NULL, blocked = false, hold_id = NULL`);
}
