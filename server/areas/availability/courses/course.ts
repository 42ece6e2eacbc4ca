import { boolean, collection, id, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { onOfferToMembers } from '../../scheduling/offerings/index.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';

const offered = (c: string, o: Sql): Sql => sql`${raw(c)}.published AND EXISTS (SELECT FROM offering_type o
  WHERE o.provider_id = ${raw(c)}.provider_id AND o.id = ${raw(c)}.offering_type_id AND ${o})`;

/** Course `c` is shown to visitors. */
export const onOffer = (c: string): Sql => offered(c, raw(`o.status = 'active' AND o.customer_visibility = 'public'`));

/** Course `c` is shown to customers: it is offered to them, or a family member takes part in it. */
export const shownToCustomers = (c: string): Sql => sql`((${offered(c, onOfferToMembers('o'))})
  OR EXISTS (SELECT FROM course_enrollment e
    JOIN course_date_series s ON s.provider_id = e.provider_id AND s.id = e.course_date_series_id
    WHERE s.provider_id = ${raw(c)}.provider_id AND s.course_id = ${raw(c)}.id AND ${ofMyFamily('e.customer_id')}))`;

export const course = resource('course', {
  description:
    'Something that is taught over several sessions. It is a draft, which only staff see, until it is published.',
  fields: {
    id: id(),
    name: text({ max: 256 }).nullable().describe('If null, it is called as its offering type is.'),
    offering_type: ref('offering_type'),
    published: boolean(),
    course_sessions: collection(
      'course_session',
      { table: 'course_date', parent: 'course_id', child: 'event_id' },
      (courseId) => `/course_sessions?course=${courseId}`,
    ),
  },
  visible: { provider: true, customer: shownToCustomers, unregistered: onOffer },
});

/** Applies such a condition to a row, by the column that names its course. */
export const ofCourse = (t: string, column: string, shown: (c: string) => Sql): Sql =>
  sql`
    EXISTS (SELECT FROM course c WHERE c.provider_id = ${raw(t)}.provider_id AND c.id = ${raw(`${t}.${column}`)}
      AND ${shown('c')})`;
