/**
 * The page of a link to an online event: it leads to the video call while people can join, and otherwise shows when
 * they can. The link is signed and names one booking.
 */
import {
  acting,
  nowAt,
  reading,
  refusal,
  shownTo,
  unlessMissing,
  type Asker,
  type At,
  type Business,
  type Desk,
} from '../frame/index.ts';
import { gonePage } from './views/linked.ts';
import { goOn, seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { joinPage, waitingPage } from './views/online.ts';
import { onlineWindow, readOnlineLink, type LinkedBooking } from '../../scheduling/schedule/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { writtenFor } from './messages.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const SHOWN =
  'id,name,status,starts_at,ends_at,timezone,venue.video_url,online_venue.video_url,active_registration_status';

const BOOKED: readonly string[] = ['registered', 'attended'];

const askerOf = (visit: At, { event, customer }: LinkedBooking): Asker => ({
  visit,
  member: null,
  bearer: { customer, credential: `online_access:${event}` },
});

export function onlineRoutes(desk: Desk): PageRoute<Business>[] {
  const linkIn = ({ site, params }: At): LinkedBooking | null =>
    readOnlineLink(desk.installation.box, site.id, params.ticket!);

  const show = async (visit: At, problem: string | null): Promise<PageAnswer> => {
    const gone = () => gonePage(visit, writtenFor(visit));
    const linked = linkIn(visit);
    if (linked === null) return gone();
    const found = await reading(desk, askerOf(visit, linked), async ({ ask, tx }) => ({
      event: await ask('GET /events/{id}', { params: { id: linked.event }, query: { fields: SHOWN } }),
      booked: await ask('GET /attendances', { query: { ...linked, fields: 'place' } }),
      marks:
        (await tx.one(sql`SELECT FROM provider WHERE provider_id = ${visit.site.id} AND joining_marks_attendance`)) !==
        undefined,
    })).catch(unlessMissing);
    // The status is that of the booking now: a link of a cancelled booking opens nothing.
    if (!found || found.event.status === 'cancelled') return gone();
    const { event, booked, marks } = found;
    const { active_registration_status: standing, online_venue: online, starts_at, ends_at } = event;
    if (!standing || !BOOKED.includes(standing.current_status)) return gone();
    // In an event with places of both kinds, the others come to the venue.
    if (online !== null && booked.results[0]?.place !== 'online') return gone();
    const venue = online ?? event.venue;
    const times = { startsAt: Date.parse(starts_at), endsAt: Date.parse(ends_at) };
    const window = onlineWindow(times, nowAt(visit));
    const call = venue === null ? null : shownTo(venue).video_url;
    if (window !== 'open' || !call)
      return waitingPage(visit, writtenFor(visit), { ...event, ...times, window, problem: null });
    // Mail scanners open every link: only the button marks somebody as attended.
    return marks ? joinPage(visit, writtenFor(visit), { ...event, ...times, window, problem }) : seeOther(call);
  };

  return [
    {
      path: '/{provider_id}/online/{ticket}',
      charged: 'page',
      get: (visit) => show(visit, null),
      post: async (visit) => {
        const linked = linkIn(visit);
        if (linked === null) return show(visit, null);
        const { event: id, customer } = linked;
        try {
          return await acting(desk, askerOf(visit, linked), async ({ ask }) => {
            const joined = await ask('POST /events/{id}/join_online', { params: { id }, body: { customer } });
            return goOn(joined.video_url);
          });
        } catch (error) {
          return show(visit, refusal(desk, visit, error));
        }
      },
    },
  ];
}
