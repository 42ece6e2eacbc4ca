import { boolean, id, idsOf, instant, integer, text } from '../../../kernel/api/kinds.ts';
import { color, slug } from '../slug-field.ts';
import { customerTriggers } from '../triggers.ts';
import { may } from '../../../kernel/access/viewer.ts';
import { raw, sql } from '../../../kernel/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const fromLink = { table: 'customer_status_from', parent: 'customer_status_id', child: 'from_id' };

export const customerStatus = resource('customer_status', {
  description: 'Where a customer stands with the business: a lead, on trial, a regular. A customer has one at most.',
  fields: {
    id: id(),
    name: text({ max: 64 }),
    slug: slug().describe('What conditions, feed items and programs call it. It never changes.'),
    color: color(),
    position: integer({ min: 0, max: 1_000_000 }).describe('Its place in the order of statuses.'),
    is_default: boolean().describe('Every new customer begins with it.'),
    set_on: customerTriggers()
      .from((t) => sql`to_jsonb(${raw(t)}.set_on)`)
      .describe('Its rule: a customer to whom one of these happens gets this status.'),
    set_from: idsOf('customer_status', fromLink).describe('Its rule moves only customers who are in one of these; empty: whatever their status.'),
    created_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'customers'), customer: false, unregistered: false },
});
