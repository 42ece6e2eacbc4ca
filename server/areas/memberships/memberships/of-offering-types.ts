/** Additions of this area to offering types: the memberships that are for them. */
import { embedded, integer, text } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { viewedByStaff } from '../../../kernel/work/access/viewer.ts';
import type { Properties } from '../../../kernel/api/resource.ts';

const coverage = { table: 'membership_coverage', parent: 'offering_type_id', child: 'membership_id' };

/**
 * Returns the number of memberships on sale for it, and the first of them by name, among those that the viewer sees.
 */
const sold = (t: string): Sql => sql`
  (SELECT jsonb_build_object('n', count(*), 'first',
    coalesce(jsonb_agg(s.name ORDER BY s.place) FILTER (WHERE s.place <= 3), '[]'::jsonb))
  FROM (SELECT m.name, row_number() OVER (ORDER BY m.sort_order NULLS LAST, m.id) AS place FROM membership_coverage mc
    JOIN membership m ON m.provider_id = mc.provider_id AND m.id = mc.membership_id
    WHERE mc.provider_id = ${raw(t)}.provider_id AND mc.offering_type_id = ${raw(t)}.id AND m.archived_at IS NULL
      AND m.incomplete_reasons = '{}'
      AND (${viewedByStaff}::boolean OR m.visible_to_customers)) s)`;

const soldOf = (text: string | null): { n: number; first: string[] } => JSON.parse(text!);

function summary({ n, first }: { n: number; first: readonly string[] }): string {
  const names = n > first.length ? [...first, `${n - first.length} more`] : first;
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
}

export const offeringTypeProperties: Properties = {
  fields: {
    memberships_count: integer({ min: 0 })
      .computed(
        (t) => [sold(t)],
        ([text]) => soldOf(text).n,
      )
      .describe('Number of memberships available for it, of those that the caller may see.'),
    memberships_summary_description: text({ blank: true })
      .computed(
        (t) => [sold(t)],
        ([text]) => summary(soldOf(text)),
      )
      .describe('The first of these memberships by name. Empty if there are none.'),
    memberships: embedded('membership', coverage)
      .deferred()
      .describe('Memberships that can be used for it, of those that the caller may see.'),
  },
};
