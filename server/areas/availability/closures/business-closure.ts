import { atVenue, resource } from '../../../kernel/api/resource.ts';
import { date, id, instant, integer, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../kernel/base/db/sql.ts';

const STAFF_SEE = { customer: false, unregistered: false } as const;

export const businessClosure = resource('business_closure', {
  description:
    'A day on which the business is closed, at one venue or at all of them. Its events are cancelled, and nothing can be planned on it.',
  fields: {
    id: id(),
    closure_date: date().describe('The date by the clock of each venue that is closed.'),
    venue: ref('venue').nullable().describe('The venue that is closed. Null means all venues.'),
    reason: text({ max: 500 })
      .nullable()
      .describe(
        'Why it is closed, in words for customers. Everybody can read it, also without logging in, so leave out what is only for staff.',
      ),
    cancelled_events: integer({ min: 0 })
      .from((t) =>
        raw(
          `(SELECT count(*) FROM business_closure_event n
            WHERE n.provider_id = ${t}.provider_id AND n.business_closure_id = ${t}.id)`,
        ),
      )
      .describe('Number of events that the closure has cancelled so far. A job cancels them. Null for customers.'),
    bulk_action: ref('bulk_action').describe(
      'The call that closed the day. `POST /business_closures/{id}/reopen` undoes all days of that call. Null for customers.',
    ),
    created_at: instant(),
  },
  visible: { provider: true, customer: true, unregistered: true },
  shown: { cancelled_events: STAFF_SEE, bulk_action: STAFF_SEE },
  place: atVenue('venue_id', 'public'),
});
