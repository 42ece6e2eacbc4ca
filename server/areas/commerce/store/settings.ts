/** What a business says of its store. */
import { action, answer, EVERYONE, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/api/field.ts';
import { boolean, integer, text } from '../../../kernel/api/kinds.ts';
import { instant, sql } from '../../../kernel/db/sql.ts';
import { providerUpdated } from '../../platform/providers/index.ts';
import type { Work } from '../../../kernel/work.ts';

interface Settings {
  readonly is_open: boolean;
  readonly pickup_instructions: string | null;
  readonly delivery_instructions: string | null;
  readonly low_stock_threshold: number | null;
}

const shape = {
  is_open: boolean().describe('If false, customers and visitors see no products, and only staff can sell.'),
  pickup_instructions: text({ max: 2000 }).nullable().describe('Where and when customers pick up what they ordered.'),
  delivery_instructions: text({ max: 2000 }).nullable().describe('How and where orders are delivered.'),
  low_stock_threshold: integer({ min: 0, max: 1_000_000 })
    .nullable()
    .describe(
      'Super admins are notified when the stock of a variant falls to this number. Variants can have their own. Null means never. Null for customers and visitors.',
    ),
};

const DEFAULTS: Settings = {
  is_open: true,
  pickup_instructions: null,
  delivery_instructions: null,
  low_stock_threshold: null,
};

export const storeSettings = async (work: Pick<Work, 'tx' | 'providerId'>): Promise<Settings> =>
  (await work.tx.one<Settings & Record<string, unknown>>(
    sql`SELECT is_open, pickup_instructions, delivery_instructions, low_stock_threshold FROM store_settings WHERE provider_id = ${work.providerId}`,
  )) ?? DEFAULTS;

const path = '/store/settings';

export const settingsEndpoints = [
  read({
    path,
    summary: 'Get the settings of the store',
    who: EVERYONE,
    returns: answer(shape),
    run: async ({ work }) => {
      const settings = await storeSettings(work);
      return work.viewer.mode === 'provider' ? settings : { ...settings, low_stock_threshold: null };
    },
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the settings of the store',
    who: staffWith('super_admin', 'store'),
    body: allOptional(shape),
    returns: answer(shape),
    run: async ({ work, body }) => {
      const before = await storeSettings(work);
      const after: Settings = { ...before, ...body };
      if (JSON.stringify(before) === JSON.stringify(after)) return after;
      const now = instant(work.now);
      await work.tx.run(sql`
        INSERT INTO store_settings (provider_id, is_open, pickup_instructions, delivery_instructions, low_stock_threshold, created_at, updated_at)
        VALUES (${work.providerId}, ${after.is_open}, ${after.pickup_instructions}, ${after.delivery_instructions}, ${after.low_stock_threshold}, ${now}, ${now})
        ON CONFLICT (provider_id) DO UPDATE SET is_open = excluded.is_open, pickup_instructions = excluded.pickup_instructions,
          delivery_instructions = excluded.delivery_instructions, low_stock_threshold = excluded.low_stock_threshold,
          updated_at = excluded.updated_at`);
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before, after });
      work.record(providerUpdated, work.providerId, { provider: work.providerId, changed: ['store'] });
      return after;
    },
  }),
];
