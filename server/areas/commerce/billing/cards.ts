/** Cards that will have expired by their next charge: their owners are notified once, some days before. */
import { addDays } from '../../../kernel/base/values/date.ts';
import { BILLING_NOTICES } from './notice-types.ts';
import { billingSettings } from './settings.ts';
import { payingPage } from './collections.ts';
import { plainDateIn } from '../../../kernel/base/languages/spoken.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { todayOf } from './today.ts';
import { onTheirDays, queueOnceADay } from '../../../kernel/work/jobs/sweep.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Notice } from '../../../kernel/work/unit/notices.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'find_expiring_cards';
const PORTION = 500;
/** The longest notice period that a business can choose. */
const MAX_DAYS = 90;

/** Enqueues the job once a day for each business at which a membership renews soon. */
export async function sweepCards(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.renews_on AS first FROM provider p CROSS JOIN LATERAL (
      SELECT cm.renews_on FROM customer_membership cm
      WHERE cm.provider_id = p.provider_id AND cm.status IN ('active', 'hold')
        AND (cm.expiration_date IS NULL OR cm.renews_on <= cm.expiration_date) ORDER BY cm.renews_on LIMIT 1) x`);
  const due = onTheirDays(businesses, now).filter(
    ({ first, today }) => first !== null && first <= addDays(today, MAX_DAYS),
  );
  await queueOnceADay(tx, { task: TASK, now, urgency: 'last', key: ({ today }) => `cards:${today}` }, due);
}

interface Expiring extends Record<string, unknown> {
  /** the membership */
  readonly id: number;
  readonly subscription: number;
  readonly method: number;
  readonly payer: number;
  readonly membership: string;
  readonly card: string;
  readonly month: number;
  readonly year: number;
  readonly next: string;
}

/**
 * Notifies the owners of cards that will have expired. The message ledger has each notice once, by its key. `after` is
 * the last membership of the previous batch.
 */
export async function findExpiringCards(work: Work, { after = 0 }: { after?: number } = {}): Promise<void> {
  const { card_expiry_days: days } = await billingSettings(work);
  if (days === null) return;
  const today = todayOf(work);
  const found = await work.tx.rows<Expiring>(sql`
    SELECT cm.id, s.id AS subscription, pm.id AS method, pm.customer_id AS payer, m.name AS membership,
      concat_ws(' ', pm.brand, pm.last_four) AS card, pm.expiration_month AS month, pm.expiration_year AS year,
      cm.renews_on AS next
    FROM (SELECT cm.*, paying_customer(cm.provider_id, cm.customer_id) AS payer FROM customer_membership cm
      WHERE cm.provider_id = ${work.providerId} AND cm.id > ${after}
        AND cm.status IN ('active', 'hold') AND (cm.expiration_date IS NULL OR cm.renews_on <= cm.expiration_date)
        AND cm.renews_on > ${today}::date AND cm.renews_on <= ${addDays(today, days)}::date ORDER BY cm.id
      LIMIT ${PORTION}) cm
      JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
      JOIN payment_subscription s ON s.provider_id = cm.provider_id AND s.customer_membership_id = cm.id
      LEFT JOIN LATERAL method_charged(cm.provider_id, cm.payer, s.payment_method_id) pm ON true
    ORDER BY cm.id`);
  await work.registry.notifier.notify(
    work,
    found.filter(expires).map((one) => noticeOf(work, one)),
  );
  const last = found.at(-1);
  if (found.length === PORTION)
    work.enqueue({ task: TASK, payload: { after: last!.id }, key: `cards:${today}:${last!.id}`, urgency: 'last' });
}

/** Returns whether a card will have expired: it is valid until the last day of its month. */
const expires = ({ month, year, next }: Expiring): boolean =>
  month !== null && year !== null && `${year}-${String(month).padStart(2, '0')}` < next.slice(0, 7);

const noticeOf = (
  work: Work,
  { id, subscription, method, payer, membership, card, month, year, next }: Expiring,
): Notice => ({
  type: BILLING_NOTICES.cardExpires,
  customer: payer,
  key: `${subscription}:${method}`,
  values: (reader) => ({
    'membership.name': membership,
    'card.name': card,
    'card.expires': `${String(month).padStart(2, '0')}/${year}`,
    'payment.next_date': plainDateIn(reader, next),
    'account.url': payingPage(work, id),
  }),
});

export const cardJob: Job = { task: TASK, run: findExpiringCards };
