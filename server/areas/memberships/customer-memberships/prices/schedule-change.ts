/**
 * Price changes from a later day. The holders are notified when the change is made; a job applies it on its day, to the
 * holders who were notified and still hold the membership.
 */
import { action, create, filter, listAndGet, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { changeOf, meant, newPrice } from './bulk-edit-prices.ts';
import { date, id, listOf, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { decide, editPrices, reportEdits } from './price-edit.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { lockMemberships } from '../../memberships/index.ts';
import { membershipPriceChange, CHANGE_STATES } from './price-change.ts';
import { insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { onTheirDays, queueForEach } from '../../../../kernel/work/jobs/sweep.ts';
import { plainDateIn, spokenAmount } from '../../../../kernel/base/languages/spoken.ts';
import { PRICE_NOTICES } from './notice-types.ts';
import { priceChangeFeed } from './feed.ts';
import { readAllOwned } from '../owned.ts';
import { startBulkAction, type BulkKind } from '../../../platform/bulk/index.ts';
import { todayOf } from '../writes.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Notice } from '../../../../kernel/work/unit/notices.ts';
import type { PriceChange } from './rules/price-edit.ts';
import type { Row } from '../../../../kernel/base/db/rows.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin', 'customers');
const TASK = 'apply_price_changes';

type ChangeRow = Row<'membership_price_change'>;

const about = ({ id: change, membership_id: membership }: Pick<ChangeRow, 'id' | 'membership_id'>) => ({
  membership_price_change: change,
  membership,
});

/** Returns the day before: prices change for the periods after it, so those of its own day have the new price. */
const eveOf = (day: string): string => addDays(day, -1);

const ruleOf = ({ price_minor: price, amount_minor: amount, percent_hundredths: percent }: ChangeRow): PriceChange =>
  price !== null ? { price } : amount !== null ? { amount } : { percent: percent! };

/** The announced change, kept with the bulk action. */
interface Announced {
  readonly membership: number;
  readonly rule: PriceChange;
  readonly applies_on: string;
  readonly message: string | null;
  /** when it was scheduled, in epoch milliseconds: the same change can be cancelled and scheduled again */
  readonly at: number;
  readonly cancelled?: true;
}

/** Notifies holders of a change, or of its cancellation. Those whose price stays are objected to. */
async function announce(work: Work, ids: readonly number[], said: Announced): Promise<ReadonlyMap<number, string>> {
  const { membership, rule, applies_on, message, at, cancelled } = said;
  const { name } = (await work.tx.one<{ name: string }>(
    sql`SELECT name FROM membership WHERE provider_id = ${work.providerId} AND id = ${membership}`,
  ))!;
  const refused = new Map<number, string>();
  const notices: Notice[] = [];
  for (const { owned, edit } of decide(work, await readAllOwned(work, ids), rule, eveOf(applies_on))) {
    if (typeof edit === 'string') {
      refused.set(owned.id, edit);
      continue;
    }
    notices.push({
      type: cancelled ? PRICE_NOTICES.stays : PRICE_NOTICES.changes,
      customer: owned.customer_id,
      key: `${at}:${owned.id}`,
      values: (reader) => {
        const amount = (minor: number) => spokenAmount(reader, { minor, currency: work.tenant.currency });
        return {
          'membership.name': name,
          'price.before': amount(edit.before),
          'price.after': amount(edit.after),
          'price.date': plainDateIn(reader, edit.from ?? applies_on),
          message,
        };
      },
    });
  }
  await work.registry.notifier.notify(work, notices);
  return refused;
}

export const announcePrices: BulkKind = { type: 'announce_prices', many: announce };

const schedule = create(membershipPriceChange, {
  path: '/membership_price_changes',
  summary: 'Change the price of a membership from a later day',
  description:
    'Notifies everyone who holds the membership now, and changes their prices on that day: billing periods that begin on it or later have the new price. Until then, it can be cancelled. A membership has at most one scheduled change.',
  who,
  body: {
    membership: ref('membership'),
    plan: ref('membership_payment_plan').optional().describe('Only holders with this payment plan.'),
    applies_on: date().describe('A day after today.'),
    message: text({ max: 2000 })
      .nullable()
      .optional()
      .describe('Additional text of the notice, for example the reason.'),
    ...newPrice,
  },
  problems: ['already_exists'],
  run: async ({ work, body: { membership, plan, applies_on, message, ...price }, dryRun }) => {
    if (applies_on <= todayOf(work)) throw invalid('applies_on', 'Must be after today.');
    const change = changeOf(price, work.tenant.currency);
    const ids = await meant(work, { membership, ...(plan !== undefined && { plan }) });
    await lockMemberships(work, [membership]);
    if (await scheduledFor(work, membership))
      throw new Problem('already_exists', 'A price change of this membership is already scheduled. Cancel it first.');
    if (dryRun) await reportEdits(work, ids, change, eveOf(applies_on));
    const said: Announced = { membership, rule: change, applies_on, message: message ?? null, at: work.now };
    const row = {
      membership_id: membership,
      payment_plan_id: plan ?? null,
      applies_on,
      message: message ?? null,
      announcement_id: await startBulkAction(work, announcePrices, ids, said),
      price_minor: 'price' in change ? change.price : null,
      amount_minor: 'amount' in change ? change.amount : null,
      percent_hundredths: 'percent' in change ? change.percent : null,
    };
    const id = await insertRow(work, 'membership_price_change', row);
    work.record(priceChangeFeed.created, id, about({ id, ...row }));
    if (dryRun) {
      const { changed } = work.effects.find(({ effect }) => effect === 'prices_changed')!.detail;
      work.effect('message_sent', 'message', null, { type: PRICE_NOTICES.changes.type, people: changed });
    }
    return id;
  },
});

const scheduledFor = (work: Work, membership: number) =>
  work.tx.one<ChangeRow>(
    sql`SELECT * FROM membership_price_change
      WHERE provider_id = ${work.providerId} AND membership_id = ${membership} AND status = 'scheduled'`,
  );

/** Returns the ids of the memberships whose holders were notified. */
const readNotified = async (work: Work, { announcement_id }: ChangeRow): Promise<number[]> =>
  (
    await work.tx.rows<{ id: number }>(
      sql`SELECT primary_object AS id FROM bulk_action_result WHERE provider_id = ${work.providerId}
        AND bulk_action_id = ${announcement_id} AND status <> 'error' ORDER BY id`,
    )
  ).map(({ id: one }) => one);

const cancel = action({
  path: '/membership_price_changes/{id}/cancel',
  summary: 'Cancel a price change that has not been applied',
  description: 'The prices stay, and the people who were notified of the change are notified of that.',
  who,
  target: membershipPriceChange,
  body: {},
  returns: one(membershipPriceChange),
  problems: ['conflict'],
  run: async ({ work, target }) => {
    const row = target as ChangeRow;
    if (row.status !== 'scheduled') throw new Problem('conflict', `The price change is already ${row.status}.`);
    const notified = await readNotified(work, row);
    await updateRow(work, 'membership_price_change', row.id, { status: 'cancelled' });
    if (notified.length > 0) {
      const { membership_id: membership, applies_on, message } = row;
      const said: Announced = { membership, rule: ruleOf(row), applies_on, message, at: work.now, cancelled: true };
      await startBulkAction(work, announcePrices, notified, said);
    }
    work.record(priceChangeFeed.cancelled, row.id, about(row));
    work.effect('membership_price_change.cancelled', 'membership_price_change', row.id, {});
    work.effect('message_sent', 'message', null, { type: PRICE_NOTICES.stays.type, people: notified.length });
    return row.id;
  },
});

/** Enqueues the job for each business on the day before one of its changes, so that no period is billed before it. */
export async function sweepPriceChanges(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.first FROM provider p JOIN (
      SELECT provider_id, min(applies_on)::text AS first FROM membership_price_change
      WHERE status = 'scheduled' GROUP BY provider_id) x USING (provider_id)`);
  const due = onTheirDays(businesses, now).filter(({ first, today }) => eveOf(first) <= today);
  await queueForEach(tx, { task: TASK, now, key: ({ today }) => `prices:${today}` }, due);
}

export const applyJob: Job = { task: TASK, run: applyDue };

export async function applyDue(work: Work): Promise<void> {
  const due = await work.tx.rows<ChangeRow>(
    sql`SELECT * FROM membership_price_change WHERE provider_id = ${work.providerId} AND status = 'scheduled'
      AND applies_on <= ${addDays(todayOf(work), 1)}::date ORDER BY id FOR UPDATE`,
  );
  for (const row of due) {
    const notified = await readNotified(work, row);
    const price_edit_id = await startBulkAction(work, editPrices, notified, ruleOf(row));
    await updateRow(work, 'membership_price_change', row.id, { status: 'applied', price_edit_id });
    work.record(priceChangeFeed.applied, row.id, about(row));
  }
}

export const priceChangeEndpoints = [
  ...listAndGet(membershipPriceChange, {
    path: '/membership_price_changes',
    summary: 'List scheduled price changes',
    get: 'Get a scheduled price change',
    description: 'With those that were applied or cancelled.',
    who,
    filters: {
      membership: filter(listOf(id()), (t, wanted) => sql`${raw(t)}.membership_id = ANY(${wanted}::bigint[])`),
      status: filter(listOf(oneOf(CHANGE_STATES)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) } },
  }),
  schedule,
  cancel,
];
