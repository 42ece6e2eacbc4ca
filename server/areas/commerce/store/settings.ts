/** Store settings of a business. */
import { action, answer, EVERYONE, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { boolean, integer, moneyText, text } from '../../../kernel/base/fields/kinds.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Settings {
  readonly is_open: boolean;
  readonly pickup_instructions: string | null;
  readonly delivery_instructions: string | null;
  readonly low_stock_threshold: number | null;
  /** minor units */
  readonly delivery_fee_minor: number | null;
  readonly free_delivery_from_minor: number | null;
}

const shape = {
  is_open: boolean().describe('If false, customers and visitors see no products, and only staff can sell.'),
  pickup_instructions: text({ max: 2000 }).nullable().describe('Instructions for customers who pick up their order.'),
  delivery_instructions: text({ max: 2000 }).nullable().describe('Instructions for delivered orders.'),
  low_stock_threshold: integer({ min: 0, max: 1_000_000 })
    .nullable()
    .describe(
      'Super admins are notified when the stock of a variant falls to this number. Variants can have their own. Null means never. Null for customers and visitors.',
    ),
  delivery_fee: moneyText()
    .nullable()
    .describe('Price of delivering an order, before fees and taxes. Null if it is free. Picking up is always free.'),
  free_delivery_from: moneyText()
    .nullable()
    .describe('Delivery is free if what is delivered costs this much or more, before discounts. Null if it never is.'),
};

const DEFAULTS: Settings = {
  is_open: true,
  pickup_instructions: null,
  delivery_instructions: null,
  low_stock_threshold: null,
  delivery_fee_minor: null,
  free_delivery_from_minor: null,
};

export const storeSettings = async (work: Pick<Work, 'tx' | 'providerId'>): Promise<Settings> =>
  (await work.tx.one<Settings & Record<string, unknown>>(
    sql`SELECT is_open, pickup_instructions, delivery_instructions, low_stock_threshold, delivery_fee_minor,
      free_delivery_from_minor FROM store_settings WHERE provider_id = ${work.providerId}`,
  )) ?? DEFAULTS;

const path = '/store/settings';

const shown = (work: Work, { delivery_fee_minor: fee, free_delivery_from_minor: from, ...settings }: Settings) => {
  const say = (minor: number | null) => minor && formatDecimal({ minor, currency: work.tenant.currency });
  return {
    ...settings,
    low_stock_threshold: work.viewer.mode === 'provider' ? settings.low_stock_threshold : null,
    delivery_fee: say(fee),
    free_delivery_from: say(from),
  };
};

type Sent = Partial<Omit<Settings, `${string}_minor`>> & {
  readonly delivery_fee?: string | null;
  readonly free_delivery_from?: string | null;
};

/** Converts 0 to null: both mean that delivery is free. */
function changed(work: Work, before: Settings, { delivery_fee, free_delivery_from, ...sent }: Sent): Settings {
  const minor = (name: string, text: string | null | undefined, known: number | null) =>
    text === undefined ? known : text === null ? null : minorOf(name, text, work.tenant.currency) || null;
  const fee = minor('delivery_fee', delivery_fee, before.delivery_fee_minor);
  const from = minor('free_delivery_from', free_delivery_from, before.free_delivery_from_minor);
  if (fee === null && from !== null && free_delivery_from !== undefined)
    throw invalid('free_delivery_from', 'Only if there is a delivery_fee. Send that too, or leave this out.');
  return { ...before, ...sent, delivery_fee_minor: fee, free_delivery_from_minor: fee === null ? null : from };
}

export const settingsEndpoints = [
  read({
    path,
    summary: 'Get the settings of the store',
    who: EVERYONE,
    returns: answer(shape),
    run: async ({ work }) => shown(work, await storeSettings(work)),
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
      const after = changed(work, before, body as Sent);
      if (JSON.stringify(before) === JSON.stringify(after)) return shown(work, after);
      const now = instant(work.now);
      await work.tx.run(sql`
        INSERT INTO store_settings (provider_id, is_open, pickup_instructions, delivery_instructions,
          low_stock_threshold, delivery_fee_minor,
          free_delivery_from_minor, created_at, updated_at)
        VALUES (${work.providerId}, ${after.is_open}, ${after.pickup_instructions}, ${after.delivery_instructions},
          ${after.low_stock_threshold},
          ${after.delivery_fee_minor}, ${after.free_delivery_from_minor}, ${now}, ${now})
        ON CONFLICT (provider_id) DO UPDATE SET is_open = excluded.is_open,
          pickup_instructions = excluded.pickup_instructions,
          delivery_instructions = excluded.delivery_instructions, low_stock_threshold = excluded.low_stock_threshold,
          delivery_fee_minor = excluded.delivery_fee_minor,
          free_delivery_from_minor = excluded.free_delivery_from_minor,
          updated_at = excluded.updated_at`);
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before, after });
      work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['store'] });
      return shown(work, after);
    },
  }),
];
