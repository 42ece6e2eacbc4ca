/** Creation of the first business of an installation with its owner, in one transaction. */
import { createOwner, type NewOwner } from '../../people/staff/index.ts';
import { createProcessor } from '../../money/payments/index.ts';
import { createProvider, isFirstBusiness, type NewProvider } from '../../platform/providers/index.ts';
import { DEFAULT_WORDS } from '../../../kernel/base/values/words.ts';
import { ownViewer } from '../../../kernel/work/access/viewer.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { Work } from '../../../kernel/work/unit/work.ts';
import type { Desk } from '../frame/index.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export interface First {
  readonly business: NewProvider;
  readonly owner: Omit<NewOwner, 'userId'>;
  /** creates or finds the account of the owner; null: not possible */
  readonly account: (tx: Transaction) => Promise<number | null>;
}

/** Returns the account of the owner. `late`: somebody else was faster, and a business already exists. */
export function createFirst(
  { door, registry, installation }: Desk,
  { business, owner, account }: First,
  { now, requestId }: { readonly now: number; readonly requestId: string },
): Promise<
  | { readonly outcome: 'made'; readonly userId: number }
  | { readonly outcome: 'late' }
  | { readonly outcome: 'no_account' }
> {
  return door.db.acrossTenants(
    'the first business is made with its owner, who belongs to no business yet',
    async (tx) => {
      if (!(await isFirstBusiness(tx))) return { outcome: 'late' };
      const userId = await account(tx);
      if (userId === null) return { outcome: 'no_account' };
      const providerId = await createProvider(tx, { ...business, cells: installation.cells });
      await tx.run(sql`SELECT set_config('rollcall.provider_id', ${String(providerId)}, true)`);
      const { timezone: zone, currency, test } = business;
      const work = new Work({
        tx,
        registry,
        installation,
        tenant: { providerId, zone, currency, words: DEFAULT_WORDS },
        viewer: ownViewer(providerId, `user:${userId}`),
        now,
        requestId,
      });
      await createOwner(work, { ...owner, userId });
      if (test) await createProcessor(work, { kind: 'sandbox', name: 'Card' });
      for (const record of work.takeRecords()) await tx.run(record);
      return { outcome: 'made', userId };
    },
  );
}
