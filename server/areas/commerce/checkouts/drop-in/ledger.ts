/** Which bookings were paid for, and which prices are to be given back. */
import { GIVE_BACK_TASK } from './give-back.ts';
import { instant, sql, type Sql } from '../../../../kernel/db/sql.ts';
import { whyGivenBack, type Choice } from './rules/drop-in.ts';
import type { Debit, GivenBack } from '../../../scheduling/schedule/index.ts';
import type { DropInFacts } from './facts.ts';
import type { Work } from '../../../../kernel/work.ts';

/** A booking was paid for and is over, and the price was kept: it pays for booking again. */
export async function isPaid(
  { tx, providerId }: Work,
  { event, customer }: { readonly event: number; readonly customer: number },
): Promise<boolean> {
  const row = await tx.one(
    sql`SELECT 1 FROM attendance a JOIN booking_payment d ON d.provider_id = a.provider_id AND d.attendance_id = a.id AND d.given_back IS NULL
        WHERE a.provider_id = ${providerId} AND a.event_id = ${event} AND a.customer_id = ${customer}`,
  );
  return row !== undefined;
}

interface Payment {
  /** ids */
  readonly attendance: number;
  readonly item: number;
}

/** Notes what an item of a checkout has paid for a booking, besides what a membership pays. */
export const notePayment = (work: Work, payment: Payment): Promise<number> => work.tx.run(note(work, [payment]));

/** The statement that notes what pays for bookings of one event. */
export const debit = (paid: readonly Debit<DropInFacts, Choice>[]): Sql[] => [
  note(
    paid[0].work,
    paid.map(({ attendance, choice }) => ({ attendance, item: choice.chosen! })),
  ),
];

const note = (work: Work, payments: readonly Payment[]): Sql =>
  sql`INSERT INTO booking_payment (provider_id, checkout_item_id, attendance_id, created_at, updated_at)
        SELECT ${work.providerId}::bigint, item, attendance, ${instant(work.now)}::timestamptz, ${instant(work.now)}::timestamptz
        FROM unnest(${payments.map((p) => p.item)}::bigint[], ${payments.map((p) => p.attendance)}::bigint[]) AS p (item, attendance)`;

/** Items whose price was given back at a moment because the event was cancelled, and the bookings that they had paid. */
export const gaveBack = (provider: unknown, event: number, at: string | null): Sql =>
  sql`SELECT d.attendance_id AS attendance, d.checkout_item_id AS subject FROM attendance a
        JOIN booking_payment d ON d.provider_id = a.provider_id AND d.attendance_id = a.id AND d.given_back = 'event_cancelled' AND d.given_back_at = ${at}::timestamptz
      WHERE a.provider_id = ${provider} AND a.event_id = ${event}`;

/**
 * Notes that the price of bookings is given back, `which` of the attendances under alias `a`. A job does it: a credit
 * note takes the next number of its series, for which nobody may wait who holds an event.
 */
export async function credit(work: Work, which: Sql, reason: GivenBack): Promise<void> {
  if (whyGivenBack(reason) === null) return;
  const rows = await work.tx.rows<{ attendance: number; customer: number; amount: number }>(sql`
    WITH given AS (
      UPDATE booking_payment d SET given_back = ${reason}, given_back_at = ${instant(work.now)}, updated_at = ${instant(work.now)} FROM attendance a
      WHERE a.provider_id = ${work.providerId} AND ${which} AND d.provider_id = a.provider_id AND d.attendance_id = a.id AND d.given_back IS NULL
      RETURNING d.provider_id, d.attendance_id, d.checkout_item_id)
    SELECT g.attendance_id AS attendance, k.customer_id AS customer, i.total_minor AS amount FROM given g
      JOIN checkout_item i ON i.provider_id = g.provider_id AND i.id = g.checkout_item_id
      JOIN checkout k ON k.provider_id = i.provider_id AND k.id = i.checkout_id
    ORDER BY g.attendance_id`);
  for (const { attendance, customer, amount: amount_minor } of rows)
    work.effect('price_given_back', 'attendance', attendance, { customer, amount_minor, reason });
  if (rows.length > 0) work.enqueue({ task: GIVE_BACK_TASK, payload: {}, key: GIVE_BACK_TASK, urgency: 'first' });
}
