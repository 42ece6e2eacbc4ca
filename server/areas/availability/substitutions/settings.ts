/** Setting of the business: whether a manager decides who substitutes. */
import { action, answer, read, STAFF, staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean } from '../../../kernel/base/fields/kinds.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Settings {
  readonly needs_approval: boolean;
}

const shape = {
  needs_approval: boolean().describe(
    'Whether a manager decides who teaches an event instead. If false, the first instructor who offers to teach it does.',
  ),
};

const DEFAULTS: Settings = { needs_approval: true };

export const substituteSettings = async ({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>): Promise<Settings> =>
  (await tx.one<Settings & Record<string, unknown>>(
    sql`SELECT needs_approval FROM substitute_settings WHERE provider_id = ${providerId}`,
  )) ?? DEFAULTS;

const path = '/substitute_requests/settings';

export const settingsEndpoints = [
  read({
    path,
    summary: 'Get the settings of substitutes',
    who: STAFF,
    returns: answer(shape),
    run: ({ work }) => substituteSettings(work),
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the settings of substitutes',
    who: staffWith('super_admin'),
    body: { needs_approval: shape.needs_approval.optional() },
    returns: answer(shape),
    run: async ({ work, body: { needs_approval: wanted } }) => {
      const before = await substituteSettings(work);
      if (wanted === undefined || wanted === before.needs_approval) return before;
      const now = instant(work.now);
      await work.tx.run(sql`
        INSERT INTO substitute_settings (provider_id, needs_approval, created_at, updated_at)
        VALUES (${work.providerId}, ${wanted}, ${now}, ${now})
        ON CONFLICT (provider_id) DO UPDATE SET needs_approval = excluded.needs_approval,
          updated_at = excluded.updated_at`);
      const after: Settings = { needs_approval: wanted };
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before, after });
      work.record(providerFeed.updated, work.providerId, {
        provider: work.providerId,
        changed: ['substitute_settings'],
      });
      return after;
    },
  }),
];
