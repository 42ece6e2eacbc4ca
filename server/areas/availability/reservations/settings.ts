/** Settings of a business for recurring reservations. */
import { action, answer, EVERYONE, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { boolean, integer } from '../../../kernel/base/fields/kinds.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Settings {
  readonly customers_can_create: boolean;
  readonly customers_max_weeks: number | null;
}

const shape = {
  customers_can_create: boolean().describe(
    'Whether customers can make recurring reservations for themselves and their children. If false, only staff can.',
  ),
  customers_max_weeks: integer({ min: 1, max: 520 })
    .nullable()
    .describe('Maximum length of a customer’s recurring reservation, in weeks. Null means no limit.'),
};

const DEFAULTS: Settings = { customers_can_create: false, customers_max_weeks: null };

export const reservationSettings = async (work: Pick<Work, 'tx' | 'providerId'>): Promise<Settings> =>
  (await work.tx.one<Settings & Record<string, unknown>>(
    sql`SELECT customers_can_create, customers_max_weeks FROM recurring_reservation_settings
      WHERE provider_id = ${work.providerId}`,
  )) ?? DEFAULTS;

const path = '/recurring_reservations/settings';

export const settingsEndpoints = [
  read({
    path,
    summary: 'Get the settings of recurring reservations',
    who: EVERYONE,
    returns: answer(shape),
    run: ({ work }) => reservationSettings(work),
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the settings of recurring reservations',
    who: staffWith('super_admin'),
    body: allOptional(shape),
    returns: answer(shape),
    run: async ({ work, body }) => {
      const before = await reservationSettings(work);
      const after: Settings = { ...before, ...body };
      if (JSON.stringify(before) === JSON.stringify(after)) return after;
      const now = instant(work.now);
      await work.tx.run(sql`
        INSERT INTO recurring_reservation_settings
          (provider_id, customers_can_create, customers_max_weeks, created_at, updated_at)
        VALUES (${work.providerId}, ${after.customers_can_create}, ${after.customers_max_weeks}, ${now}, ${now})
        ON CONFLICT (provider_id) DO UPDATE SET customers_can_create = excluded.customers_can_create,
          customers_max_weeks = excluded.customers_max_weeks, updated_at = excluded.updated_at`);
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before, after });
      work.record(providerFeed.updated, work.providerId, {
        provider: work.providerId,
        changed: ['recurring_reservation_settings'],
      });
      return after;
    },
  }),
];
