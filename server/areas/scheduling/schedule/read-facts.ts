/** The facts of the rules as they stand in this transaction. */
import {
  customerColumns,
  customerFacts,
  eventColumns,
  eventFacts,
  type CustomerAround,
  type EventAround,
} from './facts.ts';
import { fill, join, raw, sql, statement, type Sql } from '../../../kernel/db/sql.ts';
import type { Work } from '../../../kernel/work.ts';

/** The attendance of who has a spot, over the alias of the spot: each has one. */
export const attendanceOf = (t: string): Sql =>
  raw(
    `(SELECT a.id FROM attendance a WHERE a.provider_id = ${t}.provider_id AND a.event_id = ${t}.event_id AND a.customer_id = ${t}.customer_id)`,
  );

/** Event and its surroundings as they stand in this transaction. */
export async function readEvent(work: Work, eventId: number): Promise<EventAround | null> {
  const s = statement(
    sql`SELECT ${join(eventColumns('e'), ', ')} FROM event e WHERE e.provider_id = ${work.providerId} AND e.id = ${eventId}`,
  );
  const [{ rows }] = await work.tx.send([{ statement: s, values: fill(s.holes, undefined) }]);
  return rows.length === 0 ? null : eventFacts(rows[0]);
}

/** What is known of these customers for the event; nothing if it is not there. */
export async function readCustomers(
  work: Work,
  eventId: number,
  ids: readonly number[],
): Promise<Map<number, CustomerAround>> {
  const s = statement(
    sql`SELECT ${join(customerColumns('c', sql`${eventId}::bigint`), ', ')} FROM customer c
        WHERE c.provider_id = ${work.providerId} AND c.id = ANY(${ids}::bigint[]) AND c.deleted_at IS NULL
          AND EXISTS (SELECT FROM event e WHERE e.provider_id = ${work.providerId} AND e.id = ${eventId})`,
  );
  const [{ rows }] = await work.tx.send([{ statement: s, values: fill(s.holes, undefined) }]);
  return new Map(rows.map(customerFacts).map((c) => [c.id, c]));
}
