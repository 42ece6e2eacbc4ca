/** Tools for staff and customers: what can be booked, and why somebody can't. */
import { date, id, text } from '../../../../kernel/base/fields/kinds.ts';
import { day, startsBetween, today } from './days.ts';
import { link } from './asking.ts';
import { tool, type Tool } from '../tool.ts';
import type { Session } from '../session.ts';

const PAGE = 40;
const SHOWN =
  'id,name,starts_at,ends_at,status,max_occupancy,attending_count,waiting_count,is_full,active_registration_status,customer_url,instructors.name,venue.name';
const DAY_MS = 86_400_000;

const weekLater = (from: string): string =>
  new Date(Date.parse(`${from}T00:00:00Z`) + 6 * DAY_MS).toISOString().slice(0, 10);

const findClasses = async (session: Session, from: string, to: string, words: string | undefined) => {
  const query = {
    ...startsBetween(from, to),
    status: 'active',
    sort: 'start',
    page_size: PAGE,
    fields: SHOWN,
    expand: 'instructors,venue,active_registration_status',
    ...(words !== undefined && { name_contains: words }),
  };
  const { count, results } = await session.call('GET /events', { query });
  return {
    says: [
      count === 0
        ? `Nothing from ${from} to ${to}. Try other days or fewer words.`
        : `${count} from ${from} to ${to}${count > PAGE ? `, of which the first ${PAGE} follow` : ''}.`,
    ],
    data: results,
    links: [link('Calendar', session.screen('calendar'))],
  };
};

const WHY =
  'Explains step by step whether a customer can book a class now, what it costs or uses, and what would help.';

export const classTools: readonly Tool[] = [
  tool({
    name: 'find_classes',
    title: 'Find classes',
    description:
      'Classes and other events on some days: times, instructors, places that are left, and whether the customer is booked. Returns the ids that the other tools need.',
    calls: ['GET /events'],
    input: {
      from: day('The first day. Default: today.'),
      to: day('The last day. Default: six days after the first.'),
      words: text({ max: 200 }).optional().describe('Part of the name.'),
    },
    run: (session, { from = today(session), to = weekLater(from), words }) => findClasses(session, from, to, words),
  }),
  tool({
    name: 'why_not',
    title: 'Why a customer can’t book',
    description: WHY,
    mode: 'provider',
    calls: ['GET /events/{id}/explain'],
    input: {
      event: id().describe('Id of the class.'),
      customer: id().describe('Id of the customer, from find_customer.'),
    },
    run: async (session, { event, customer }) => ({
      data: await session.call('GET /events/{id}/explain', { params: { id: event }, query: { customer } }),
      links: [link('Roster', session.screen(`door/${event}`)), link('Customer', session.screen(`people/${customer}`))],
    }),
  }),
  tool({
    name: 'why_not_me',
    title: 'Why I can’t book',
    description: WHY,
    mode: 'customer',
    calls: ['GET /events/{id}/explain'],
    input: {
      event: id().describe('Id of the class, from find_classes.'),
      customer: id().optional().describe('Somebody else of the family. Default: the person who asks.'),
    },
    run: async (session, { event, customer }) => ({
      data: await session.call('GET /events/{id}/explain', {
        params: { id: event },
        query: customer === undefined ? {} : { customer },
      }),
    }),
  }),
  tool({
    name: 'free_times',
    title: 'Find free times',
    description: 'Free times for an appointment or a room rental. Use find_offerings for the id of what is wanted.',
    calls: ['GET /slots'],
    input: {
      offering: id().describe('Id of the offering type.'),
      from: date().optional().describe('The first day. Default: today.'),
      to: date().optional().describe('The last day, at most 31 days with the first.'),
    },
    run: async (session, { offering, from, to }) => {
      const query = { offering_type: offering, page_size: PAGE, ...(from && { from }), ...(to && { to }) };
      const { count, results } = await session.call('GET /slots', { query });
      return { says: [count === 0 ? 'No time is free on these days.' : `${count} free.`], data: results };
    },
  }),
  tool({
    name: 'find_offerings',
    title: 'List what is offered',
    description: 'What the business offers: kinds of classes, appointments and room rentals, with their ids.',
    calls: ['GET /offering_types'],
    input: {},
    run: async (session) => {
      const { results } = await session.call('GET /offering_types', {
        query: { page_size: 100, fields: 'id,name,schedule_type,description' },
      });
      return { data: results };
    },
  }),
];
