/**
 * Credits sessions of enrollments: a credit is recorded in the transaction that ends the session, and issued by a job.
 * A credit note takes the next number of its series, and no transaction that has locked an event may wait for that
 * number.
 */
import { billedParts } from './rules/price.ts';
import { ENROLLMENT } from './account-reasons.ts';
import { oneSeries, type EnrollmentRow } from './facts.ts';
import { reduceCharge } from './charge.ts';
import { instant, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { issueCreditNote } from '../../money/invoices/index.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { courseEnrollmentFeed } from './feed.ts';
import { isOpen, voidEntries } from '../../money/account-entries/index.ts';
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import type { GivenBack } from '../../scheduling/schedule/index.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type CreditReason = 'session_cancelled' | 'series_cancelled' | 'enrollment_cancelled';

const TASK = 'credit_course_sessions';

const creditJobFor = (enrollment: number) => ({
  task: TASK,
  payload: { course_enrollment: enrollment },
  key: `course_enrollment:${enrollment}`,
  urgency: 'first' as const,
});

/**
 * Session `x` of enrollment `n` was paid for, or is owed: with the enrollment, or separately if it was added later.
 * Nothing is owed for a charge that staff voided.
 */
const wasPaid = raw(`(x.added_entry_id IS NOT NULL OR (x.added_at IS NULL AND (n.invoice_id IS NOT NULL OR EXISTS (
  SELECT FROM account_entry c WHERE c.provider_id = n.provider_id AND c.id = n.account_entry_id
    AND c.voided_at IS NULL))))`);

/** Cancelled session `d` of series `s` is credited, and can't be made up for. */
const givesCredit = raw(
  `(coalesce(d.cancelled_gives, s.cancelled_session_gives) = 'credit' OR s.make_up_days IS NULL)`,
);

/**
 * Records credits for bookings that ended with their event; `which` selects attendances under alias `a`. Sessions that
 * an enrollment paid for are credited if the series says so or has no make-up sessions, or if the series itself is
 * cancelled.
 */
export async function creditSessions(work: Work, which: Sql, reason: GivenBack): Promise<void> {
  if (reason !== 'event_cancelled') return;
  const rows = await work.tx.rows<{ enrollment: number; event: number; why: CreditReason }>(sql`
    SELECT n.id AS enrollment, x.event_id AS event,
      CASE s.status WHEN 'cancelled' THEN 'series_cancelled' ELSE 'session_cancelled' END AS why
    FROM attendance a JOIN course_enrollment_date x ON x.provider_id = a.provider_id AND x.event_id = a.event_id
      JOIN course_enrollment n ON n.provider_id = x.provider_id AND n.id = x.course_enrollment_id
        AND n.customer_id = a.customer_id
      JOIN course_date_series s ON s.provider_id = n.provider_id AND s.id = n.course_date_series_id
      JOIN course_date d ON d.provider_id = x.provider_id AND d.event_id = x.event_id
    WHERE a.provider_id = ${work.providerId} AND ${which} AND n.status = 'active' AND x.credit_reason IS NULL
      AND ${wasPaid} AND (s.status = 'cancelled' OR ${givesCredit})
      AND NOT EXISTS (SELECT FROM course_make_up m
        WHERE m.provider_id = x.provider_id AND m.course_enrollment_id = x.course_enrollment_id
        AND m.missed_event_id = x.event_id AND NOT m.given_up)
    ORDER BY 1, 2`);
  for (const [enrollment, mine] of Map.groupBy(rows, (row) => row.enrollment))
    await noteCredits(
      work,
      enrollment,
      mine.map(({ event }) => event),
      mine[0].why,
    );
}

/** Amounts that sessions give back, in minor units with fees and taxes. */
export interface GivenBackForSessions {
  /** of what was billed */
  readonly credited: number;
  /** of open charges */
  readonly waived: number;
}

const NOTHING_BACK: GivenBackForSessions = { credited: 0, waived: 0 };

/**
 * Records the credit of each session that was paid for. The database keeps it to one per session: an existing record
 * remains unchanged. Returns what the newly recorded ones give back.
 */
export async function noteCredits(
  work: Work,
  enrollment: number,
  events: readonly number[],
  reason: CreditReason,
): Promise<GivenBackForSessions> {
  if (events.length === 0) return NOTHING_BACK;
  const noted = await work.tx.rows<{ event: number }>(sql`
    UPDATE course_enrollment_date x SET credit_reason = ${reason} FROM course_enrollment n
    WHERE x.provider_id = ${work.providerId} AND x.course_enrollment_id = ${enrollment}
      AND n.provider_id = x.provider_id AND n.id = x.course_enrollment_id
      AND x.event_id = ANY(${[...events]}::bigint[]) AND x.credit_reason IS NULL AND ${wasPaid}
    RETURNING x.event_id AS event`);
  if (noted.length === 0) return NOTHING_BACK;
  const parts = await partsOf(work, enrollment);
  for (const { event } of noted.toSorted((a, b) => a.event - b.event))
    work.effect('session_credited', 'course_enrollment', enrollment, {
      course_session: event,
      amount_minor: parts.of(event),
      reason,
    });
  work.enqueue(creditJobFor(enrollment));
  return givenBack(
    parts,
    noted.map(({ event }) => event),
  );
}

function givenBack({ invoice, owed, of, entries }: Billed, events: readonly number[]): GivenBackForSessions {
  const added = sumOf(events.filter((event) => entries.has(event)).map(of));
  const sold = Math.min(invoice?.left ?? owed ?? 0, sumOf(events.filter((event) => !entries.has(event)).map(of)));
  return invoice ? { credited: sold, waived: added } : { credited: 0, waived: sold + added };
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

interface Billed {
  /** of the enrollment; null if it was not billed */
  readonly invoice: { readonly id: number; readonly line: number; readonly left: number } | null;
  /** amount of the open charge of the enrollment; null if it has none */
  readonly owed: number | null;
  /** minor units for the session of an event: includes the enrollment's fees and taxes, and is 0 if it cost nothing */
  readonly of: (event: number) => number;
  /** account entries that charged sessions added later, by id of the event */
  readonly entries: ReadonlyMap<number, number>;
}

/** Returns what was billed for an enrollment and its sessions, and the part of each. */
async function partsOf({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>, enrollment: number): Promise<Billed> {
  const [lines, charges, dates] = await tx.all([
    sql`SELECT l.invoice_id AS invoice, l.id AS line, l.total_minor AS total,
          l.total_minor - l.credited_minor AS left
        FROM course_enrollment n
          LEFT JOIN account_entry c ON c.provider_id = n.provider_id AND c.id = n.account_entry_id
          JOIN invoice v ON v.provider_id = n.provider_id AND v.id = coalesce(n.invoice_id, c.settled_invoice_id)
            AND v.status <> 'voided'
          JOIN invoice_line l ON l.provider_id = v.provider_id AND l.invoice_id = v.id
            AND CASE WHEN c.id IS NOT NULL THEN l.account_entry_id = c.id
            ELSE l.billed_object = 'course_enrollment' AND l.billed_id = n.id END
        WHERE n.provider_id = ${providerId} AND n.id = ${enrollment}`,
    // The first charge is for all sessions; a reduced one took its place.
    sql`SELECT f.amount_minor AS total, CASE WHEN ${isOpen('c')} THEN c.amount_minor END AS owed
        FROM course_enrollment n
          JOIN account_entry c ON c.provider_id = n.provider_id AND c.id = n.account_entry_id
          JOIN account_entry f ON f.provider_id = n.provider_id AND f.subject_object = ${ENROLLMENT.subject}
            AND f.subject_id = n.id AND f.reason = ${ENROLLMENT.name} AND f.reverses_id IS NULL
        WHERE n.provider_id = ${providerId} AND n.id = ${enrollment} ORDER BY f.id LIMIT 1`,
    sql`SELECT x.event_id AS event, x.added_at IS NOT NULL AS added, x.added_entry_id AS entry,
      c.amount_minor AS charged FROM course_enrollment_date x
          JOIN course_date d ON d.provider_id = x.provider_id AND d.event_id = x.event_id
          LEFT JOIN account_entry c ON c.provider_id = x.provider_id AND c.id = x.added_entry_id AND c.voided_at IS NULL
        WHERE x.provider_id = ${providerId} AND x.course_enrollment_id = ${enrollment} ORDER BY d.position`,
  ]);
  const [bill] = lines;
  const [charge] = charges;
  const whole = charge ?? bill;
  const sold = dates.filter(({ added }) => !added);
  const parts = whole && sold.length > 0 ? billedParts(whole.total, sold.length) : [];
  const amounts = new Map(sold.map(({ event }, n) => [event, parts[n] ?? 0]));
  const extra = dates.filter(({ entry }) => entry !== null);
  for (const { event, charged } of extra) amounts.set(event, charged ?? 0);
  return {
    invoice: bill ? { id: bill.invoice, line: bill.line, left: bill.left } : null,
    owed: charge?.owed ?? null,
    of: (event) => amounts.get(event) ?? 0,
    entries: new Map(extra.map(({ event, entry }) => [event, entry])),
  };
}

/**
 * Issues the credit note of all sessions that are due, or takes them off the open charge. Refunds that staff made by
 * hand before reduce the amount.
 */
async function credit(work: Work, { course_enrollment: id }: { course_enrollment: number }): Promise<void> {
  const [row] = await lockRows<EnrollmentRow>(work, 'course_enrollment', [id]);
  if (!row) return;
  const due = await work.tx.rows<{ event: number; reason: CreditReason }>(sql`
    SELECT event_id AS event, credit_reason AS reason FROM course_enrollment_date WHERE provider_id = ${work.providerId}
      AND course_enrollment_id = ${id} AND credit_reason IS NOT NULL AND credited_at IS NULL ORDER BY event_id`);
  if (due.length === 0) return;
  const { invoice, owed, of, entries } = await partsOf(work, id);
  const why = storedTexts(work).say(`course.${due.at(-1)!.reason}`);
  let left = invoice?.left ?? owed ?? 0;
  const amounts = due.map(({ event }) => {
    if (entries.has(event)) return of(event);
    const amount = Math.max(0, Math.min(left, of(event)));
    left -= amount;
    return amount;
  });
  const total = due.reduce((sum, { event }, n) => sum + (entries.has(event) ? 0 : amounts[n]), 0);
  await voidEntries(
    work,
    due.flatMap(({ event }) => entries.get(event) ?? []),
    why,
  );
  if (owed !== null && total > 0) await reduce(work, row, total, why);
  const note =
    invoice && total > 0
      ? await issueCreditNote(work, {
          invoice: invoice.id,
          lines: [{ line: invoice.line, amount: total }],
          why,
          to: 'credit',
        })
      : null;
  await work.tx.run(sql`
    UPDATE course_enrollment_date x SET credited_at = ${instant(work.now)}, credit_minor = d.amount,
      credit_note_id = CASE WHEN x.added_entry_id IS NULL THEN ${note?.id ?? null}::bigint END
    FROM unnest(${due.map(({ event }) => event)}::bigint[], ${amounts}::bigint[]) AS d (event, amount)
    WHERE x.provider_id = ${work.providerId} AND x.course_enrollment_id = ${id} AND x.event_id = d.event`);
  if (note)
    work.record(courseEnrollmentFeed.credited, id, {
      course_enrollment: id,
      course_date_series: row.course_date_series_id,
      customer: row.customer_id,
      invoice: note.id,
    });
}

async function reduce(work: Work, row: EnrollmentRow, by: number, why: string): Promise<void> {
  const { tx, providerId } = work;
  const rest = await tx.one<{ sessions: number }>(sql`
    SELECT count(*) AS sessions FROM course_enrollment_date WHERE provider_id = ${providerId}
      AND course_enrollment_id = ${row.id} AND added_at IS NULL AND credit_reason IS NULL`);
  const series = await oneSeries(work, row.course_date_series_id);
  await reduceCharge(work, row, { series, by, sessions: rest!.sessions, why });
}

export const creditJob: Job = { task: TASK, run: credit };

/** Enqueues jobs again that were lost with their queue. */
export const sweepCredits = (tx: Transaction, now: number): Promise<unknown> =>
  tx.run(sql`
    SELECT enqueue_job(${TASK},
      json_build_object('provider_id', provider_id, 'course_enrollment', course_enrollment_id),
      provider_id || ':course_enrollment:' || course_enrollment_id, ${instant(now)}::timestamptz)
    FROM (SELECT DISTINCT provider_id, course_enrollment_id FROM course_enrollment_date
      WHERE credit_reason IS NOT NULL AND credited_at IS NULL LIMIT 1000) AS late`);
