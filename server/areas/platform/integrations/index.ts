/**
 * Integrations of the established interface that need a contract with another service. None can be connected, which
 * clients learn here before they offer one.
 */
import { pageOf, paging, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean, id, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import type { Area } from '../../../kernel/api/area.ts';

const NAMES = {
  kisi: 'Kisi',
  learn_to_skate: 'Learn to Skate',
  wellhub: 'Wellhub',
  zoom: 'Zoom',
} as const;

const TYPES = Object.keys(NAMES) as (keyof typeof NAMES)[];

const who = staffWith('super_admin', 'manage_events');

export const integrations: Area = {
  name: 'integrations',
  description: 'Services of others that could be connected, and whether they are.',
  endpoints: [
    read({
      path: '/integrations',
      summary: 'List integrations',
      description:
        'None of them can be connected to Rollcall. Payments, calendars, and `/partners` have operations of their own.',
      who,
      query: paging(),
      returns: pageOf({ type: oneOf(TYPES), name: text(), is_connected: boolean() }),
      run: async ({ query: { page = 1, page_size: size = 100 } }) => ({
        count: TYPES.length,
        results: TYPES.slice((page - 1) * size, page * size).map((type) => ({
          type,
          name: NAMES[type],
          is_connected: false,
        })),
      }),
    }),
    read({
      path: '/integrations/zoom/users',
      summary: 'List Zoom users',
      description:
        'Always empty: Zoom accounts can’t be connected. Put the address of a meeting into `video_url` of a venue.',
      who,
      query: paging(),
      returns: pageOf({ id: id(), name: text(), email: text() }),
      run: async () => ({ count: 0, results: [] }),
    }),
  ],
};
