/** Unpaid invoices of billing as they are stored, and what follows from a failed payment. */
import { afterFailure, type AfterFailure } from './rules/dunning.ts';
import { plainDateIn, spokenAmount } from '../../../kernel/base/languages/spoken.ts';
import { textIn } from '../../../kernel/base/values/words.ts';
import { wordsTo, type NoticeValues } from '../../../kernel/work/unit/notices.ts';
import { BILLING_NOTICES } from './notice-types.ts';
import { billingSettings } from './settings.ts';
import type { InvoiceCollector, InvoiceRow } from '../../money/invoices/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { startOfDay } from '../../../kernel/base/values/zone.ts';
import { todayOf } from './today.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type CollectionRow = Row<'billing_collection'>;

interface NewCollection {
  readonly invoice: number;
  readonly customerMembership: number | null;
  /**
   * the running payment; null if the customer pays the invoice, in which case the first attempt is when it is overdue
   */
  readonly payment: number | null;
  readonly firstTryOn: string;
}

/** Adds collections, in the transaction that issues the invoices. */
export function addCollections(work: Work, all: readonly NewCollection[]): void {
  const each = <T>(of: (one: NewCollection) => T): T[] => all.map(of);
  const next = ({ payment, firstTryOn }: NewCollection) =>
    payment === null ? instant(startOfDay(firstTryOn, work.tenant.zone)) : null;
  work.tx.later(sql`INSERT INTO billing_collection
      (provider_id, invoice_id, customer_membership_id, payment_id, next_at, created_at, updated_at)
    SELECT ${work.providerId}, invoice, membership, payment, next_at, ${instant(work.now)}::timestamptz,
      ${instant(work.now)}::timestamptz
    FROM unnest(${each(({ invoice }) => invoice)}::bigint[],
      ${each(({ customerMembership }) => customerMembership)}::bigint[],
      ${each(({ payment }) => payment)}::bigint[], ${each(next)}::timestamptz[]) WITH ORDINALITY
      AS c (invoice, membership, payment, next_at, nth) ORDER BY nth`);
}

/** Locks a collection. A caller that needs the invoice locks the invoice first. */
export const lockCollection = ({ tx, providerId }: Work, invoice: number): Promise<CollectionRow | undefined> =>
  tx.one<CollectionRow>(
    sql`SELECT * FROM billing_collection WHERE provider_id = ${providerId} AND invoice_id = ${invoice} FOR UPDATE`,
  );

/** Records a failed attempt: the time of the next one and the consequences. Returns the rule's decision. */
export async function noteFailure(work: Work, row: CollectionRow): Promise<AfterFailure> {
  const { retry_days: retryDays, grace_days: graceDays, after_last_retry: end } = await billingSettings(work);
  const failures = row.failures + 1;
  const after = afterFailure({ retryDays, graceDays }, failures, todayOf(work));
  const at = (day: string | null) => instant(day === null ? null : startOfDay(day, work.tenant.zone));
  const hasMembership = row.customer_membership_id !== null;
  // Consequences of the last attempt don't repeat if somebody requests one more attempt.
  const ends = after.last && hasMembership && row.state === 'open' && end !== 'none';
  const block = hasMembership ? at(after.blockOn) : null;
  await work.tx
    .run(sql`UPDATE billing_collection SET failures = ${failures}, payment_id = NULL, next_at = ${at(after.nextOn)},
      block_at = coalesce(${block}::timestamptz, block_at), end_at = ${ends ? instant(work.now) : null},
      updated_at = ${instant(work.now)}
    WHERE provider_id = ${work.providerId} AND invoice_id = ${row.invoice_id}`);
  return after;
}

/** Returns the page on which people add a card: that of a plan, which is charged to the card, or their payments. */
export const payingPage = ({ installation, providerId }: Work, plan: number | null): string =>
  `${installation.baseUrl}/account/${providerId}/profile/${plan === null ? 'payments' : `memberships/${plan}/card`}`;

/** Returns the values that notices about an invoice show to their reader. */
export async function valuesOf(work: Work, invoice: InvoiceRow): Promise<(reader: Reader) => NoticeValues> {
  const line = await work.tx.one<{ name: string | null; plan: number | null }>(
    sql`SELECT coalesce(billed_name, description) AS name, (SELECT c.customer_membership_id FROM billing_collection c
          WHERE c.provider_id = ${work.providerId} AND c.invoice_id = ${invoice.id}) AS plan
        FROM invoice_line WHERE provider_id = ${work.providerId} AND invoice_id = ${invoice.id} AND position = 1`,
  );
  return (reader) => ({
    'membership.name': line!.name,
    'invoice.number': invoice.number,
    'account.url': payingPage(work, line!.plan),
    'invoice.left': spokenAmount(reader, { minor: invoice.due_minor, currency: work.tenant.currency }),
  });
}

/** Handler for the result of a failed payment for an invoice that is being collected. */
export const collector: InvoiceCollector = {
  name: 'billing',
  description: 'Tries again on the days that the business has set.',
  async failed(work, { id, about }, why) {
    const row = await lockCollection(work, about);
    if (row === undefined) return null;
    const invoice = (await work.tx.one<InvoiceRow>(
      sql`SELECT * FROM invoice WHERE provider_id = ${work.providerId} AND id = ${about}`,
    ))!;
    // The customer tried to pay the invoice themselves, which doesn't change the planned attempts.
    if (row.payment_id !== id) return row.next_at !== null && row.failures > 0 ? 'retrying' : null;
    const { status, nextOn } = await noteFailure(work, row);
    const ofInvoice = await valuesOf(work, invoice);
    const values = (reader: Reader): NoticeValues => ({
      ...ofInvoice(reader),
      'payment.failure': textIn(wordsTo(work, reader), why),
      ...(nextOn !== null && { 'payment.next_date': plainDateIn(reader, nextOn) }),
    });
    const type = nextOn === null ? BILLING_NOTICES.lastFailed : BILLING_NOTICES.retrying;
    const key = `${about}:${row.failures + 1}`;
    await work.registry.notifier.notify(work, [{ type, customer: invoice.customer_id, key, values }]);
    return status;
  },
};

/**
 * Settles collections whose invoices have nothing left to pay, however they were paid, and schedules the release of
 * what was blocked or paused.
 */
export const settledReader: FeedReader = {
  name: 'billing_settled',
  kinds: ['invoice.paid', 'invoice.voided'],
  async read(work, items) {
    await work.tx.run(sql`
      UPDATE billing_collection c SET state = 'settled', next_at = NULL, block_at = NULL, end_at = NULL,
        release_at = CASE WHEN c.blocked OR c.hold_id IS NOT NULL THEN ${instant(work.now)}::timestamptz END,
        updated_at = ${instant(work.now)}
      FROM invoice i WHERE c.provider_id = ${work.providerId}
        AND c.invoice_id = ANY(${items.map(({ objectId }) => objectId)}::bigint[])
        AND c.state <> 'settled' AND i.provider_id = c.provider_id AND i.id = c.invoice_id AND i.due_minor = 0`);
  },
};
