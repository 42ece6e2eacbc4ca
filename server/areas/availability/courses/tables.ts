/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { BOOKS, kept, NUMBERS, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('course', 'course_date', 'course_date_series', 'course_enrollment_date'),
  course_enrollment: kept('course_enrollments', BOOKS, {
    unfinished: [
      {
        one: 'course that has not ended',
        many: 'courses that have not ended',
        remedy: 'Cancel their enrollment first.',
        when: (now) => sql`t.status = 'active' AND EXISTS (SELECT FROM course_date d
          JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id
          WHERE d.provider_id = t.provider_id AND d.course_date_series_id = t.course_date_series_id
            AND e.status = 'active' AND e.starts_at > ${now})`,
      },
    ],
  }),
  course_make_up: kept('course_make_up_sessions', NUMBERS),
  course_waitlist_spot: kept('course_waitlist_spots', NUMBERS, {
    unfinished: [
      {
        one: 'spot on the waitlist of a course',
        many: 'spots on waitlists of courses',
        remedy: 'Take them off the waitlists first.',
        when: () => sql`t.status IN ('waiting', 'offered')`,
      },
    ],
  }),
};
