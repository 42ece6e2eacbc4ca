/** Attendance and absence. Instructors mark the events that they teach; `attendances` marks every event. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { attendanceFeed } from '../feed.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { readCustomers } from '../bookings/read-facts.ts';
import { refusedBy, SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Permission } from '../../../../kernel/work/access/permission.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { payers } from '../bookings/payer-port.ts';

type Mark = 'attended' | 'no_show' | 'registered';

/** Statuses after which each mark is allowed; others are refused by name. */
const FROM: Record<Mark, readonly string[]> = {
  attended: ['registered', 'no_show'],
  no_show: ['registered', 'attended'],
  registered: ['attended', 'no_show'],
};

/**
 * Refuses an event that staff without any of the general permissions do not teach; the permissions of instructors reach
 * no further.
 */
export async function checkTeaches(
  { viewer, tx, providerId }: Pick<Work, 'viewer' | 'tx' | 'providerId'>,
  eventId: number,
  ...general: Permission[]
): Promise<void> {
  if (viewer.mode !== 'provider' || may(viewer, ...general)) return;
  const teaches =
    viewer.staffId !== null &&
    (await tx.one(
      sql`SELECT 1 FROM event_instructor ei JOIN instructor i ON i.provider_id = ei.provider_id
        AND i.id = ei.instructor_id
          WHERE ei.provider_id = ${providerId} AND ei.event_id = ${eventId} AND i.staff_id = ${viewer.staffId}`,
    ));
  if (!teaches)
    throw new Problem(
      'permission_denied',
      `In provider mode, an instructor's permissions cover only the events that you teach. For this one, you need ${general.join(' or ')}.`,
    );
}

/** Marks the booking of a customer; repeating a mark changes nothing. Returns the id of the attendance. */
export async function markAttendance(work: Work, of: { event: number; customer: number }, mark: Mark): Promise<number> {
  await checkTeaches(work, of.event, 'attendances');
  const [[row], [event]] = await work.tx.all([
    sql`SELECT * FROM attendance WHERE provider_id = ${work.providerId} AND event_id = ${of.event}
      AND customer_id = ${of.customer} FOR UPDATE`,
    sql`SELECT status FROM event WHERE provider_id = ${work.providerId} AND id = ${of.event}`,
  ]);
  if (row && event.status === 'cancelled')
    throw new Problem(SCHEDULE_PROBLEMS.event_cancelled, 'The event is cancelled.');
  if (row?.status === mark) return row.id;
  if (!row || !FROM[mark].includes(row.status))
    throw new Problem(SCHEDULE_PROBLEMS.not_registered, 'The customer is not booked on this event.');
  work.touch('attendance', row.id, row);
  const now = instant(work.now);
  await work.tx.run(
    sql`UPDATE attendance SET status = ${mark}, attended_at = ${mark === 'attended' ? now : null}, updated_at = ${now}
        WHERE provider_id = ${work.providerId} AND id = ${row.id}`,
  );
  const kind = {
    attended: attendanceFeed.attended,
    no_show: attendanceFeed.no_show,
    registered: attendanceFeed.corrected,
  }[mark];
  work.record(kind, row.id, { attendance: row.id, ...of });
  if (mark === 'no_show') await payers.filled.credit(work, sql`a.id = ${row.id}`, 'no_show');
  else if (row.status === 'no_show') await payAgain(work, row.id, of);
  return row.id;
}

/** Debits the credited use again if the customer came after all. Refused if it has been used up in the meantime. */
async function payAgain(work: Work, attendance: number, of: { event: number; customer: number }): Promise<void> {
  for (const payer of payers.filled.all) {
    const id = await payer.givenBackFor(work, attendance);
    if (id === null) continue;
    await payers.filled.lock(work, sql`${[of.customer]}::bigint[]`);
    const who = (await readCustomers(work, of.event, [of.customer])).get(of.customer)!;
    const payment = payers.filled.choose({ known: who.known, price: null }, { named: { payer, id }, comped: false });
    if (payment.refusal) throw refusedBy(payment.refusal);
    return payers.filled.debitNow(work, { attendance, ...of, payment, reason: 'corrected' });
  }
}
