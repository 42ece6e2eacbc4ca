/** Actions of staff for an invoice whose payment failed: try it again, or ask for another payment method. */
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { BILLING_NOTICES } from './notice-types.ts';
import { invoice, type InvoiceRow } from '../../money/invoices/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { paymentMethodFeed } from './feed.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { RETRYABLE } from './subscriptions.ts';
import { valuesOf } from './collections.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin', 'customer_payments');

const retry = action({
  path: '/invoices/{id}/retry',
  summary: 'Try the payment of an invoice again',
  description:
    'An invoice of a recurring plan or of charges whose payment has failed is charged within seconds, in place of the next try that is planned. If it fails again, it counts as a try.',
  who,
  target: invoice,
  body: {},
  problems: ['conflict'],
  returns: one(invoice),
  run: async ({ work, target }) => {
    const planned = await work.tx.one<{ next_at: number | null }>(sql`
      WITH before AS (SELECT invoice_id, next_at FROM billing_collection
          WHERE provider_id = ${work.providerId} AND invoice_id = ${target.id} AND ${RETRYABLE} FOR UPDATE)
      UPDATE billing_collection c SET next_at = ${instant(work.now)}, updated_at = ${instant(work.now)} FROM before b
      WHERE c.provider_id = ${work.providerId} AND c.invoice_id = b.invoice_id RETURNING b.next_at`);
    if (!planned)
      throw new Problem('conflict', 'No payment of this invoice has failed, or it is already being tried again.');
    work.audit({
      action: 'POST /invoices/{id}/retry',
      object: 'invoice',
      objectId: target.id,
      before: { next_retry_at: instant(planned.next_at) },
      after: { next_retry_at: instant(work.now) },
    });
    work.record(paymentMethodFeed.retried, target.id, { invoice: target.id, customer: target.customer_id });
    return target.id;
  },
});

const requestMethod = action({
  path: '/invoices/{id}/request_payment_method',
  summary: 'Ask a customer to pay an invoice with another card or account',
  description:
    'Emails the customer who pays a link to the page on which they add another card or account. It is then charged for the invoice, and for the next payments too.',
  who,
  target: invoice,
  body: {},
  tells: true,
  problems: ['conflict'],
  returns: one(invoice),
  run: async ({ work, target }) => {
    const row = target as InvoiceRow;
    await checkFailed(work, row);
    const values = await valuesOf(work, row);
    await work.registry.notifier.notify(work, [
      {
        type: BILLING_NOTICES.methodRequested,
        customer: row.customer_id,
        key: `${row.id}:${work.now}`,
        values,
      },
    ]);
    if (work.notified.length === 0)
      throw new Problem(
        'conflict',
        'The customer can’t be reached, or this message is turned off. Add an email address, or turn the message on.',
      );
    work.audit({
      action: 'POST /invoices/{id}/request_payment_method',
      object: 'invoice',
      objectId: row.id,
      before: { asked_at: null },
      after: { asked_at: instant(work.now) },
    });
    work.record(paymentMethodFeed.payment_method_requested, row.id, { invoice: row.id, customer: row.customer_id });
    return row.id;
  },
});

async function checkFailed(work: Work, { id, due_minor: left }: InvoiceRow): Promise<void> {
  const failed = await work.tx.one(
    sql`SELECT FROM billing_collection
      WHERE provider_id = ${work.providerId} AND invoice_id = ${id} AND state <> 'settled' AND failures > 0`,
  );
  if (!failed || left === 0) throw new Problem('conflict', 'No payment of this invoice has failed, or it is paid.');
}

export const failedPayments = [retry, requestMethod];
