/**
 * Links to online events: each is for one booking, and leads to the video call only around the event, for as long as
 * the booking stands.
 */
import { action, answer } from '../../../../kernel/api/endpoint.ts';
import { checkActsFor } from '../../../people/customers/index.ts';
import { checkTeaches, markAttendance } from '../attendance/marking.ts';
import { BOOKS_EVERYWHERE } from '../sight.ts';
import { customerField, customerOf, whoBooks } from './booking-endpoints.ts';
import { event } from '../events/event.ts';
import { moment, one, say } from '../../../../kernel/base/values/words.ts';
import { onlineWindow, opensAt } from '../rules/online-window.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { readSignedIds, signIds } from '../../../../kernel/base/signed-ids.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { uri } from '../../../../kernel/base/fields/kinds.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import type { LinkedBooking } from './booking-link.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

const PURPOSE = 'online_access_1';

/** Returns the path of the page that leads to the video call. */
export const onlinePath = (
  box: Pick<SecretBox, 'fingerprint'>,
  providerId: number,
  { event: id, customer }: LinkedBooking,
): string => `/account/${providerId}/online/${signIds(box, PURPOSE, providerId, [id, customer])}`;

/** Returns the booking that the last part of the path names; null if it was not issued for this business. */
export function readOnlineLink(
  box: Pick<SecretBox, 'fingerprints'>,
  providerId: number,
  ticket: string,
): LinkedBooking | null {
  const [id, customer, ...more] = readSignedIds(box, PURPOSE, providerId, ticket) ?? [];
  return customer === undefined || more.length > 0 ? null : { event: id!, customer };
}

const notOnline = (): Problem =>
  new Problem(SCHEDULE_PROBLEMS.not_online, {
    staff:
      'The event is not online, or its venue has no address of a video call. Set `video_url` of an online venue, and move the event there.',
    customer: say`This ${one.event} does not take place online.`,
  });

const notBooked = (): Problem =>
  new Problem(SCHEDULE_PROBLEMS.not_registered, {
    staff: 'The customer has no booking for this event. Book it first.',
    customer: say`Only people who booked this ${one.event} can join it.`,
  });

const cancelled = (): Problem => new Problem(SCHEDULE_PROBLEMS.event_cancelled, say`This ${one.event} is cancelled.`);

interface Target {
  readonly id: number;
  readonly status: string;
  readonly venue_id: number | null;
  /** null unless the event has places online as well as at its venue */
  readonly online_venue_id: number | null;
}

/** Returns the address of the video call, for a customer with a booking. @throws Problem */
async function readCall({ tx, providerId }: Work, target: Target, customer: number): Promise<string> {
  const found = await tx.one<{ call: string | null; booked: boolean }>(sql`
    SELECT CASE WHEN v.venue_type = 'online' THEN v.video_url END AS call, EXISTS (
      SELECT FROM attendance a WHERE a.provider_id = ${providerId} AND a.event_id = ${target.id}
        AND a.customer_id = ${customer} AND a.status IN ('registered', 'attended')
        AND (${target.online_venue_id}::bigint IS NULL OR a.place = 'online')) AS booked
    FROM venue v WHERE v.provider_id = ${providerId} AND v.id = ${target.online_venue_id ?? target.venue_id}`);
  if (!found?.call) throw notOnline();
  if (target.status === 'cancelled') throw cancelled();
  if (!found.booked) throw notBooked();
  return found.call;
}

export const generateOnlineLink = action({
  path: '/events/{id}/generate_online_access_link',
  summary: 'Create a link to an online event',
  description:
    'Returns a link for one booking. It leads to the video call from 15 minutes before the event until it ends, as long as the customer has the booking; at other times, it shows when it opens. It needs no log-in, so send it to nobody else.',
  who: whoBooks,
  target: event,
  unlocked: true,
  body: { customer: customerField },
  returns: answer({ access_link: uri() }),
  problems: [SCHEDULE_PROBLEMS.not_online, SCHEDULE_PROBLEMS.not_registered, SCHEDULE_PROBLEMS.event_cancelled],
  run: async ({ work, body, target, pagesUrl }) => {
    const customer = customerOf(work, body.customer);
    await Promise.all([checkActsFor(work, customer), checkTeaches(work, target.id, ...BOOKS_EVERYWHERE)]);
    await readCall(work, target as Target, customer);
    const link = { event: target.id, customer };
    return { access_link: `${pagesUrl}${onlinePath(work.installation.box, work.providerId, link)}` };
  },
});

const notNow = (startsAt: number, zone: string): Problem => {
  const at = moment(opensAt(startsAt), zone);
  return new Problem(SCHEDULE_PROBLEMS.not_open_now, {
    staff: 'The event can be joined from 15 minutes before it begins until it ends. Try again then.',
    customer: say`You can join from ${at} until it ends.`,
  });
};

export const joinOnline = action({
  path: '/events/{id}/join_online',
  summary: 'Join an online event',
  description:
    'Returns the address of the video call, from 15 minutes before the event until it ends. If the business wants it (`joining_marks_attendance` of the check-in settings), the customer is marked as attended.',
  who: whoBooks,
  target: event,
  unlocked: true,
  body: { customer: customerField },
  returns: answer({ video_url: uri() }),
  problems: [
    SCHEDULE_PROBLEMS.not_online,
    SCHEDULE_PROBLEMS.not_registered,
    SCHEDULE_PROBLEMS.event_cancelled,
    SCHEDULE_PROBLEMS.not_open_now,
  ],
  run: async ({ work, body, target }) => {
    const customer = customerOf(work, body.customer);
    await Promise.all([checkActsFor(work, customer), checkTeaches(work, target.id, ...BOOKS_EVERYWHERE)]);
    const call = await readCall(work, target as Target, customer);
    const { starts_at: startsAt, ends_at: endsAt } = target;
    if (onlineWindow({ startsAt, endsAt }, work.now) !== 'open') throw notNow(startsAt, work.tenant.zone);
    if (await marksAttendance(work)) await markAttendance(work, { event: target.id, customer }, 'attended');
    return { video_url: call };
  },
});

const marksAttendance = async ({ tx, providerId }: Work): Promise<boolean> =>
  (await tx.one(sql`SELECT FROM provider WHERE provider_id = ${providerId} AND joining_marks_attendance`)) !==
  undefined;
