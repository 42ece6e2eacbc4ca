/**
 * Monthly quotas of a business: emails that the business initiates (broadcasts, invitations and emails of workflows),
 * and text messages of any kind. The operator sets them. Units that are taken count as used unless they are returned.
 */
import { monthAround } from '../rules/month.ts';
import { instant as instantField, integer } from '../../../../kernel/base/fields/kinds.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { IDENTITY_PROBLEMS } from '../problems.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const quotaShape = {
  limit: integer({ min: 0 })
    .nullable()
    .describe(
      'Maximum number of emails of broadcasts, invitations and workflows in a month. If null, there is no limit, and only broadcasts are counted.',
    ),
  used: integer({ min: 0 }),
  remaining: integer({ min: 0 }).nullable(),
  period_starts_at: instantField(),
  resets_at: instantField(),
};

/** The quota of text messages, in the shape of the email quota. */
export const textQuotaShape = {
  ...quotaShape,
  limit: integer({ min: 0 }).describe('Maximum number of text messages of any kind in a month.'),
  remaining: integer({ min: 0 }),
};

const limitOf = (work: Work): number | null => work.installation.messages.emailQuota;

export async function quotaAt(work: Work, at: number) {
  const { zone } = work.tenant;
  const { period, from, to } = monthAround(at, zone);
  const row = await work.tx.one<{ used: number }>(
    sql`SELECT used FROM email_quota_use WHERE provider_id = ${work.providerId} AND period = ${period}`,
  );
  const [limit, used] = [limitOf(work), row?.used ?? 0];
  return {
    limit,
    used,
    remaining: limit === null ? null : Math.max(limit - used, 0),
    period_starts_at: formatInstant(from, zone),
    resets_at: formatInstant(to, zone),
  };
}

/** Returns how many text messages are left this month; null: there is no quota. */
export async function textQuotaAt({ tx, providerId, tenant, installation }: Work, at: number) {
  const limit = installation.messages.smsQuota;
  if (limit === null) return null;
  const { period, from, to } = monthAround(at, tenant.zone);
  const row = await tx.one<{ used: number }>(
    sql`SELECT used FROM sms_quota_use WHERE provider_id = ${providerId} AND period = ${period}`,
  );
  const used = row?.used ?? 0;
  return {
    limit,
    used,
    remaining: Math.max(limit - used, 0),
    period_starts_at: formatInstant(from, tenant.zone),
    resets_at: formatInstant(to, tenant.zone),
  };
}

/**
 * Takes up to `n` text messages from this month's quota and returns how many it got. They can't be returned. Nothing is
 * counted if there is no quota.
 */
export async function takeTexts({ tx, providerId, now, tenant, installation }: Work, n: number): Promise<number> {
  const limit = installation.messages.smsQuota;
  if (limit === null || n === 0) return n;
  const { period } = monthAround(now, tenant.zone);
  await tx.run(
    sql`INSERT INTO sms_quota_use (provider_id, period) VALUES (${providerId}, ${period}) ON CONFLICT DO NOTHING`,
  );
  const { used } = (await tx.one<{ used: number }>(
    sql`SELECT used FROM sms_quota_use WHERE provider_id = ${providerId} AND period = ${period} FOR UPDATE`,
  ))!;
  const got = Math.max(0, Math.min(n, limit - used));
  await tx.run(
    sql`UPDATE sms_quota_use SET used = used + ${got} WHERE provider_id = ${providerId} AND period = ${period}`,
  );
  return got;
}

/**
 * Takes up to `n` emails from the quota of the month that begins on `period`, and returns how many it got. Concurrent
 * callers for the same month wait until this transaction has ended, so together they never exceed the quota.
 */
export async function takeUpTo(work: Work, period: string, n: number): Promise<number> {
  const { tx, providerId } = work;
  const limit = limitOf(work);
  await tx.run(
    sql`INSERT INTO email_quota_use (provider_id, period) VALUES (${providerId}, ${period}) ON CONFLICT DO NOTHING`,
  );
  const { used } = (await tx.one<{ used: number }>(
    sql`SELECT used FROM email_quota_use WHERE provider_id = ${providerId} AND period = ${period} FOR UPDATE`,
  ))!;
  const got = limit === null ? n : Math.max(0, Math.min(n, limit - used));
  if (got > 0)
    await tx.run(
      sql`UPDATE email_quota_use SET used = used + ${got} WHERE provider_id = ${providerId} AND period = ${period}`,
    );
  return got;
}

/** Returns the month whose quota currently applies. */
export const monthOfQuota = ({ now, tenant }: Work): string => monthAround(now, tenant.zone).period;

/**
 * Runs `send` with `n` emails of this month's quota, if there is one; returns null if fewer are left. `send` returns
 * how many it did not need.
 */
export async function withinQuota<T>(
  work: Work,
  n: number,
  send: () => Promise<{ result: T; unused: number }>,
): Promise<T | null> {
  if (limitOf(work) === null || n === 0) return (await send()).result;
  const { period } = monthAround(work.now, work.tenant.zone);
  const got = await takeUpTo(work, period, n);
  if (got < n) {
    await giveBack(work, period, got);
    return null;
  }
  const { result, unused } = await send();
  await giveBack(work, period, unused);
  return result;
}

/** Takes `n` emails. @throws Problem `quota_exceeded` if fewer are left */
export async function take(work: Work, at: number, n: number): Promise<string> {
  const { period } = monthAround(at, work.tenant.zone);
  const got = await takeUpTo(work, period, n);
  if (got < n)
    throw new Problem(
      IDENTITY_PROBLEMS.quota_exceeded,
      `${n === 1 ? '1 email' : `${n} emails`} would be sent, but only ${got} of ${limitOf(work)} are left for ${period.slice(0, 7)}.`,
    );
  return period;
}

export const giveBack = async (work: Work, period: string | null, n: number): Promise<unknown> =>
  period !== null &&
  n > 0 &&
  work.tx.run(
    sql`UPDATE email_quota_use SET used = greatest(used - ${n}, 0)
      WHERE provider_id = ${work.providerId} AND period = ${period}`,
  );
