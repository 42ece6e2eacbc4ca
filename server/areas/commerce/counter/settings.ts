/** Settings of a business for its cash drawers. */
import { action, answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { boolean } from '../../../kernel/base/fields/kinds.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import { whoSells } from './shown.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const shape = {
  cash_sessions_required: boolean().describe('Whether cash needs an open cash session of its drawer.'),
};

/** The default: a business with a cash drawer wants to know what is in it. */
const REQUIRED = true;

/** Returns whether cash requires an open session of its drawer. */
export async function sessionsRequired({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>): Promise<boolean> {
  const row = await tx.one<{ required: boolean }>(
    sql`SELECT cash_sessions_required AS required FROM counter_settings WHERE provider_id = ${providerId}`,
  );
  return row?.required ?? REQUIRED;
}

const path = '/counter_settings';

export const settingsEndpoints = [
  read({
    path,
    summary: 'Get the settings of the counter',
    who: whoSells,
    returns: answer(shape),
    run: async ({ work }) => ({ cash_sessions_required: await sessionsRequired(work) }),
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the settings of the counter',
    who: staffWith('super_admin'),
    body: allOptional(shape),
    returns: answer(shape),
    run: async ({ work, body }) => {
      const before = { cash_sessions_required: await sessionsRequired(work) };
      const after = { ...before, ...body };
      if (after.cash_sessions_required === before.cash_sessions_required) return after;
      const now = instant(work.now);
      await work.tx.run(sql`
        INSERT INTO counter_settings (provider_id, cash_sessions_required, created_at, updated_at)
        VALUES (${work.providerId}, ${after.cash_sessions_required}, ${now}, ${now})
        ON CONFLICT (provider_id) DO UPDATE SET cash_sessions_required = excluded.cash_sessions_required,
          updated_at = excluded.updated_at`);
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before, after });
      work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['counter'] });
      return after;
    },
  }),
];
