import { date, id, instant, oneOf, ref, text, timeOfDay } from '../../../kernel/base/fields/kinds.ts';
import { ofMyFamily } from '../customers/index.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const VISIT_STATUSES = ['attended', 'no_show', 'late_cancelled', 'booked'] as const;
export type VisitStatus = (typeof VISIT_STATUSES)[number];

export const pastVisit = resource('past_visit', {
  description:
    'A visit from before the business used this program, as its former product recorded it. It is no booking: it takes no place, uses no membership, and no report counts it.',
  fields: {
    id: id(),
    customer: ref('customer'),
    name: text({ max: 256 }).nullable().describe('Name of the class. Null if it isn’t known.'),
    date: date(),
    start_time: timeOfDay()
      .nullable()
      .from((t) => raw(`to_char(${t}.start_time, 'HH24:MI')`))
      .describe('By the clock of the business. Null if only the day is known.'),
    status: oneOf(VISIT_STATUSES).describe('`booked`: it isn’t known whether the customer came.'),
    instructor_name: text({ max: 256 }).nullable().describe('Null if it isn’t known.'),
    venue_name: text({ max: 256 }).nullable().describe('Null if it isn’t known.'),
    source: text({ max: 50 }).describe('The former product.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(`${t}.customer_id`), unregistered: false },
});
