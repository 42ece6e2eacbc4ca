/**
 * Delivery of gift cards by email: each in its own job, on its day in the business's calendar, once its invoice is
 * paid. The job creates the code as it sends the card. A card that is sent again gets a new code, and the previous one
 * is no longer valid.
 */
import { randomBytes } from 'node:crypto';
import { about, isOpen, isPaid, lockGiftCards, type GiftCardRow } from './row.ts';
import { AddressRefused } from '../../../kernel/base/mail/mailer.ts';
import { dayOf, keepCode, newCode } from './new-code.ts';
import { giftCardFeed } from './feed.ts';
import { writtenDelivery } from './delivery-mail.ts';
import { instant, raw, sql } from '../../../kernel/base/db/sql.ts';
import { spelled } from './rules/code.ts';
import { notifyUndelivered } from './notify-undelivered.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { writeMail } from '../../../kernel/base/mail/layout.ts';
import { readLetterhead } from '../../platform/providers/index.ts';
import type { DeliveryProblem } from './rules/state.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Job } from '../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const TASK = 'deliver_gift_card';
/** Maximum enqueued for one business at a time; the sweep runs again. */
const MAX_CARDS = 500;

/** Returns the job that sends a card, if it is due. */
export const deliveryJobOf = (id: number) =>
  ({ task: TASK, payload: { gift_card: id }, key: `gift_card:${id}`, urgency: 'first' }) as const;

/** Condition for a card that was not sent yet and has an address that it could be sent to. */
const unsent = (t: string) =>
  sql`${isOpen(t)}
    AND ${raw(`${t}.delivered_at IS NULL AND ${t}.recipient_email IS NOT NULL AND ${t}.delivery_problem IS NULL`)}`;

const waiting = (t: string, today: string) => sql`${unsent(t)} AND c.deliver_on <= ${today}::date AND ${isPaid(t)}`;

/** Enqueues the cards whose day has come at each business. */
export async function sweepDeliveries(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.first FROM provider p JOIN (
      SELECT c.provider_id, min(c.deliver_on) AS first FROM gift_card c
      WHERE ${unsent('c')} GROUP BY c.provider_id) x USING (provider_id)`);
  for (const { id, zone, first } of businesses) {
    const today = wallAt(now, zone).date;
    if (first <= today)
      await tx.run(sql`
        SELECT enqueue_job(${TASK}, json_build_object('provider_id', ${id}::bigint, 'gift_card', c.id),
          ${`${id}:gift_card:`} || c.id, ${instant(now)}, 'usual')
        FROM (SELECT c.id FROM gift_card c WHERE c.provider_id = ${id} AND ${waiting('c', today)}
          ORDER BY c.deliver_on, c.id LIMIT ${MAX_CARDS}) c`);
  }
}

/** Cards that wait for their invoice are sent once it is paid. */
export const deliveryReader: FeedReader = {
  name: 'gift_card_deliveries',
  kinds: ['invoice.paid'],
  async read(work, items) {
    const today = wallAt(work.now, work.tenant.zone).date;
    const cards = await work.tx.rows<{ id: number }>(sql`
      SELECT c.id FROM invoice_line l JOIN gift_card c ON c.provider_id = l.provider_id
        AND l.billed_id = coalesce(c.with_id, c.id)
      WHERE l.provider_id = ${work.providerId}
        AND l.invoice_id = ANY(${items.map(({ objectId }) => objectId)}::bigint[])
        AND l.type = 'gift_card' AND l.billed_object = 'gift_card' AND ${waiting('c', today)} ORDER BY c.id`);
    for (const { id } of cards) work.enqueue(deliveryJobOf(id));
  },
};

async function deliver(work: Work, { gift_card: id }: { gift_card: number }): Promise<void> {
  const [card] = await lockGiftCards(work, [id]);
  if (!card || !(await isToBeSent(work, card))) return;
  const to = card.recipient_email!;
  const stopped = await work.registry.notifier.stopped(work, to);
  if (stopped !== null) return fail(work, card, stopped);
  const { code, last } = newCode(work, card);
  const token = randomBytes(16).toString('hex');
  try {
    await send(work, card, to, { code: spelled(code), last, token });
  } catch (error) {
    if (error instanceof AddressRefused) return fail(work, card, 'refused');
    throw error;
  }
  await keepCode(work, card, { code, last }, { mail: token });
  work.record(giftCardFeed.delivered, id, about(card));
}

/**
 * Records the failure and notifies others, because the recipient doesn't have the card: the buyer, and the people who
 * run the business.
 */
export async function fail(work: Work, card: GiftCardRow, problem: DeliveryProblem): Promise<void> {
  work.touch('gift_card', card.id, card);
  await updateRow(work, 'gift_card', card.id, { delivery_problem: problem, delivery_failed_at: instant(work.now) });
  work.record(giftCardFeed.undelivered, card.id, { ...about(card), problem });
  await notifyUndelivered(work, card);
}

/**
 * Returns whether a card is to be sent: its day has come, or staff requested it after the last email; and it is paid
 * and still has value.
 */
async function isToBeSent(work: Work, card: GiftCardRow): Promise<boolean> {
  const { delivery_asked_at: asked, delivery_failed_at: failed, last_sent_at: sent } = card;
  const due = sent === null && failed === null && card.deliver_on <= dayOf(work, work.now);
  const wanted = due || (asked !== null && asked > Math.max(sent ?? 0, failed ?? 0));
  if (!wanted || card.recipient_email === null || (card.redeem_by !== null && card.redeem_by <= work.now)) return false;
  const row = await work.tx.one(
    sql`SELECT FROM gift_card c WHERE c.provider_id = ${work.providerId} AND c.id = ${card.id} AND ${isOpen('c')}
      AND ${isPaid('c')}`,
  );
  return row !== undefined;
}

async function send(
  work: Work,
  card: GiftCardRow,
  to: string,
  { code, last, token }: { code: string; last: string | null; token: string },
): Promise<void> {
  const head = await readLetterhead(work);
  const written = await writtenDelivery(work, card, { code, last, business: head.business });
  const mail = writeMail(head, written);
  const { providerId } = work;
  await work.installation.mailer.send(work.tx, { providerId, fromName: head.business, to, ...mail, token });
}

export const deliverJob: Job = { task: TASK, run: deliver };
