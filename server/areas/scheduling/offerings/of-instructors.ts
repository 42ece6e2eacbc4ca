/** Filters that find instructors by the offering types they teach. */
import { filter, type Filter } from '../../../kernel/api/endpoint.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { viewedByStaff } from '../../../kernel/work/access/viewer.ts';

export const instructorFilters: Readonly<Record<string, Filter>> = {
  offering_type: filter(
    id().describe('Only those of this offering type.'),
    (t, type) => sql`EXISTS (
        SELECT FROM offering_type_instructor l JOIN offering_type o ON o.provider_id = l.provider_id
          AND o.id = l.offering_type_id
        WHERE l.provider_id = ${raw(t)}.provider_id AND l.instructor_id = ${raw(t)}.id AND o.id = ${type}
          AND (${viewedByStaff}::boolean OR (o.status = 'active' AND o.customer_visibility = 'public')))`,
  ),
};
