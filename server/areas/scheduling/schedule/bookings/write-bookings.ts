/** Writes of a decided booking: the ends of spots, the seats, their payments, and feed items and audit entries. */
import { RetryTransaction } from '../../../../kernel/base/db/retry-transaction.ts';
import { auditTouched } from '../../../../kernel/work/unit/audit.ts';
import { fill, instant, sql, statement, type Sql } from '../../../../kernel/base/db/sql.ts';
import { eventRegistrationFeed, waitlistFeed } from '../feed.ts';
import { Work } from '../../../../kernel/work/unit/work.ts';
import { payers } from './payer-port.ts';
import type { CustomerAround } from './facts.ts';
import type { Seeking } from '../sight.ts';
import type { Named, Payment } from './payers.ts';
import type { Place } from '../rules/booking.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Viewer } from '../../../../kernel/work/access/viewer.ts';

/** A booking to write. All works have the same transaction; several registrations may share one. */
export interface Registration extends Seeking {
  readonly comped: boolean;
  /** what is to pay; null for the first that can */
  readonly named: Named | null;
  /** staff book it: what has to be paid for, and nothing pays for, is charged to the customer's account */
  readonly onAccount?: boolean;
  /** source of one of several bookings that are confirmed together, by the area that books them */
  readonly from?: 'registration' | 'recurring_reservation' | 'moved' | 'partner';
  /** true if it was booked before its event was cancelled, and is restored with it */
  readonly reopened?: boolean;
}

/** A decided booking. */
export interface Taking {
  readonly item: Registration;
  readonly who: CustomerAround;
  readonly payment: Payment;
  readonly place: Place;
  /** id of the customer's attendance at this event, or of a new one */
  readonly attendance: number;
}

/**
 * One statement of each owner, the last of which are those of the kernel: what each work recorded. What is owed is
 * charged after that, because an account is locked and posted to last.
 */
export async function writeBookings(
  tx: Transaction,
  taking: readonly Taking[],
  { event, commit }: { event: number; commit: boolean },
): Promise<void> {
  for (const one of taking) recordBooking(one, event);
  const works = [...new Set(taking.map(({ item }) => item.work))];
  const owed = taking.filter(({ payment }) => payment.owed);
  const commitNow = commit && owed.length === 0;
  const statements = [
    ...endSpots(taking),
    ...useHolds(taking),
    ...takeSeats(taking, event),
    ...payers.filled.debit(
      taking.map(({ item: { work, customer }, ...of }) => ({ ...of, work, customer, event, reason: 'registered' })),
    ),
    ...(commitNow ? Work.takeRecords(works) : []),
  ].map(statement);
  const commands = statements.map((s) => ({ statement: s, values: fill(s.holes, undefined) }));
  try {
    await (commitNow ? tx.sendAndCommit(commands) : tx.send(commands));
  } catch (error) {
    // A merge has moved a booking to this customer, without the lock of an event that has ended.
    if ((error as { constraint?: string }).constraint === ONE_EACH)
      throw new RetryTransaction('a booking came in between');
    throw error;
  }
  if (owed.length === 0) return;
  await payers.filled.charge(
    owed.map(({ item: { work, customer }, attendance, place }) => ({ work, customer, attendance, event, place })),
  );
  if (!commit) return;
  for (const work of new Set(owed.map(({ item }) => item.work))) await auditTouched(work, work.registry, REGISTER);
  for (const record of Work.takeRecords(works)) tx.later(record);
}

const REGISTER = 'POST /events/{id}/register';

const ONE_EACH = 'attendance_provider_id_event_id_customer_id_key';

/** Actions in the audit for bookings that were not requested individually. */
const ACTIONS: Readonly<Record<string, string>> = {
  course: 'booking of a course',
  recurring_reservation: 'booking of a date that recurs',
  reopened: 'booking of a reopened event',
  moved: 'move of a booking',
  partner: 'booking by a partner',
};

function recordBooking({ item, who, payment, attendance, place }: Taking, event: number): void {
  const { work, customer, comped, held, made, part, reopened } = item;
  const { spot, attendance: was } = who;
  const of = { attendance, event, customer };
  const claimed = spot?.status === 'spot_reserved';
  if (spot) {
    const reason = claimed ? 'claimed' : 'registered';
    work.record(waitlistFeed.ended, spot.id, { waitlist_spot: spot.id, ...of, reason });
  }
  const from = reopened ? 'reopened' : part ? 'course' : claimed ? 'claim' : (item.from ?? 'registration');
  work.record(eventRegistrationFeed.created, attendance, { ...of, from });
  const ids = { event_id: event, customer_id: customer };
  const paidBy = payment.payer && { [`${payment.payer.subject}_id`]: payment.choice!.chosen };
  work.audit({
    action: ACTIONS[from] ?? (held ? 'booking of a held seat' : made ? 'booking of a slot' : REGISTER),
    object: 'attendance',
    objectId: attendance,
    before: was && { ...ids, status: was.status, comped: was.comped },
    after: { ...ids, status: 'registered', comped, ...(place === 'online' && { place }), ...paidBy },
  });
  work.effect('booked', 'attendance', attendance, { event, customer, ...(place === 'online' && { place }) });
}

/**
 * Spots end before seats are taken: a reserved seat is freed and booked in one transaction, and never counted twice.
 */
function endSpots(taking: readonly Taking[]): Sql[] {
  const ids = taking.flatMap(({ who: { spot } }) => spot?.id ?? []);
  if (ids.length === 0) return [];
  const { providerId, now } = taking[0].item.work;
  return [
    sql`UPDATE waitlist_spot SET ended_at = ${instant(now)},
      end_reason = CASE status WHEN 'spot_reserved' THEN 'claimed' ELSE 'registered' END
        WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])`,
  ];
}

/** Ends the holds of customers who paid: the booking takes their seats, with any payer. */
function useHolds(taking: readonly Taking[]): Sql[] {
  const ids = taking.flatMap(({ who: { hold } }) => hold?.id ?? []);
  if (ids.length === 0) return [];
  const { providerId } = taking[0].item.work;
  return [sql`DELETE FROM seat_hold WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])`];
}

/** Books the existing attendances of customers at the event; customers without one get a new one. */
function takeSeats(taking: readonly Taking[], event: number): Sql[] {
  const { providerId, now } = taking[0].item.work;
  const [again, anew] = [taking.filter(({ who }) => who.attendance), taking.filter(({ who }) => !who.attendance)];
  const ids = (of: readonly Taking[]) => of.map(({ attendance }) => attendance);
  const comped = (of: readonly Taking[]) => of.map(({ item }) => item.comped);
  const sources = (of: readonly Taking[]) => of.map(({ item }) => sourceOf(item.work.viewer)?.id ?? null);
  const names = (of: readonly Taking[]) => of.map(({ item }) => sourceOf(item.work.viewer)?.name ?? null);
  const places = (of: readonly Taking[]) => of.map(({ place }) => place);
  const at = instant(now);
  return [
    ...(again.length === 0
      ? []
      : [
          sql`UPDATE attendance a SET status = 'registered', comped = b.comped, place = b.place, registered_at = ${at},
            cancelled_at = NULL, updated_at = ${at},
                     booking_application_id = b.source_id, booking_application_name = b.source_name
              FROM unnest(${ids(again)}::bigint[], ${comped(again)}::boolean[], ${sources(again)}::bigint[],
                ${names(again)}::text[], ${places(again)}::text[]) AS b (id, comped, source_id, source_name, place)
              WHERE a.provider_id = ${providerId} AND a.id = b.id`,
        ]),
    ...(anew.length === 0
      ? []
      : [
          sql`
            INSERT INTO attendance (provider_id, id, event_id, customer_id, status, comped, registered_at, created_at,
              updated_at, booking_application_id, booking_application_name, place)
              SELECT ${providerId}::bigint, id, ${event}::bigint, customer_id, 'registered', comped, ${at}::timestamptz,
                ${at}::timestamptz, ${at}::timestamptz, source_id, source_name, place
              FROM unnest(${ids(anew)}::bigint[], ${anew.map(({ item }) => item.customer)}::bigint[],
                ${comped(anew)}::boolean[], ${sources(anew)}::bigint[], ${names(anew)}::text[],
                ${places(anew)}::text[])
                AS b (id, customer_id, comped, source_id, source_name, place)`,
        ]),
  ];
}

/** Returns the application through which a booking is made; null if there is none. */
export const sourceOf = ({ applicationId: id, applicationName: name }: Viewer): { id: number; name: string } | null =>
  id === null || name === null ? null : { id, name };
