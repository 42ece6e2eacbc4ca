/** Settings of account credit: how long it can be spent, and when customers are notified before it expires. */
import { action, answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { integer } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface CreditSettings {
  readonly expires_after_days: number | null;
  readonly notice_days: number | null;
}

interface Stored extends CreditSettings, Record<string, unknown> {
  readonly since: string | null;
  readonly told_until: string | null;
  readonly worked_on: string | null;
}

const shape = {
  expires_after_days: integer({ min: 30, max: 36_500 })
    .nullable()
    .describe(
      'Number of days during which account credit can be spent. Null means always. Some countries limit this by law, above all for credit that was paid for, for example with a gift card.',
    ),
  notice_days: integer({ min: 1, max: 365 })
    .nullable()
    .describe(
      'Number of days before expiry when customers are notified. Less than `expires_after_days`. Null means never.',
    ),
};

const NONE: Stored = { expires_after_days: null, notice_days: 14, since: null, told_until: null, worked_on: null };

export const creditSettings = async ({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>): Promise<Stored> =>
  (await tx.one<Stored>(
    sql`SELECT expires_after_days, notice_days, since, told_until, worked_on FROM account_credit_settings
      WHERE provider_id = ${providerId}`,
  )) ?? NONE;

const shown = ({ expires_after_days, notice_days }: Stored): CreditSettings => ({ expires_after_days, notice_days });

const path = '/account_credit_settings';

export const creditSettingsEndpoints = [
  read({
    path,
    summary: 'Get the settings of account credit',
    who: staffWith('super_admin', 'customer_payments'),
    returns: answer(shape),
    run: async ({ work }) => shown(await creditSettings(work)),
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the settings of account credit',
    description:
      'If `expires_after_days` changes, all account credit that there is counts as given today: nothing expires sooner than that many days from now.',
    who: staffWith('super_admin'),
    body: allOptional(shape),
    returns: answer(shape),
    run: async ({ work, body }) => {
      const before = await creditSettings(work);
      const after = { ...shown(before), ...body };
      if (JSON.stringify(shown(before)) === JSON.stringify(after)) return after;
      const { expires_after_days: days, notice_days: notice } = after;
      if (days !== null && notice !== null && notice >= days)
        throw invalid('notice_days', 'Must be less than expires_after_days.');
      const today = wallAt(work.now, work.tenant.zone).date;
      const anew = days !== before.expires_after_days;
      await keep(work, {
        ...after,
        since: days === null ? null : anew ? today : before.since,
        // Credit that was given while notices were off has had no notice.
        told_until: notice === null ? null : anew || before.told_until === null ? today : before.told_until,
        worked_on: before.worked_on,
      });
      work.audit({
        action: `PATCH ${path}`,
        object: 'provider',
        objectId: work.providerId,
        before: shown(before),
        after,
      });
      work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['account_credit'] });
      return after;
    },
  }),
];

async function keep(work: Work, after: Stored): Promise<void> {
  const now = instant(work.now);
  await work.tx.run(sql`
    INSERT INTO account_credit_settings (provider_id, expires_after_days, notice_days, since, told_until, worked_on,
      created_at, updated_at)
    VALUES (${work.providerId}, ${after.expires_after_days}, ${after.notice_days}, ${after.since}, ${after.told_until},
      ${after.worked_on}, ${now}, ${now})
    ON CONFLICT (provider_id) DO UPDATE SET expires_after_days = excluded.expires_after_days,
      notice_days = excluded.notice_days,
      since = excluded.since, told_until = excluded.told_until, updated_at = excluded.updated_at`);
}

/**
 * Records that a day is complete: nothing more expires on it, and customers were notified of credit that ends until
 * `toldUntil`.
 */
export async function keepWorkedOn(work: Work, day: string, toldUntil: string | null): Promise<void> {
  await work.tx.run(sql`UPDATE account_credit_settings SET worked_on = ${day}::date,
      told_until = CASE WHEN notice_days IS NULL THEN NULL ELSE greatest(told_until, ${toldUntil}::date) END,
      updated_at = ${instant(work.now)}
    WHERE provider_id = ${work.providerId}`);
}
