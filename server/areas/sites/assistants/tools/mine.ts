/** Tools for the jobs of customers that only read. */
import { boolean } from '../../../../kernel/base/fields/kinds.ts';
import { link } from './asking.ts';
import { tool, type Tool } from '../tool.ts';

export const customerTools: readonly Tool[] = [
  tool({
    name: 'my_bookings',
    title: 'My bookings',
    description: 'The bookings and spots on waitlists of the person and their family: what is coming, or what was.',
    mode: 'customer',
    calls: ['GET /attendances'],
    input: { past: boolean().optional().describe('True: those in the past. Default: those that are coming.') },
    run: async (session, { past = false }) => {
      const now = new Date(session.now).toISOString();
      const query: Record<string, string> = past
        ? { event_starts_at_lte: now, sort: '-event_starts_at' }
        : { event_starts_at_gte: now, status: 'plans_to_attend', sort: 'event_starts_at' };
      const { count, results } = await session.call('GET /attendances', {
        query: {
          ...query,
          page_size: 20,
          fields:
            'id,status,event.id,event.name,event.starts_at,event.ends_at,event.late_cancel_deadline,customer.id,customer.first_name',
          expand: 'event,customer',
        },
      });
      return {
        says: [count === 0 ? (past ? 'No bookings in the past.' : 'No bookings are coming.') : `${count} in all.`],
        data: results,
        links: [link('Bookings', session.page(past ? 'profile/bookings/past' : 'profile/bookings'))],
      };
    },
  }),
  tool({
    name: 'my_memberships',
    title: 'My memberships',
    description: 'The memberships and passes of the person and their family: what is left, until when, and holds.',
    mode: 'customer',
    calls: ['GET /customer_memberships'],
    input: {},
    run: async (session) => {
      const { results } = await session.call('GET /customer_memberships', {
        query: { status: 'active,hold', page_size: 20, expand: 'usage_summary' },
      });
      return {
        says: results.length === 0 ? ['No membership is active.'] : [],
        data: results,
        links: [link('Memberships', session.page('profile/memberships'))],
      };
    },
  }),
  tool({
    name: 'my_account',
    title: 'My account',
    description: 'The person and their family: ids for the other tools, open balance, account credit and statuses.',
    mode: 'customer',
    calls: ['GET /customers'],
    input: {},
    run: async (session) => {
      const { results } = await session.call('GET /customers', {
        query: {
          page_size: 20,
          fields: 'id,first_name,last_name,email,family_role,participating,credit_balance,amount_owed',
          expand: 'credit_balance,amount_owed',
        },
      });
      return { data: results, links: [link('Profile', session.page('profile'))] };
    },
  }),
];
