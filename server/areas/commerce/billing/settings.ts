/** How a business bills. */
import { action, answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/api/field.ts';
import { boolean, integer } from '../../../kernel/api/kinds.ts';
import { instant, sql } from '../../../kernel/db/sql.ts';
import { providerUpdated } from '../../platform/providers/index.ts';
import type { Work } from '../../../kernel/work.ts';

export interface Settings {
  readonly use_account_credit: boolean;
  readonly invoice_charges: boolean;
  readonly payment_days: number;
}

const shape = {
  use_account_credit: boolean().describe('Whether account credit pays before anything is charged.'),
  invoice_charges: boolean().describe(
    'Whether charges of an account are invoiced when they are due. If false, they wait for the next billing period of the customer.',
  ),
  payment_days: integer({ min: 0, max: 365 }).describe(
    'How many days customers without a saved payment method have to pay an invoice.',
  ),
};

const DEFAULTS: Settings = { use_account_credit: true, invoice_charges: true, payment_days: 14 };

export const billingSettings = async (work: Pick<Work, 'tx' | 'providerId'>): Promise<Settings> =>
  (await work.tx.one<Settings & Record<string, unknown>>(
    sql`SELECT use_account_credit, invoice_charges, payment_days FROM billing_settings WHERE provider_id = ${work.providerId}`,
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
        INSERT INTO billing_settings (provider_id, use_account_credit, invoice_charges, payment_days, created_at, updated_at)
        VALUES (${work.providerId}, ${after.use_account_credit}, ${after.invoice_charges}, ${after.payment_days}, ${now}, ${now})
        ON CONFLICT (provider_id) DO UPDATE SET use_account_credit = excluded.use_account_credit,
          invoice_charges = excluded.invoice_charges, payment_days = excluded.payment_days, updated_at = excluded.updated_at`);
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before, after });
      work.record(providerUpdated, work.providerId, { provider: work.providerId, changed: ['billing'] });
      return after;
    },
  }),
];
