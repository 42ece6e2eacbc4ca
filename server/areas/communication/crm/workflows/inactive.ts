/**
 * Records once a day what nobody does: which customers have not come for a while, whose birthday it is, and which
 * memberships end in a week.
 * Each calendar day of a business is processed once, also if the service was down on that day, so that each customer is
 * recorded once for each duration.
 */
import { addDays } from '../../../../kernel/base/values/zone.ts';
import { birthdayFeed, inactivityFeed, membershipEndingFeed } from './feed.ts';
import { dayAt } from './facts.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { onTheirDays, queueForEach, type OnDay } from '../../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Days without a visit. */
export const SILENCES = [7, 14, 21, 30, 45, 60, 90, 180, 365] as const;

/** Days before the last day on which a membership is recorded as ending soon. */
const ENDS_SOON_DAYS = 7;

/** After a longer outage, earlier days are skipped: their records would be outdated. */
const DAYS_BACK = 31;

const TASK = 'tell_inactive_customers';

export const inactiveJob: Job = { task: TASK, run: (work, { day }: { day: string }) => reportInactive(work, day) };

const keyOf = ({ today }: OnDay): string => `inactive:${today}`;
const dayOf = ({ today }: OnDay): { day: string } => ({ day: today });

/** Enqueues a job for each business where a new day has begun. */
export async function sweepDays(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; day: string | null }>(
    sql`SELECT p.provider_id AS id, p.timezone AS zone, d.day::text AS day FROM provider p
      LEFT JOIN crm_day d ON d.provider_id = p.provider_id`,
  );
  const begun = onTheirDays(businesses, now).filter(({ day, today }) => day === null || day < today);
  await queueForEach(tx, { task: TASK, now, urgency: 'last', key: keyOf, payload: dayOf }, begun);
}

/** Processes the days up to `until`. The first run for a business begins with today: its past is not recorded. */
export async function reportInactive(work: Work, until: string): Promise<void> {
  const { tx, providerId } = work;
  const today = dayAt(work, work.now);
  const last = until < today ? until : today;
  await tx.run(
    sql`INSERT INTO crm_day (provider_id, day) VALUES (${providerId}, ${addDays(last, -1)}) ON CONFLICT DO NOTHING`,
  );
  const { day } = (await tx.one<{ day: string }>(
    sql`SELECT day::text AS day FROM crm_day WHERE provider_id = ${providerId} FOR UPDATE`,
  ))!;
  const earliest = addDays(last, -DAYS_BACK);
  for (let each = day < earliest ? earliest : addDays(day, 1); each <= last; each = addDays(each, 1))
    for (const report of [reportAbsent, reportBirthdays, reportEnding]) await report(work, each);
  await tx.run(sql`UPDATE crm_day SET day = ${last} WHERE provider_id = ${providerId} AND day < ${last}`);
}

/** Records customers whose last visit was exactly so many days before this one. */
async function reportAbsent(work: Work, day: string): Promise<void> {
  const { tx, providerId } = work;
  const dates = SILENCES.map((days) => addDays(day, -days));
  const rows = await tx.rows<{ id: number; last: string }>(sql`
    SELECT v.customer_id AS id, v.day::text AS last FROM (
      SELECT a.customer_id, d.day FROM unnest(${dates}::date[]) d (day)
        JOIN event e ON e.provider_id = ${providerId} AND e.local_starts_at >= d.day AND e.local_starts_at < d.day + 1
        JOIN attendance a ON a.provider_id = e.provider_id AND a.event_id = e.id AND a.status = 'attended'
      UNION SELECT customer_id, checkin_date FROM checkin
      WHERE provider_id = ${providerId} AND checkin_date = ANY(${dates}::date[])
    ) v JOIN customer c ON c.provider_id = ${providerId} AND c.id = v.customer_id AND c.deleted_at IS NULL
    WHERE NOT EXISTS (SELECT FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
            WHERE a.provider_id = ${providerId} AND a.customer_id = v.customer_id AND a.status = 'attended'
              AND e.local_starts_at::date > v.day AND e.local_starts_at::date <= ${day}::date)
      AND NOT EXISTS (SELECT FROM checkin i WHERE i.provider_id = ${providerId} AND i.customer_id = v.customer_id
              AND i.checkin_date > v.day AND i.checkin_date <= ${day}::date)
    ORDER BY v.customer_id`);
  for (const { id, last } of rows)
    work.record(inactivityFeed.inactive, id, { customer: id, days: SILENCES[dates.indexOf(last)], last_visit: last });
}

/** Records birthdays. In years without 29 February, people who were born on that day have theirs on the day before. */
async function reportBirthdays(work: Work, day: string): Promise<void> {
  const monthDay = day.slice(5);
  const days = monthDay === '02-28' && addDays(day, 1).slice(5) === '03-01' ? [monthDay, '02-29'] : [monthDay];
  const rows = await work.tx.rows<{ id: number }>(
    sql`SELECT id FROM customer WHERE provider_id = ${work.providerId} AND deleted_at IS NULL
      AND date_of_birth < ${day}::date AND to_char(date_of_birth, 'MM-DD') = ANY(${days}::text[]) ORDER BY id`,
  );
  for (const { id } of rows) work.record(birthdayFeed.birthday, id, { customer: id });
}

async function reportEnding(work: Work, day: string): Promise<void> {
  const rows = await work.tx.rows<{ id: number; customer: number }>(
    sql`SELECT m.id, m.customer_id AS customer FROM customer_membership m
      JOIN customer c ON c.provider_id = m.provider_id AND c.id = m.customer_id AND c.deleted_at IS NULL
      WHERE m.provider_id = ${work.providerId} AND m.status = 'active'
        AND m.expiration_date = ${addDays(day, ENDS_SOON_DAYS)}::date ORDER BY m.id`,
  );
  for (const { id, customer } of rows)
    work.record(membershipEndingFeed.ends_soon, id, { customer_membership: id, customer });
}
