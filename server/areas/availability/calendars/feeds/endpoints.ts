import { action, answer, read, staffWith, STAFF, type Who } from '../../../../kernel/api/endpoint.ts';
import { boolean } from '../../../../kernel/base/fields/kinds.ts';
import { checkActsFor, customer } from '../../../people/customers/index.ts';
import { instructor } from '../../../people/staff/index.ts';
import { customerLinksFeed, instructorLinksFeed, providerLinksFeed, venueRoomLinksFeed } from '../feed.ts';
import { links, readLinks, resetLinks } from './links.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { seesAll } from '../outside/resources.ts';
import { venueLimit } from '../../../../kernel/api/venue-limit.ts';
import { venueRoom } from '../../../places/venues/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const returns = answer(links);
const SHOWN =
  'Returns the same address each time, until it is reset. Calendar programs read it without a log-in, so treat it like a password.';
const RESET =
  'The address that was used so far no longer works, and calendars that subscribe to it show nothing new. Subscribe to the new one.';

const family = () =>
  boolean()
    .default(false)
    .describe('True for the calendar of the whole family that the customer manages, with a name at each booking.');

const forCustomers: Who = { provider: ['customers'], customer: true, unregistered: false };

const customerFeed = async (work: Work, id: number, wholeFamily: boolean) => {
  await checkActsFor(work, id);
  return { kind: wholeFamily ? 'family' : 'customer', subject: id } as const;
};

/** Allows the instructor themself, and staff who plan for everybody. */
function checkOwn({ viewer }: Work, { staff_id: staff }: Record<string, any>): void {
  if (staff !== viewer.staffId && !seesAll(viewer))
    throw new Problem(
      'permission_denied',
      'You can see only the calendar of your own events. The permission manage_events at all venues is needed for those of others.',
    );
}

function checkWhole({ viewer }: Work): void {
  if (viewer.venues !== null) throw venueLimit(viewer, 'this is the calendar of the whole business.');
}

export const feedEndpoints = [
  read({
    path: '/customers/{id}/icalendar_links',
    summary: 'Get the address of a customer’s calendar',
    description: `The calendar has the events that the customer is booked on. ${SHOWN}`,
    who: forCustomers,
    target: customer,
    query: { family: family() },
    returns,
    run: async ({ work, target, query }) => readLinks(work, await customerFeed(work, target.id, query.family)),
  }),
  action({
    path: '/customers/{id}/icalendar_links/reset',
    summary: 'Reset the address of a customer’s calendar',
    description: RESET,
    who: forCustomers,
    target: customer,
    body: { family: family() },
    returns,
    run: async ({ work, target, body }) => {
      const of = await customerFeed(work, target.id, body.family);
      work.record(customerLinksFeed.icalendar_links_reset, target.id, { customer: target.id });
      return resetLinks(work, of);
    },
  }),
  read({
    path: '/instructors/{id}/icalendar_links',
    summary: 'Get the address of an instructor’s calendar',
    description: `The calendar has the events that the instructor teaches, with how many are booked and without names. Instructors see their own; \`manage_events\` at all venues shows those of others. ${SHOWN}`,
    who: STAFF,
    target: instructor,
    returns,
    run: async ({ work, target }) => {
      checkOwn(work, target);
      return readLinks(work, { kind: 'instructor', subject: target.id });
    },
  }),
  action({
    path: '/instructors/{id}/icalendar_links/reset',
    summary: 'Reset the address of an instructor’s calendar',
    description: RESET,
    who: STAFF,
    target: instructor,
    returns,
    run: async ({ work, target }) => {
      checkOwn(work, target);
      work.record(instructorLinksFeed.icalendar_links_reset, target.id, { instructor: target.id });
      return resetLinks(work, { kind: 'instructor', subject: target.id });
    },
  }),
  read({
    path: '/venue_rooms/{id}/icalendar_links',
    summary: 'Get the address of a room’s calendar',
    description: `The calendar has the events in the room, with how many are booked and without names. ${SHOWN}`,
    who: staffWith('manage_events'),
    target: venueRoom,
    returns,
    run: ({ work, target }) => readLinks(work, { kind: 'room', subject: target.id }),
  }),
  action({
    path: '/venue_rooms/{id}/icalendar_links/reset',
    summary: 'Reset the address of a room’s calendar',
    description: RESET,
    who: staffWith('manage_events'),
    target: venueRoom,
    returns,
    run: async ({ work, target }) => {
      work.record(venueRoomLinksFeed.icalendar_links_reset, target.id, { venue_room: target.id });
      return resetLinks(work, { kind: 'room', subject: target.id });
    },
  }),
  read({
    path: '/icalendar_links',
    summary: 'Get the address of the business’s calendar',
    description: `The calendar has all events of the business, with how many are booked and without names. ${SHOWN}`,
    who: staffWith('manage_events'),
    returns,
    run: async ({ work }) => {
      checkWhole(work);
      return readLinks(work, { kind: 'business', subject: 0 });
    },
  }),
  action({
    path: '/icalendar_links/reset',
    summary: 'Reset the address of the business’s calendar',
    description: RESET,
    who: staffWith('manage_events'),
    returns,
    run: async ({ work }) => {
      checkWhole(work);
      work.record(providerLinksFeed.icalendar_links_reset, work.providerId, { provider: work.providerId });
      return resetLinks(work, { kind: 'business', subject: 0 });
    },
  }),
];
