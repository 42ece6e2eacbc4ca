/** All bookings of a person and their family: what is coming up, and what is past, with the way to book it again. */
import { asking, EVENT, eventIn, nameOf, pageAsked, whose } from './home.ts';
import { at, forMembers, type At, type Business, type Desk, type Member } from '../frame/index.ts';
import { comingPage, pastPage, type Past } from './views/bookings.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import type { Upcoming } from './views/home.ts';

const PAGE_SIZE = 30;

export const bookingRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/profile/bookings',
    charged: 'page',
    get: forMembers(desk, (visit, member) => coming(desk, visit, member)),
  },
  {
    path: '/{provider_id}/profile/bookings/past',
    charged: 'page',
    get: forMembers(desk, (visit, member) => past(desk, visit, member)),
  },
];

async function coming(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const page = pageAsked(visit);
  const found = await asking(desk, visit, member, async (of) => {
    const { results, next } = await of.ask('GET /attendances', {
      query: {
        customer: whose(of),
        status: 'registered',
        event_starts_at_gte: new Date(of.now).toISOString(),
        fields: `customer,${EVENT}`,
        sort: 'event_starts_at',
        page_size: PAGE_SIZE,
        page,
      },
    });
    const bookings = results.flatMap(({ event, customer }): Upcoming[] =>
      event === null ? [] : [{ ...eventIn(event), forWhom: nameOf(of, customer) }],
    );
    return { bookings, more: next !== null };
  });
  return found ? comingPage(visit, { ...found, page }) : seeOther(at(visit.site, 'profile'));
}

/** Offerings that are booked by the time, not from the timetable. */
const BY_TIME = new Set(['appointment', 'room_rental']);

async function past(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const page = pageAsked(visit);
  const found = await asking(desk, visit, member, async (of) => {
    const { results, next } = await of.ask('GET /attendances', {
      query: {
        customer: whose(of),
        status: 'registered,attended,no_show,late_cancelled',
        event_starts_at_lte: new Date(of.now).toISOString(),
        fields: `customer,status,${EVENT},event.offering_type,event.schedule_type`,
        sort: '-event_starts_at',
        page_size: PAGE_SIZE,
        page,
      },
    });
    const bookings = results.flatMap(({ event, customer, status }): Past[] =>
      event === null
        ? []
        : [
            {
              ...eventIn(event),
              forWhom: nameOf(of, customer),
              missed: status === 'no_show',
              late: status === 'late_cancelled',
              offering: event.offering_type,
              byTime: BY_TIME.has(event.schedule_type),
            },
          ],
    );
    return { bookings, more: next !== null };
  });
  return found ? pastPage(visit, { ...found, page }) : seeOther(at(visit.site, 'profile'));
}
