import { boolean, id, idsOf, instant, integer, text } from '../../../../kernel/base/fields/kinds.ts';
import { color, slug } from '../slug-field.ts';
import { customerTriggers } from '../triggers.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';

export const fromLink = { table: 'customer_status_from', parent: 'customer_status_id', child: 'from_id' };

export const customerStatus = resource('customer_status', {
  description: "A customer's stage with the business, for example lead, trial or regular. A customer has at most one.",
  fields: {
    id: id(),
    name: text({ max: 64 }),
    slug: slug().describe('The name that conditions, feed items and programs use for it. It never changes.'),
    color: color(),
    position: integer({ min: 0, max: 1_000_000 }).describe('Its position in the order of statuses.'),
    is_default: boolean().describe('Every new customer starts with it.'),
    set_on: customerTriggers()
      .from((t) => sql`to_jsonb(${raw(t)}.set_on)`)
      .describe('A customer gets this status when one of these happens.'),
    set_from: idsOf('customer_status', fromLink).describe(
      'The rule applies only to customers who have one of these statuses. If empty, to all customers.',
    ),
    created_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'customers'), customer: false, unregistered: false },
});
