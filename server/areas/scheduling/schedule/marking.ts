/** Who came and who did not. Instructors mark the events that they teach; `attendances` marks every event. */
import { instant, sql } from '../../../kernel/db/sql.ts';
import { choose, credit, debit, lockPayers } from '../../memberships/customer-memberships/use/index.ts';
import { attendanceAttended, attendanceCorrected, attendanceNoShow } from './feed.ts';
import { may } from '../../../kernel/access/viewer.ts';
import { Problem } from '../../../kernel/api/problem.ts';
import { readCustomers } from './read-facts.ts';
import { refusedBy, SCHEDULE_PROBLEMS } from './problems.ts';
import type { Permission } from '../../../kernel/access/permission.ts';
import type { Work } from '../../../kernel/work.ts';

export type Mark = 'attended' | 'no_show' | 'registered';

/** Which mark may follow which; the rest is refused by name. */
const FROM: Record<Mark, readonly string[]> = {
  attended: ['registered', 'no_show'],
  no_show: ['registered', 'attended'],
  registered: ['attended', 'no_show'],
};

/**
 * Refuses staff who have none of the general permissions an event that they do not teach; the permissions of
 * instructors reach no further.
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
      sql`SELECT 1 FROM event_instructor ei JOIN instructor i ON i.provider_id = ei.provider_id AND i.id = ei.instructor_id
          WHERE ei.provider_id = ${providerId} AND ei.event_id = ${eventId} AND i.staff_id = ${viewer.staffId}`,
    ));
  if (!teaches)
    throw new Problem(
      'permission_denied',
      `In provider mode, an instructor's permissions cover only the events that you teach. For this one, you need ${general.join(' or ')}.`,
    );
}

/** Marks the booking of a customer; marking the same twice is the same. Returns the attendance's id. */
export async function markAttendance(work: Work, of: { event: number; customer: number }, mark: Mark): Promise<number> {
  await checkTeaches(work, of.event, 'attendances');
  const [[row], [event]] = await work.tx.all([
    sql`SELECT * FROM attendance WHERE provider_id = ${work.providerId} AND event_id = ${of.event} AND customer_id = ${of.customer} FOR UPDATE`,
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
  const kind = { attended: attendanceAttended, no_show: attendanceNoShow, registered: attendanceCorrected }[mark];
  work.record(kind, row.id, { attendance: row.id, ...of });
  if (mark === 'no_show') await credit(work, sql`a.id = ${row.id} AND ${IGNORED}`, 'no_show');
  else if (row.status === 'no_show') await useAgain(work, row.id, of);
  return row.id;
}

/** Some memberships give back what nobody came to. */
const IGNORED = sql`EXISTS (SELECT FROM customer_membership cm JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
  WHERE cm.provider_id = n.provider_id AND cm.id = n.customer_membership_id AND m.ignore_no_shows)`;

/** Who came after all uses what was given back. What was used up meanwhile is refused. */
async function useAgain(work: Work, attendance: number, of: { event: number; customer: number }): Promise<void> {
  const back = await work.tx.one<{ membership: number }>(
    sql`SELECT n.customer_membership_id AS membership FROM entitlement_entry n WHERE n.provider_id = ${work.providerId} AND n.attendance_id = ${attendance}
          AND n.reason = 'no_show' AND NOT EXISTS (SELECT FROM entitlement_entry o WHERE o.provider_id = n.provider_id AND o.attendance_id = n.attendance_id AND o.open)
        ORDER BY n.id DESC LIMIT 1`,
  );
  if (!back) return;
  const [customers, memberships] = lockPayers(work.providerId, sql`${[of.customer]}::bigint[]`);
  await work.tx.run(customers);
  await work.tx.run(memberships);
  const who = (await readCustomers(work, of.event, [of.customer])).get(of.customer)!;
  const { chosen, left, refusal } = choose(who.entitlements, { wanted: back.membership, comped: false });
  if (refusal) throw refusedBy(refusal);
  if (chosen !== null) await debit(work, { attendance, ...of, membership: chosen, left, reason: 'corrected' });
}
