import { boolean, id, instant, ref, refBy, text } from '../../../../kernel/base/fields/kinds.ts';
import { nowInstant } from '../../../../kernel/work/access/viewer.ts';
import { ofMyFamily } from '../../customers/index.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { resource, type Properties, type Shown } from '../../../../kernel/api/resource.ts';

/** Matches a block that applies now: it was not lifted, and has not ended. */
export const isActive = (t: string): Sql =>
  sql`(${raw(t)}.lifted_at IS NULL AND (${raw(t)}.ends_at IS NULL OR ${raw(t)}.ends_at > ${nowInstant}::timestamptz))`;

/** The note of the staff is theirs alone: the customer sees that bookings are blocked, and until when. */
const forCarersAlone: Shown = { provider: ['customers'], customer: false };

export const registrationBlock = resource('customer_registration_block', {
  description: 'Keeps a customer from booking until it ends or is lifted. Bookings that were made before stay.',
  fields: {
    id: id(),
    customer: ref('customer'),
    is_active: boolean().from(isActive),
    reason: text({ max: 500 })
      .nullable()
      .describe('A note for staff with the permission `customers`. Null for everybody else.'),
    ends_at: instant().nullable().describe('When the block ends. Null if it lasts until it is lifted.'),
    created_at: instant(),
    deactivated_at: instant()
      .nullable()
      .from((t) => sql`CASE WHEN NOT ${isActive(t)} THEN coalesce(${raw(t)}.lifted_at, ${raw(t)}.ends_at) END`)
      .describe('When it was lifted or ended. Null while it applies.'),
    set_by: ref('staff', 'set_by_id').nullable().describe('Null if a program set it, and for customers.'),
    lifted_by: ref('staff', 'lifted_by_id').nullable().describe('Null if no staff member lifted it.'),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(`${t}.customer_id`), unregistered: false },
  shown: { reason: forCarersAlone, set_by: { customer: false }, lifted_by: { customer: false } },
});

export const blockOfCustomer: Properties = {
  fields: {
    registration_block: refBy(
      'customer_registration_block',
      (t) => sql`(SELECT b.id FROM customer_registration_block b
        WHERE b.provider_id = ${raw(t)}.provider_id AND b.customer_id = ${raw(t)}.id AND ${isActive('b')}
        ORDER BY b.ends_at DESC NULLS FIRST, b.id LIMIT 1)`,
    )
      .nullable()
      .deferred()
      .describe('The block that keeps the customer from booking now. Null if they can book.'),
  },
};
