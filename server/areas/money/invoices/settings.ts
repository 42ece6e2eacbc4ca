/** Settings for the details of the business on its invoices. */
import { action, answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { integer, text } from '../../../kernel/base/fields/kinds.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Settings {
  readonly legal_name: string | null;
  readonly tax_number: string | null;
  readonly note: string | null;
  readonly reminder_days: number | null;
}

const shape = {
  legal_name: text({ max: 255 })
    .nullable()
    .describe('Name of the company behind the business. Null if it is the name of the business.'),
  tax_number: text({ max: 100 }).nullable().describe('As it is printed on invoices, for example `VAT GB 123 4567 89`.'),
  note: text({ max: 1000 }).nullable().describe('Printed at the end of every invoice, for example how to pay.'),
  reminder_days: integer({ min: 1, max: 90 })
    .nullable()
    .describe(
      'Number of days after the due date when customers are reminded of the amount left to pay. Null means never.',
    ),
};

const DEFAULTS: Settings = { legal_name: null, tax_number: null, note: null, reminder_days: 3 };

export const invoiceSettings = async (work: Pick<Work, 'tx' | 'providerId'>): Promise<Settings> =>
  (await work.tx.one<Settings & Record<string, unknown>>(
    sql`SELECT legal_name, tax_number, note, reminder_days FROM invoice_settings
      WHERE provider_id = ${work.providerId}`,
  )) ?? DEFAULTS;

const path = '/invoice_settings';

export const settingsEndpoints = [
  read({
    path,
    summary: 'Get the settings of invoices',
    who: staffWith('super_admin', 'pos', 'store'),
    returns: answer(shape),
    run: ({ work }) => invoiceSettings(work),
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the settings of invoices',
    description: 'Applies to invoices from now on. Those that were issued stay as they are.',
    who: staffWith('super_admin'),
    body: allOptional(shape),
    returns: answer(shape),
    run: async ({ work, body }) => {
      const before = await invoiceSettings(work);
      const after: Settings = { ...before, ...body };
      if (JSON.stringify(before) === JSON.stringify(after)) return after;
      const now = instant(work.now);
      await work.tx.run(sql`
        INSERT INTO invoice_settings (provider_id, legal_name, tax_number, note, reminder_days, created_at, updated_at)
        VALUES (${work.providerId}, ${after.legal_name}, ${after.tax_number}, ${after.note}, ${after.reminder_days},
          ${now}, ${now})
        ON CONFLICT (provider_id) DO UPDATE SET legal_name = excluded.legal_name, tax_number = excluded.tax_number,
          note = excluded.note, reminder_days = excluded.reminder_days, updated_at = excluded.updated_at`);
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before, after });
      work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['invoices'] });
      return after;
    },
  }),
];
