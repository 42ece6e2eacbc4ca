/** Billing settings of a business. */
import { action, answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { boolean, integer, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const AFTER_LAST_RETRY = ['none', 'pause', 'cancel'] as const;
type AfterLastRetry = (typeof AFTER_LAST_RETRY)[number];

export interface Settings {
  readonly use_account_credit: boolean;
  readonly invoice_charges: boolean;
  readonly payment_days: number;
  readonly retry_days: readonly number[];
  readonly grace_days: number | null;
  readonly after_last_retry: AfterLastRetry;
  readonly card_expiry_days: number | null;
}

const shape = {
  use_account_credit: boolean().describe('Whether account credit pays before anything is charged.'),
  invoice_charges: boolean().describe(
    'Whether charges of an account are invoiced when they are due. If false, they wait for the next billing period of the customer.',
  ),
  payment_days: integer({ min: 0, max: 365 }).describe(
    'Number of days that customers without a saved payment method have to pay an invoice.',
  ),
  retry_days: listOf(integer({ min: 1, max: 90 }), { max: 10 }).describe(
    'Schedule of retries for a failed payment: the days from each try to the next one. An empty list means never.',
  ),
  grace_days: integer({ min: 0, max: 365 })
    .nullable()
    .describe(
      'Number of days after the first failure during which the membership can still be used. After that, bookings with it are refused until the invoice is paid. Null means that it can always be used.',
    ),
  after_last_retry: oneOf(AFTER_LAST_RETRY).describe(
    'Result for the membership after the last retry has failed. `pause`: it is on hold until the invoice is paid, and no further billing period is due. `cancel`: it ends on that day.',
  ),
  card_expiry_days: integer({ min: 1, max: 90 })
    .nullable()
    .describe(
      'Number of days before a billing period when payers are notified that their card will have expired by then. Null means never.',
    ),
};

const DEFAULTS: Settings = {
  use_account_credit: true,
  invoice_charges: true,
  payment_days: 14,
  retry_days: [3, 5, 7],
  grace_days: 7,
  after_last_retry: 'none',
  card_expiry_days: 14,
};

export const billingSettings = async (work: Pick<Work, 'tx' | 'providerId'>): Promise<Settings> =>
  (await work.tx.one<Settings & Record<string, unknown>>(
    sql`SELECT use_account_credit, invoice_charges, payment_days, retry_days, grace_days, after_last_retry,
      card_expiry_days
        FROM billing_settings WHERE provider_id = ${work.providerId}`,
  )) ?? DEFAULTS;

const path = '/billing_settings';

export const settingsEndpoints = [
  read({
    path,
    summary: 'Get the settings of billing',
    who: staffWith('super_admin', 'customer_payments'),
    returns: answer(shape),
    run: ({ work }) => billingSettings(work),
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the settings of billing',
    description: 'Applies from now on. Invoices that were issued stay as they are.',
    who: staffWith('super_admin'),
    body: allOptional(shape),
    returns: answer(shape),
    run: async ({ work, body }) => {
      const before = await billingSettings(work);
      const after: Settings = { ...before, ...body };
      if (JSON.stringify(before) === JSON.stringify(after)) return after;
      const now = instant(work.now);
      await work.tx.run(sql`
        INSERT INTO billing_settings (provider_id, use_account_credit, invoice_charges, payment_days, retry_days,
          grace_days,
          after_last_retry, card_expiry_days, created_at, updated_at)
        VALUES (${work.providerId}, ${after.use_account_credit}, ${after.invoice_charges}, ${after.payment_days},
          ${[...after.retry_days]}::int[], ${after.grace_days}, ${after.after_last_retry}, ${after.card_expiry_days},
          ${now}, ${now})
        ON CONFLICT (provider_id) DO UPDATE SET use_account_credit = excluded.use_account_credit,
          invoice_charges = excluded.invoice_charges, payment_days = excluded.payment_days,
          retry_days = excluded.retry_days,
          grace_days = excluded.grace_days, after_last_retry = excluded.after_last_retry,
          card_expiry_days = excluded.card_expiry_days, updated_at = excluded.updated_at`);
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before, after });
      work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['billing'] });
      return after;
    },
  }),
];
