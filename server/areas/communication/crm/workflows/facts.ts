/** Facts about customers for the rules, read in one query. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { parsePgInstant, wallAt } from '../../../../kernel/base/values/zone.ts';
import { readComparedAnswers } from '../../../agreements/customer-fields/index.ts';
import type { Condition, Facts } from '../rules/conditions.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Facts about the customer alone: the day and the change of status come from the moment and the feed item. */
export type Known = Omit<Facts, 'today' | 'change'>;

interface Row {
  readonly id: number;
  readonly entered: string;
  readonly labels: string[];
  readonly status: string | null;
  readonly visits: string[];
  readonly upcoming: boolean;
  readonly birth: string | null;
  readonly venue: number | null;
  readonly memberships: number[];
}

/** Returns the questions that conditions ask about. */
const fieldsIn = (conditions: readonly Condition[]): number[] =>
  conditions.flatMap((one) => (one.condition_type === 'customer_field' ? one.field : []));

const NO_ANSWERS: Facts['answers'] = new Map();

/** Reads facts by customer, as far as these conditions need them; deleted customers are left out. */
export async function readFacts(
  work: Work,
  customers: readonly number[],
  conditions: readonly Condition[],
): Promise<Map<number, Known>> {
  const answers = await readComparedAnswers(work, customers, fieldsIn(conditions));
  const rows = await work.tx.rows<Row>(sql`
    SELECT c.id, c.created_at::text AS entered, c.date_of_birth::text AS birth, c.venue_id AS venue,
      (SELECT s.slug FROM customer_status s WHERE s.provider_id = c.provider_id AND s.id = c.status_id) AS status,
      (SELECT coalesce(jsonb_agg(l.slug ORDER BY l.slug), '[]') FROM customer_label_link k
         JOIN customer_label l ON l.provider_id = k.provider_id AND l.id = k.customer_label_id
         WHERE k.provider_id = c.provider_id AND k.customer_id = c.id) AS labels,
      (SELECT coalesce(jsonb_agg(v.day ORDER BY v.day), '[]') FROM (
         SELECT e.local_starts_at::date AS day FROM attendance a
         JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
           WHERE a.provider_id = c.provider_id AND a.customer_id = c.id AND a.status = 'attended'
         UNION SELECT checkin_date FROM checkin i WHERE i.provider_id = c.provider_id AND i.customer_id = c.id)
           v) AS visits,
      EXISTS (SELECT FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
         WHERE a.provider_id = c.provider_id AND a.customer_id = c.id AND a.status = 'registered'
           AND e.status = 'active' AND e.starts_at > ${instant(work.now)}) AS upcoming,
      (SELECT coalesce(jsonb_agg(h.membership_id ORDER BY h.membership_id), '[]') FROM customer_membership_owned h
         WHERE h.provider_id = c.provider_id AND h.customer_id = c.id) AS memberships
    FROM customer c WHERE c.provider_id = ${work.providerId} AND c.id = ANY(${customers}::bigint[])
      AND c.deleted_at IS NULL AND NOT c.is_walk_in`);
  const dayOf = (text: string) => wallAt(parsePgInstant(text), work.tenant.zone).date;
  return new Map(
    rows.map((r) => [
      r.id,
      {
        enteredOn: dayOf(r.entered),
        labels: r.labels,
        status: r.status,
        visitDays: r.visits,
        upcomingBooking: r.upcoming,
        birth: r.birth,
        venue: r.venue,
        answers: answers.get(r.id) ?? NO_ANSWERS,
        memberships: r.memberships,
      },
    ]),
  );
}

/** Returns the change of status in a feed item; null if it was about something else. */
export function changeOf(kind: string, payload: Record<string, unknown>): Facts['change'] {
  if (kind !== 'customer_status.changed') return null;
  const { from, to } = payload as { from: string | null; to: string | null };
  return { from, to };
}

/** Returns the calendar day of the business at a moment. */
export const dayAt = (work: Work, epochMs: number): string => wallAt(epochMs, work.tenant.zone).date;
