/** All bookings of a person and their family: what is coming up, and what is past, with the way to book it again. */
import { entryCodes } from '../../people/customers/index.ts';
import { asking, askingParts, EVENT, eventIn, nameOf, pageAsked, whose, type Asking } from './asking.ts';
import { at, forMembers, type At, type Business, type Desk, type Member } from '../frame/index.ts';
import {
  bookingsPage,
  comingPage,
  pastPage,
  visitsPage,
  type BookingParts,
  type Past,
  type PastVisit,
  type Waiting,
} from './views/bookings.ts';
import { readAbout } from './about.ts';
import { readUnsettled } from '../../scheduling/schedule/index.ts';
import { showSettings } from './settings.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import type { Blocked, ToDo } from './views/before.ts';
import type { Upcoming } from './views/rows.ts';

const PAGE_SIZE = 30;
const MAX_UPCOMING = 5;
/** Offerings on the first page that can be booked again, and the past bookings among which they are found. */
const MAX_AGAIN = 3;
const LATEST_PAST = 12;

export const bookingRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/profile',
    charged: 'page',
    get: forMembers(desk, (visit, member) => first(desk, visit, member)),
  },
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
  {
    path: '/{provider_id}/profile/bookings/earlier',
    charged: 'page',
    get: forMembers(desk, (visit, member) => earlier(desk, visit, member)),
  },
];

/** Shows the first page of the account. Somebody who is not a customer here has nothing but settings. */
async function first(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const about = await readAbout(desk, visit, member);
  if (!about.customer) return showSettings(desk, visit, member);
  const parts = await askingParts<BookingParts>(desk, visit, member, {
    blocked,
    toDo,
    upcoming,
    waiting,
    past: latest,
    codes: ({ tx, people }) =>
      entryCodes(
        { tx, providerId: visit.site.id },
        desk.installation.box,
        people.map(({ id }) => id),
      ),
  });
  if (!parts) return showSettings(desk, visit, member);
  return bookingsPage(visit, about, { ...parts, wallets: desk.installation.wallets });
}

/** Reads who can't book now, without the note of the staff. */
async function blocked(asking: Asking): Promise<Blocked[]> {
  const { results } = await asking.ask('GET /customer_registration_blocks', {
    query: { customer: whose(asking), is_active: true, fields: 'customer,ends_at' },
  });
  return results.map(({ customer, ends_at: end }) => ({
    forWhom: nameOf(asking, customer),
    until: end === null ? null : Date.parse(end),
  }));
}

async function toDo(asking: Asking): Promise<ToDo[]> {
  const unsettled = await readUnsettled(
    asking,
    asking.people.map(({ id }) => id),
  );
  return unsettled.map(({ customer, ...one }) => ({ ...one, forWhom: nameOf(asking, customer) }));
}

async function upcoming(asking: Asking): Promise<Upcoming[]> {
  const { results } = await asking.ask('GET /attendances', {
    query: {
      customer: whose(asking),
      status: 'registered',
      event_starts_at_gte: new Date(asking.now).toISOString(),
      fields: `customer,${EVENT}`,
      sort: 'event_starts_at',
      page_size: MAX_UPCOMING,
    },
  });
  return results.flatMap(({ event, customer }) =>
    event === null ? [] : [{ ...eventIn(event), forWhom: nameOf(asking, customer) }],
  );
}

async function waiting(asking: Asking): Promise<Waiting[]> {
  const { results } = await asking.ask('GET /waitlist_spots', {
    query: {
      customer: whose(asking),
      fields: `customer,status,position,reserved_spot_expires_at,${EVENT}`,
      page_size: MAX_UPCOMING * 2,
    },
  });
  return results
    .flatMap(({ event, customer, status, position, reserved_spot_expires_at: until }) =>
      event === null
        ? []
        : [
            {
              ...eventIn(event),
              forWhom: nameOf(asking, customer),
              position,
              keptUntil: status === 'spot_reserved' && until !== null ? Date.parse(until) : null,
            },
          ],
    )
    .filter(({ startsAt }: Upcoming) => startsAt > asking.now);
}

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

async function pastOf(of: Asking, asked: { readonly page_size: number; readonly page?: number }) {
  const { results, next } = await of.ask('GET /attendances', {
    query: {
      customer: whose(of),
      status: 'registered,attended,no_show,late_cancelled',
      event_starts_at_lte: new Date(of.now).toISOString(),
      fields: `customer,status,${EVENT},event.offering_type,event.schedule_type`,
      sort: '-event_starts_at',
      ...asked,
    },
  });
  return {
    bookings: results.flatMap(({ event, customer, status }): Past[] =>
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
    ),
    more: next !== null,
  };
}

/** Returns the latest booking of each offering, latest first. */
async function latest(of: Asking): Promise<Past[]> {
  const { bookings } = await pastOf(of, { page_size: LATEST_PAST });
  const seen = new Map<number, Past>();
  for (const one of bookings) if (!seen.has(one.offering)) seen.set(one.offering, one);
  return [...seen.values()].slice(0, MAX_AGAIN);
}

async function past(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const page = pageAsked(visit);
  const found = await asking(desk, visit, member, async (of) => {
    const shown = await pastOf(of, { page_size: PAGE_SIZE, page });
    // Visits at the former product are older than all bookings, so the last page leads to them.
    const hasVisits = !shown.more && (await visitsOf(of, { page_size: 1 })).bookings.length > 0;
    return { ...shown, hasVisits };
  });
  return found ? pastPage(visit, { ...found, page }) : seeOther(at(visit.site, 'profile'));
}

async function visitsOf(of: Asking, asked: { readonly page_size: number; readonly page?: number }) {
  const { results, next } = await of.ask('GET /past_visits', {
    query: {
      customer: whose(of),
      fields: 'customer,name,date,start_time,status,instructor_name,venue_name',
      sort: '-date',
      ...asked,
    },
  });
  const bookings = results.map(
    ({ customer, name, date, start_time: time, status, instructor_name, venue_name }): PastVisit => ({
      name,
      date,
      time,
      forWhom: nameOf(of, customer),
      missed: status === 'no_show',
      late: status === 'late_cancelled',
      about: [instructor_name, venue_name].filter((text) => text !== null),
    }),
  );
  return { bookings, more: next !== null };
}

/** Shows the visits from before the business used this program. */
async function earlier(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const page = pageAsked(visit);
  const found = await asking(desk, visit, member, (of) => visitsOf(of, { page_size: PAGE_SIZE, page }));
  return found ? visitsPage(visit, { ...found, page }) : seeOther(at(visit.site, 'profile'));
}
