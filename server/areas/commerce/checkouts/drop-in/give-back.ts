/** Refunds for bookings that were cancelled in time, one after the other, each with a credit note. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { issueCreditNote } from '../../../money/invoices/index.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { GivesBack } from './rules/drop-in.ts';
import type { EventKind } from '../../../../kernel/base/values/words.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const GIVE_BACK_TASK = 'give_back_prices';

interface Due {
  readonly id: number;
  readonly given_back: GivesBack;
}

interface Billed {
  readonly invoice: number;
  readonly line: number;
  readonly kind: EventKind;
}

/**
 * Processes one booking in each job, so that locks are always taken in the order of ids: the next booking comes with
 * the next job.
 */
async function giveBack(work: Work): Promise<void> {
  const { tx, providerId, now } = work;
  const [due, next] = await tx.rows<Due>(
    sql`SELECT id, given_back FROM booking_payment
      WHERE provider_id = ${providerId} AND given_back IS NOT NULL AND settled_at IS NULL ORDER BY id LIMIT 2
      FOR NO KEY UPDATE`,
  );
  if (!due) return;
  const billed = await billedFor(work, due.id);
  const note =
    billed &&
    (await issueCreditNote(work, {
      invoice: billed.invoice,
      lines: [{ line: billed.line }],
      why: storedTexts(work, { kind: billed.kind }).say(`given_back.${due.given_back}`),
      to: 'credit',
    }));
  await tx.run(
    sql`UPDATE booking_payment SET settled_at = ${instant(now)}, credit_note_id = ${note?.id ?? null},
      updated_at = ${instant(now)} WHERE provider_id = ${providerId} AND id = ${due.id}`,
  );
  if (next) work.enqueue({ task: GIVE_BACK_TASK, payload: {}, key: GIVE_BACK_TASK, urgency: 'first' });
}

/** Returns the invoice line that billed the booking; null if nothing was billed, or nothing is left to refund. */
async function billedFor({ tx, providerId }: Work, payment: number): Promise<Billed | null> {
  const row = await tx.one<Billed>(sql`
    SELECT l.invoice_id AS invoice, l.id AS line, coalesce(o.schedule_type, 'class') AS kind
    FROM booking_payment d
      LEFT JOIN checkout_item i ON i.provider_id = d.provider_id AND i.id = d.checkout_item_id
      LEFT JOIN checkout k ON k.provider_id = i.provider_id AND k.id = i.checkout_id
      LEFT JOIN account_entry n ON n.provider_id = d.provider_id AND n.id = d.account_entry_id
      LEFT JOIN attendance a ON a.provider_id = d.provider_id AND a.id = d.attendance_id
      LEFT JOIN event e ON e.provider_id = d.provider_id AND e.id = coalesce(i.event_id, a.event_id)
      LEFT JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
      JOIN invoice v ON v.provider_id = d.provider_id AND v.id = coalesce(k.invoice_id, n.settled_invoice_id)
        AND v.status <> 'voided'
      JOIN invoice_line l ON l.provider_id = v.provider_id AND l.invoice_id = v.id
        AND CASE WHEN n.id IS NOT NULL THEN l.account_entry_id = n.id
        ELSE l.type IN ('event_registration', 'course_session') AND l.billed_object = i.result_object
          AND l.billed_id = i.result_id END
    WHERE d.provider_id = ${providerId} AND d.id = ${payment} AND l.total_minor > l.credited_minor`);
  return row ?? null;
}

export const giveBackJob: Job = { task: GIVE_BACK_TASK, run: giveBack };
