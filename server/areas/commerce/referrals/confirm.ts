/** The end of a referral: it is confirmed, and both people get what they were promised, or it is cancelled. */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { against, earned, type CancelReason, type Earned } from './rules/decide.ts';
import { changeCredit } from '../../money/account-entries/index.ts';
import { settingsOf } from './settings.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockAccounts } from '../../money/ledger/index.ts';
import { lockCustomers } from '../../people/customers/index.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { pairsOf, type Pair } from './people.ts';
import { referralFeed } from './feed.ts';
import { REFERRAL_REWARD, REFERRAL_WELCOME } from './account-reasons.ts';
import { REFERRAL_REWARDED, REFERRAL_WELCOMED } from './notice-types.ts';
import { spokenAmount } from '../../../kernel/base/languages/spoken.ts';
import type { Notice } from '../../../kernel/work/unit/notices.ts';
import type { ReferralRow } from './referral.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The period whose rewards count toward the limit. */
const YEAR_MS = 365 * 86_400_000;

type By = NonNullable<ReferralRow['confirmed_by']>;

/**
 * Confirms the pending ones among these referrals, each once, however many callers ask at the same time. A referral
 * with an objection now, for example because two records were merged since, is cancelled.
 */
export async function confirmReferrals(work: Work, ids: readonly number[], by: By): Promise<void> {
  const pending = await lockPending(work, ids);
  if (pending.length === 0) return;
  const [pairs, { rewardsAYear: limit }] = [
    await pairsOf(
      work,
      pending.map(({ id }) => id),
    ),
    await settingsOf(work),
  ];
  const rewards = await rewardsOf(
    work,
    pending.map((row) => row.referrer_id),
  );
  const counted: Counted[] = [];
  for (const row of pending) {
    const pair = pairs.get(row.id)!;
    const why = against(pair);
    if (why !== null) {
      await endCancelled(work, row, why);
      continue;
    }
    const had = rewards.get(row.referrer_id) ?? 0;
    const gets = earned(
      { referrer: row.promised_minor, customer: row.signup_promised_minor },
      { gone: pair.referrerGone, rewards: had, limit },
    );
    if (gets.referrer > 0) rewards.set(row.referrer_id, had + 1);
    counted.push({ row, pair, gets });
  }
  await endConfirmed(work, counted, by);
}

interface Counted {
  readonly row: ReferralRow;
  readonly pair: Pair;
  readonly gets: Earned;
}

/**
 * Locks people before the things they own. The referrer is locked so that concurrent confirmations don't miss each
 * other's rewards.
 */
async function lockPending(work: Work, ids: readonly number[]): Promise<ReferralRow[]> {
  const people = await work.tx.rows<{ id: number }>(
    sql`SELECT DISTINCT unnest(ARRAY[referrer_id, customer_id]) AS id FROM referral
        WHERE provider_id = ${work.providerId} AND id = ANY(${ids}::bigint[]) AND status = 'pending'`,
  );
  await lockCustomers(
    work,
    people.map(({ id }) => id),
  );
  const rows = await lockRows<ReferralRow>(work, 'referral', ids);
  return rows.filter(({ status }) => status === 'pending');
}

async function rewardsOf(work: Work, referrers: readonly number[]): Promise<Map<number, number>> {
  const rows = await work.tx.rows<{ id: number; n: number }>(
    sql`SELECT referrer_id AS id, count(*) AS n FROM referral
      WHERE provider_id = ${work.providerId} AND referrer_id = ANY(${referrers}::bigint[])
      AND referrer_credit_minor > 0 AND confirmed_at > ${instant(work.now - YEAR_MS)} GROUP BY 1`,
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}

async function endConfirmed(work: Work, counted: readonly Counted[], by: By): Promise<void> {
  if (counted.length === 0) return;
  const each = <T>(of: (one: Counted) => T): T[] => counted.map(of);
  for (const { row } of counted) work.touch('referral', row.id, row);
  await work.tx.run(sql`
    UPDATE referral f SET status = 'confirmed', confirmed_by = ${by}, confirmed_at = ${instant(work.now)},
      updated_at = ${instant(work.now)},
      referrer_credit_minor = w.referrer, customer_credit_minor = w.customer, withheld = w.withheld
    FROM unnest(${each(({ row }) => row.id)}::bigint[], ${each(({ gets }) => gets.referrer)}::bigint[],
      ${each(({ gets }) => gets.customer)}::bigint[], ${each(({ gets }) => gets.withheld)}::text[]) AS w
      (id, referrer, customer, withheld)
    WHERE f.provider_id = ${work.providerId} AND f.id = w.id`);
  const gifts = counted.flatMap((one) => giftsOf(storedTexts(work), one));
  await lockAccounts(
    work,
    gifts.map(({ customer }) => customer),
  );
  await changeCredit(work, gifts);
  for (const { row } of counted)
    work.record(referralFeed.confirmed, row.id, {
      referral: row.id,
      referrer: row.referrer_id,
      customer: row.customer_id,
    });
  await work.registry.notifier.notify(
    work,
    counted.flatMap((one) => noticesOf(work, one)),
  );
}

const giftsOf = ({ say }: ReturnType<typeof storedTexts>, { row, pair: { names }, gets }: Counted) =>
  [
    {
      customer: row.referrer_id,
      amount: gets.referrer,
      reason: REFERRAL_REWARD,
      explanation: say('referral.thanks', { name: names.customer }),
    },
    {
      customer: row.customer_id,
      amount: gets.customer,
      reason: REFERRAL_WELCOME,
      explanation: say('referral.welcome', { name: names.referrer }),
    },
  ]
    .filter(({ amount }) => amount > 0)
    .map((gift) => ({ ...gift, kind: 'credit' as const, subject: row.id }));

function noticesOf({ tenant: { currency } }: Work, { row, pair: { names }, gets }: Counted): Notice[] {
  const notice = (type: Notice['type'], customer: number, minor: number, friend: string): Notice[] => {
    if (minor === 0) return [];
    const values: Notice['values'] = (reader) => ({
      'credit.amount': spokenAmount(reader, { minor, currency }),
      'friend.first_name': friend,
    });
    return [{ type, customer, key: String(row.id), values }];
  };
  return [
    ...notice(REFERRAL_REWARDED, row.referrer_id, gets.referrer, names.customer),
    ...notice(REFERRAL_WELCOMED, row.customer_id, gets.customer, names.referrer),
  ];
}

/** Cancels a pending referral. Returns false if it has already ended. */
export async function cancelReferral(work: Work, id: number, why: CancelReason): Promise<boolean> {
  const [row] = await lockPending(work, [id]);
  if (!row) return false;
  await endCancelled(work, row, why);
  return true;
}

async function endCancelled(work: Work, row: ReferralRow, why: CancelReason): Promise<void> {
  work.touch('referral', row.id, row);
  await work.tx.run(
    sql`UPDATE referral SET status = 'cancelled', cancel_reason = ${why}, cancelled_at = ${instant(work.now)},
      updated_at = ${instant(work.now)}
        WHERE provider_id = ${work.providerId} AND id = ${row.id}`,
  );
  work.record(referralFeed.cancelled, row.id, {
    referral: row.id,
    referrer: row.referrer_id,
    customer: row.customer_id,
  });
}
