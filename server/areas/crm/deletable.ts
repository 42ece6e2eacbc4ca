/** Whether a customer could be deleted without taking from the business what it must keep: bookings, visits, money, a family. */
import { boolean } from '../../kernel/api/kinds.ts';
import { choice } from '../../kernel/api/endpoint.ts';
import { raw, sql, type Sql } from '../../kernel/db/sql.ts';

const rowsOf = (t: string, table: string, condition = 'true'): Sql =>
  raw(`EXISTS (SELECT FROM ${table} x WHERE x.provider_id = ${t}.provider_id AND x.customer_id = ${t}.id AND ${condition})`);

/** Something stands against deleting customer `t`; never null. A booking that was cancelled in time does not. */
export const mustStay = (t: string): Sql => sql`(
  ${rowsOf(t, 'attendance', "x.status <> 'not_registered'")} OR ${rowsOf(t, 'waitlist_spot', 'x.ended_at IS NULL')}
  OR ${rowsOf(t, 'checkin')} OR ${rowsOf(t, 'customer_membership')}
  OR EXISTS (SELECT FROM customer f WHERE f.provider_id = ${raw(t)}.provider_id AND f.family_id = ${raw(t)}.family_id AND f.id <> ${raw(t)}.id
    AND f.deleted_at IS NULL AND ${raw(t)}.family_role = 'manager'))`;

export const customerFilters = {
  can_delete: choice(
    boolean().describe('Whether nothing stands against deleting this customer: no booking, visit, place on a waitlist or membership, and no family that they manage.'),
    { true: (t) => sql`NOT ${mustStay(t)}`, false: mustStay },
  ),
};
