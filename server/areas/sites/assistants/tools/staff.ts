/** Tools for the jobs of staff that only read. */
import { day, startsBetween, today } from './days.ts';
import { filters, flat, find, link } from './asking.ts';
import { id, text } from '../../../../kernel/base/fields/kinds.ts';
import { tool, type Tool } from '../tool.ts';

const EVENT =
  'id,name,starts_at,ends_at,status,max_occupancy,attending_count,waiting_count,instructors.name,venue.name';
const PERSON = 'id,first_name,last_name';
/** The most people, bookings or events of one answer. */
const PAGE = 50;

interface Report {
  readonly name: string;
  readonly label: string;
  readonly description: string;
}

/** Returns the page of a report with the labels of its columns alone: `describe` explains them. */
const withLabels = ({ column_headers: columns, ...page }: Record<string, any>): object =>
  Array.isArray(columns) ? { columns: columns.map(({ label }) => label), ...page } : page;

export const staffTools: readonly Tool[] = [
  tool({
    name: 'day_overview',
    title: 'Overview of a day',
    description:
      'Everything scheduled on a day: classes and appointments with their times, instructors, bookings, places and waitlists. Use it for "what is on today" and "how full are we on Friday".',
    mode: 'provider',
    calls: ['GET /events'],
    input: { date: day('The day. Default: today at the business.') },
    run: async (session, { date = today(session) }) => {
      const query = {
        ...startsBetween(date, date),
        sort: 'start',
        page_size: PAGE,
        fields: EVENT,
        expand: 'instructors,venue',
      };
      const { count, results } = await session.call('GET /events', { query });
      return {
        says: [`${count} on ${date}${count > PAGE ? `, of which the first ${PAGE} follow` : ''}.`],
        data: results,
        links: [link('Calendar', session.screen('calendar'))],
      };
    },
  }),
  tool({
    name: 'find_customer',
    title: 'Find customers',
    description: 'Finds customers by words of their name or email address. Returns ids for the other tools.',
    mode: 'provider',
    calls: ['GET /customers'],
    input: { words: text({ max: 200 }).describe('Words of the name or email address.') },
    run: async (session, { words }) => {
      const query = {
        query: words,
        page_size: 10,
        fields: `${PERSON},email,next_booking.event.name,main_membership.name`,
      };
      const { count, results } = await session.call('GET /customers', {
        query: { ...query, expand: 'next_booking.event,main_membership' },
      });
      return {
        says: [
          count === 0
            ? 'No customer has these words.'
            : `${count} found${count > 10 ? ', of which the first 10 follow' : ''}.`,
        ],
        data: results,
        links: [link('Customers', session.screen('people'))],
      };
    },
  }),
  tool({
    name: 'customer_card',
    title: 'A customer’s card',
    description:
      'One customer: contact, family, status, notes, what they owe, their memberships with what is left, and their next and last bookings.',
    mode: 'provider',
    calls: ['GET /customers/{id}', 'GET /customer_memberships', 'GET /attendances'],
    input: { customer: id().describe('Id of the customer, from find_customer.') },
    run: async (session, { customer }) => {
      const person = await session.call('GET /customers/{id}', {
        params: { id: customer },
        query: {
          fields: `${PERSON},email,created_at,is_lead,status,labels,pinned_note,credit_balance,amount_owed,flagged_issues,registration_block`,
          expand: 'status,labels,pinned_note,credit_balance,amount_owed,flagged_issues,registration_block',
        },
      });
      const memberships = await session.call('GET /customer_memberships', {
        query: {
          owned_or_shared_with_customer: customer,
          status: 'active,hold',
          page_size: 10,
          expand: 'usage_summary',
        },
      });
      const bookings = await session.call('GET /attendances', {
        query: {
          customer,
          sort: '-event_starts_at',
          page_size: 10,
          fields: 'id,status,event.id,event.name,event.starts_at',
          expand: 'event',
        },
      });
      return {
        data: { person, memberships: memberships.results, bookings: bookings.results },
        links: [link('Customer', session.screen(`people/${customer}`))],
      };
    },
  }),
  tool({
    name: 'roster',
    title: 'Who is in a class',
    description: 'The people of a class or appointment: booked, checked in, cancelled and on the waitlist.',
    mode: 'provider',
    calls: ['GET /events/{id}', 'GET /attendances'],
    input: { event: id().describe('Id of the class, from day_overview or find_classes.') },
    run: async (session, { event }) => {
      const about = await session.call('GET /events/{id}', {
        params: { id: event },
        query: { fields: EVENT, expand: 'instructors,venue' },
      });
      const { count, results } = await session.call('GET /attendances', {
        query: {
          event,
          page_size: PAGE,
          fields: 'id,status,place,customer.id,customer.first_name,customer.last_name,is_first_visit,requirements',
          expand: 'customer,is_first_visit,requirements',
        },
      });
      return {
        says: count > PAGE ? [`${count} people, of which the first ${PAGE} follow.`] : [],
        data: { class: about, people: results },
        links: [link('Roster', session.screen(`door/${event}`))],
      };
    },
  }),
  tool({
    name: 'customer_payments',
    title: 'A customer’s payments',
    description: 'The latest payments of a customer, with what was refunded. A refund needs the id of a payment.',
    mode: 'provider',
    calls: ['GET /payments'],
    input: { customer: id().describe('Id of the customer, from find_customer.') },
    run: async (session, { customer }) => {
      const { results } = await session.call('GET /payments', {
        query: {
          customer,
          sort: '-created_at',
          page_size: 20,
          fields: 'id,amount,refunded_amount,status,description,created_at',
        },
      });
      return { data: results, links: [link('Customer', session.screen(`people/${customer}`))] };
    },
  }),
  tool({
    name: 'reports',
    title: 'List reports',
    description: 'The reports that the caller may read, with what each shows. Read one with report.',
    mode: 'provider',
    calls: ['GET /reports'],
    input: {},
    run: async (session) => {
      const answer = await session.call('GET /reports');
      const data = answer.reports.map(({ name, label, description }: Report) => ({ name, label, description }));
      return { data, links: [link('Reports', session.screen('reports'))] };
    },
  }),
  tool({
    name: 'report',
    title: 'Read a report',
    description:
      'The figures of a report. Most have filters such as month_gte and month_lte (2026-11-01) and a form in groups: add ".grouped" to the name and name the group. Use describe with "GET /reports/{name}/data" for the filters.',
    mode: 'provider',
    calls: ['GET /reports'],
    input: {
      name: text({ max: 100, pattern: /^[a-z_]+(\.grouped)?$/ }).describe('Name of the report, for example revenue.'),
      filters: filters(),
    },
    run: async (session, { name, filters = {} }) => {
      const operation = `GET /reports/${name}/data`;
      if (!find(session, operation))
        return {
          says: ['There is no report of this name, or the caller may not read it. See reports.'],
          isRefusal: true,
        };
      const data = await session.call(operation, { query: { page_size: PAGE, ...flat(filters) } });
      return {
        data: withLabels(data),
        links: [link('Report', session.screen(`reports/${name.replace('.grouped', '')}`))],
      };
    },
  }),
];
