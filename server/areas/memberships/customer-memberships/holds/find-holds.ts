import { boolean, date, id, listOf, oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { choice, filter, type Who, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { customerMembershipHold, STATES } from './hold.ts';
import { nowInstant } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

const who: Who = { provider: true, customer: true, unregistered: false };
const column =
  (name: string) =>
  (t: string): Sql =>
    raw(`${t}.${name}`);
const bound = (name: string, operator: '>=' | '<=') =>
  filter(date(), (t, v) => sql`${raw(`${t}.${name}`)} ${raw(operator)} ${v}::date`);

const upcoming = (t: string): Sql => sql`${raw(t)}.begins_at > ${nowInstant}::timestamptz`;
const ended = (t: string): Sql => sql`coalesce(${raw(t)}.over_at <= ${nowInstant}::timestamptz, false)`;
const active = (t: string): Sql => sql`(NOT ${upcoming(t)} AND NOT ${ended(t)})`;

export const findHolds = [
  ...listAndGet(customerMembershipHold, {
    path: '/customer_membership_holds',
    summary: 'List holds',
    get: 'Get a hold',
    description: 'Times during which memberships are on hold. Customers see those of their family.',
    who,
    filters: {
      ids: filter(listOf(id(), { max: 200 }), (t, wanted) => sql`${raw(t)}.id = ANY(${wanted}::bigint[])`),
      customer_membership: filter(
        listOf(id(), { max: 200 }),
        (t, wanted) => sql`${raw(t)}.customer_membership_id = ANY(${wanted}::bigint[])`,
      ),
      customer: filter(
        listOf(id(), { max: 200 }),
        (t, wanted) => sql`EXISTS (SELECT FROM customer_membership cm WHERE cm.provider_id = ${raw(t)}.provider_id
        AND cm.id = ${raw(t)}.customer_membership_id AND cm.customer_id = ANY(${wanted}::bigint[]))`,
      ),
      status: filter(
        listOf(oneOf(STATES)),
        (t, wanted) =>
          sql`
            (CASE WHEN ${upcoming(t)} THEN 'upcoming' WHEN ${ended(t)} THEN 'ended' ELSE 'active' END) =
            ANY(${wanted}::text[])`,
      ),
      active: choice(boolean(), { true: active, false: (t) => sql`NOT ${active(t)}` }),
      start_date_gte: bound('start_date', '>='),
      start_date_lte: bound('start_date', '<='),
      end_date_gte: bound('end_date', '>='),
      end_date_lte: bound('end_date', '<='),
    },
    sort: { id: { by: column('id') }, start_date: { by: column('start_date') }, end_date: { by: column('end_date') } },
  }),
];
