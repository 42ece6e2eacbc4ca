/**
 * Reminds people before what they pay regularly renews, where the law of the business's country or state requires it:
 * docs/algorithms/renewal-reminders.md.
 */
import { lawsFor, MAX_EARLIEST, REMINDING_COUNTRIES, type ReminderLaw } from './rules/reminder-laws.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { nextPayment } from '../changes/confirming.ts';
import { onTheirDays, queueOnceADay } from '../../../../kernel/work/jobs/sweep.ts';
import { readAllOwned, type Owned } from '../owned.ts';
import { reminderFor, type Reminder } from './rules/reminder.ts';
import { REMINDERS } from './notice-types.ts';
import { spokenAmount, spokenDateIn } from '../../../../kernel/base/languages/spoken.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { todayOf } from '../writes.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Notice } from '../../../../kernel/work/unit/notices.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const TASK = 'remind_of_renewals';
const PORTION = 200;
/** Local time from which reminders are sent. */
const MORNING = '09:00:00';
/** A term that ends within these days can be reminded of today: notice periods come on top of `MAX_EARLIEST`. */
const DAYS_AHEAD = MAX_EARLIEST + 366;

export const remindJob: Job = {
  task: TASK,
  run: (work, { after = 0 }: { readonly after?: number }) => remindOfRenewals(work, after),
};

/** Enqueues the job once a day for each business in a country with such a law. */
export async function sweepReminders(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone FROM provider p
    WHERE upper(coalesce(p.address->>'country', p.country)) = ANY(${REMINDING_COUNTRIES}::text[])
      AND EXISTS (SELECT FROM customer_membership cm
        WHERE cm.provider_id = p.provider_id AND cm.renews_on IS NOT NULL AND cm.status IN ('active', 'hold'))`);
  const due = onTheirDays(businesses, now).filter(({ time }) => time >= MORNING);
  await queueOnceADay(tx, { task: TASK, now, urgency: 'last', key: ({ today }) => `${TASK}:${today}` }, due);
}

/** Sends the reminders of today, and those that were missed. Each is sent once, because its key is unique. */
export async function remindOfRenewals(work: Work, after = 0): Promise<void> {
  const { tx, providerId } = work;
  const today = todayOf(work);
  const laws = lawsFor(await placeOf(work), today);
  if (laws.length === 0) return;
  const rows = await tx.rows<{ id: number; name: string; trial: boolean }>(sql`
    SELECT cm.id, m.name, m.new_customers_only AS trial FROM customer_membership cm
    JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
    WHERE cm.provider_id = ${providerId} AND cm.id > ${after} AND cm.status IN ('active', 'hold')
      AND cm.renews_on <= ${addDays(today, DAYS_AHEAD)}::date AND cm.billed_price_minor > 0
      AND NOT cm.is_set_for_cancellation
    ORDER BY cm.id LIMIT ${PORTION}`);
  const about = new Map(rows.map((row) => [row.id, row]));
  const notices: Notice[] = [];
  for (const owned of await readAllOwned(work, [...about.keys()])) {
    const { name, trial } = about.get(owned.id)!;
    const reminder = dueReminder(owned, trial, laws, today);
    if (reminder) notices.push(await noticeOf(work, owned, name, reminder));
  }
  await work.registry.notifier.notify(work, notices);
  if (rows.length === PORTION) {
    const last = rows.at(-1)!.id;
    work.enqueue({ task: TASK, payload: { after: last }, key: `${TASK}:${today}:${last}` });
  }
}

async function placeOf({ tx, providerId }: Work): Promise<{ country: string; region: string | null }> {
  const place = await tx.one<{ country: string; region: string | null }>(
    sql`SELECT coalesce(p.address->>'country', p.country) AS country, p.address->>'region' AS region
      FROM provider p WHERE p.provider_id = ${providerId}`,
  );
  return place!;
}

/** Returns the reminder if its days have come, and what it is about has not begun yet. */
function dueReminder(owned: Owned, trial: boolean, laws: readonly ReminderLaw[], today: string): Reminder | null {
  const { bound, renews_on: renewsOn } = owned;
  if (bound === null || renewsOn === null) return null;
  const { agreed, ...facts } = bound;
  const reminder = reminderFor({ agreed, bound: facts, renewsOn, trial }, laws, today);
  return reminder && reminder.from <= today && today < reminder.renews ? reminder : null;
}

async function noticeOf(work: Work, owned: Owned, name: string, reminder: Reminder): Promise<Notice> {
  const { providerId, installation, tenant } = work;
  const { about, renews, deadline } = reminder;
  const amount = await nextPayment(work, owned, renews);
  return {
    type: REMINDERS[about],
    customer: owned.customer_id,
    key: `${owned.id}:${renews}`,
    values: (reader) => ({
      'membership.name': name,
      'membership.url': `${installation.baseUrl}/account/${providerId}/profile/memberships/${owned.id}/end`,
      'renewal.date': spokenDateIn(reader, renews),
      'renewal.price': spokenAmount(reader, { minor: amount, currency: tenant.currency }),
      'renewal.deadline': spokenDateIn(reader, deadline),
    }),
  };
}
