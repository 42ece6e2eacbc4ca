/** Reads the facts for the rules as they are in this transaction. */
import {
  toAsker,
  customerColumns,
  customerFacts,
  eventColumns,
  eventFacts,
  type CustomerAround,
  type EventAround,
} from './facts.ts';
import { fill, join, raw, sql, statement, type Sql } from '../../../../kernel/base/db/sql.ts';
import { hasSeat } from '../has-seat.ts';
import { resolveWindow } from '../rules/window.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the attendance of a waitlist spot with the alias `t`: each spot has one. */
export const attendanceOf = (t: string): Sql =>
  raw(
    `(SELECT a.id FROM attendance a WHERE a.provider_id = ${t}.provider_id AND a.event_id = ${t}.event_id AND a.customer_id = ${t}.customer_id)`,
  );

/** Reads an event and its surroundings as they are in this transaction. */
export async function readEvent(work: Work, eventId: number): Promise<EventAround | null> {
  const s = statement(
    sql`SELECT ${join(eventColumns('e'), ', ')} FROM event e
      WHERE e.provider_id = ${work.providerId} AND e.id = ${eventId}`,
  );
  const [{ rows }] = await work.tx.send([{ statement: s, values: fill(s.holes, undefined) }]);
  return rows.length === 0 ? null : eventFacts(rows[0]);
}

/** Facts about a customer and one of several events. */
export interface Ahead {
  /** true if the customer is already booked */
  readonly hasSeat: boolean;
  /** in epoch milliseconds; null if booking never opens for the customer */
  readonly opensAt: number | null;
  /** time from which a cancellation counts as late, in epoch milliseconds */
  readonly lateFrom: number;
}

/**
 * Reads, for each of these events, whether the customer is booked, when booking opens for them, and until when they can
 * cancel in time, by the id of the event. One statement.
 */
export async function readAhead(work: Work, events: readonly number[], customer: number): Promise<Map<number, Ahead>> {
  if (events.length === 0) return new Map();
  // An alias that no fragment of the facts uses.
  const around = eventColumns('upcoming');
  const s = statement(
    sql`SELECT upcoming.id, ${join([...around, ...customerColumns('c', raw('upcoming.id'))], ', ')} FROM event upcoming
      JOIN customer c ON c.provider_id = upcoming.provider_id
        WHERE upcoming.provider_id = ${work.providerId} AND upcoming.id = ANY(${events}::bigint[])
          AND c.id = ${customer} AND c.deleted_at IS NULL`,
  );
  const [{ rows }] = await work.tx.send([{ statement: s, values: fill(s.holes, undefined) }]);
  return new Map(
    rows.map(([id, ...row]) => {
      const { windowFacts } = eventFacts(row.slice(0, around.length));
      const who = customerFacts(row.slice(around.length));
      const window = resolveWindow(windowFacts, toAsker(who));
      // Somebody who may not book has the cut-off of the defaults.
      const lateFrom = (window ?? resolveWindow({ ...windowFacts, timelines: [] }, toAsker(who))!).lateCancelsAfter;
      return [Number(id), { hasSeat: hasSeat(who.attendance), opensAt: window?.opensAt ?? null, lateFrom }];
    }),
  );
}

/** Reads the facts about these customers for the event; nothing if the event does not exist. */
export async function readCustomers(
  work: Work,
  eventId: number,
  ids: readonly number[],
): Promise<Map<number, CustomerAround>> {
  // The list is in a sub-select, as in `register.ts`: otherwise each execution is planned again, which costs more than
  // the execution.
  const s = statement(
    sql`SELECT ${join(customerColumns('c', sql`${eventId}::bigint`), ', ')} FROM customer c
        WHERE c.provider_id = ${work.providerId} AND c.id = ANY((SELECT ${ids}::bigint[])::bigint[])
          AND c.deleted_at IS NULL
          AND EXISTS (SELECT FROM event e WHERE e.provider_id = ${work.providerId} AND e.id = ${eventId})`,
  );
  const [{ rows }] = await work.tx.send([{ statement: s, values: fill(s.holes, undefined) }]);
  return new Map(rows.map(customerFacts).map((c) => [c.id, c]));
}
