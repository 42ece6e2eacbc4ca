/** Records of which bookings were paid for, and which prices are to be refunded. */
import { GIVE_BACK_TASK } from './give-back.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { lockAccounts } from '../../../money/ledger/index.ts';
import type { EventKind } from '../../../../kernel/base/values/words.ts';
import { isOpen, voidOpen } from '../../../money/account-entries/index.ts';
import { givesBack, type Choice, type GivesBack } from './rules/drop-in.ts';
import { storedTexts } from '../../../../kernel/work/unit/stored-texts.ts';
import type { Debit, GivenBack } from '../../../scheduling/schedule/index.ts';
import type { DropInFacts } from './facts.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns whether a booking was paid for and its price was not refunded: that price pays for booking again. */
export async function isPaid(
  { tx, providerId }: Work,
  { event, customer }: { readonly event: number; readonly customer: number },
): Promise<boolean> {
  const row = await tx.one(
    sql`SELECT 1 FROM attendance a JOIN booking_payment d ON d.provider_id = a.provider_id AND d.attendance_id = a.id
      AND d.given_back IS NULL
        WHERE a.provider_id = ${providerId} AND a.event_id = ${event} AND a.customer_id = ${customer}`,
  );
  return row !== undefined;
}

interface Payment {
  /** ids */
  readonly attendance: number;
  readonly item: number;
}

/** Records what a checkout item has paid for a booking, in addition to what a membership pays. */
export const notePayment = (work: Work, payment: Payment): Promise<number> => work.tx.run(note(work, [payment]));

/** Returns the statement that records the payers of bookings of one event. */
export const debit = (paid: readonly Debit<DropInFacts, Choice>[]): Sql[] => [
  note(
    paid[0].work,
    paid.map(({ attendance, choice }) => ({ attendance, item: choice.chosen! })),
  ),
];

/** Notes which charges of accounts are for bookings. */
export const noteCharges = (
  work: Work,
  charges: readonly { readonly attendance: number; readonly entry: number }[],
): Promise<number> =>
  work.tx.run(
    sql`INSERT INTO booking_payment (provider_id, account_entry_id, attendance_id, created_at, updated_at)
        SELECT ${work.providerId}::bigint, entry, attendance, ${instant(work.now)}::timestamptz,
          ${instant(work.now)}::timestamptz
        FROM unnest(${charges.map((c) => c.entry)}::bigint[], ${charges.map((c) => c.attendance)}::bigint[]) AS c
          (entry, attendance)`,
  );

const note = (work: Work, payments: readonly Payment[]): Sql =>
  sql`INSERT INTO booking_payment (provider_id, checkout_item_id, attendance_id, created_at, updated_at)
        SELECT ${work.providerId}::bigint, item, attendance, ${instant(work.now)}::timestamptz,
          ${instant(work.now)}::timestamptz
        FROM unnest(${payments.map((p) => p.item)}::bigint[], ${payments.map((p) => p.attendance)}::bigint[]) AS p
          (item, attendance)`;

/**
 * Payments for bookings whose price was given back at a moment because the event was cancelled. Null where the
 * charge was open until then.
 */
export const gaveBack = (provider: unknown, event: number, at: string | null): Sql =>
  sql`SELECT d.attendance_id AS attendance,
    CASE WHEN e.voided_at IS NULL THEN coalesce(d.checkout_item_id, d.account_entry_id) END AS subject FROM attendance a
        JOIN booking_payment d ON d.provider_id = a.provider_id AND d.attendance_id = a.id
          AND d.given_back = 'event_cancelled' AND d.given_back_at = ${at}::timestamptz
        LEFT JOIN account_entry e ON e.provider_id = d.provider_id AND e.id = d.account_entry_id
      WHERE a.provider_id = ${provider} AND a.event_id = ${event}
        AND (e.voided_at IS NULL OR e.voided_at = d.given_back_at)`;

/** Returns true if a booking was paid for. Open charges don't count: they are voided and made again. */
export async function isCarried({ tx, providerId }: Work, attendance: number): Promise<boolean> {
  const row = await tx.one(
    sql`SELECT 1 FROM booking_payment d
      LEFT JOIN account_entry e ON e.provider_id = d.provider_id AND e.id = d.account_entry_id
        WHERE d.provider_id = ${providerId} AND d.attendance_id = ${attendance} AND d.given_back IS NULL
          AND (e.id IS NULL OR NOT (${isOpen('e')}))`,
  );
  return row !== undefined;
}

export async function carry({ tx, providerId, now }: Work, from: number, to: number): Promise<void> {
  await tx.run(
    sql`UPDATE booking_payment SET attendance_id = ${to}, updated_at = ${instant(now)}
        WHERE provider_id = ${providerId} AND attendance_id = ${from} AND given_back IS NULL`,
  );
}

/**
 * Notes that the price of bookings is given back, `which` of the attendances under alias `a`. Charges that are open are
 * voided. A job gives back the rest: a credit note takes the next number of its series, for which nobody may wait who
 * holds an event.
 */
export async function credit(work: Work, which: Sql, reason: GivenBack): Promise<void> {
  if (!givesBack(reason)) return;
  const rows = await work.tx.rows<GivenPrice>(sql`
    WITH given AS (
      UPDATE booking_payment d SET given_back = ${reason}, given_back_at = ${instant(work.now)},
        updated_at = ${instant(work.now)} FROM attendance a
      WHERE a.provider_id = ${work.providerId} AND ${which} AND d.provider_id = a.provider_id AND d.attendance_id = a.id
        AND d.given_back IS NULL
      RETURNING d.provider_id, d.attendance_id, d.checkout_item_id, d.account_entry_id)
    SELECT g.attendance_id AS attendance, coalesce(k.customer_id, v.customer_id, n.customer_id) AS customer,
      coalesce(i.total_minor, n.amount_minor) AS amount, n.id AS entry, n.customer_id AS account,
      n.voided_at IS NOT NULL AS waived, o.schedule_type AS kind
    FROM given g
      LEFT JOIN checkout_item i ON i.provider_id = g.provider_id AND i.id = g.checkout_item_id
      LEFT JOIN checkout k ON k.provider_id = i.provider_id AND k.id = i.checkout_id
      LEFT JOIN account_entry n ON n.provider_id = g.provider_id AND n.id = g.account_entry_id
      LEFT JOIN invoice v ON v.provider_id = n.provider_id AND v.id = n.settled_invoice_id
      JOIN attendance b ON b.provider_id = g.provider_id AND b.id = g.attendance_id
      JOIN event e ON e.provider_id = b.provider_id AND e.id = b.event_id
      JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
    ORDER BY g.attendance_id`);
  const voided = await voidCharges(work, rows, reason);
  const back = rows.filter(({ entry, waived }) => !waived && !voided.has(entry));
  for (const { attendance, customer, amount: amount_minor } of back)
    work.effect('price_given_back', 'attendance', attendance, { customer, amount_minor, reason });
  if (rows.length > 0) work.enqueue({ task: GIVE_BACK_TASK, payload: {}, key: GIVE_BACK_TASK, urgency: 'first' });
}

interface GivenPrice {
  readonly attendance: number;
  /** who gets it: the payer */
  readonly customer: number;
  readonly amount: number;
  /** whose account was charged */
  readonly account: number | null;
  /** the charge of the account; null: a checkout was paid */
  readonly entry: number | null;
  /** staff had voided the charge */
  readonly waived: boolean;
  readonly kind: EventKind;
}

/** Nobody owes what nobody has paid. Returns the charges that were open. */
async function voidCharges(
  work: Work,
  rows: readonly GivenPrice[],
  why: GivesBack,
): Promise<ReadonlySet<number | null>> {
  const owed = rows.filter(({ entry, waived }) => entry !== null && !waived);
  const voided = new Set<number | null>();
  const kinds = Map.groupBy(owed, (row) => row.kind);
  if (kinds.size > 1)
    await lockAccounts(
      work,
      owed.map(({ account }) => account!),
    );
  for (const [kind, theirs] of kinds) {
    const ids = theirs.map(({ entry }) => entry!);
    for (const id of await voidOpen(work, ids, storedTexts(work, { kind }).say(`given_back.${why}`))) voided.add(id);
  }
  return voided;
}
