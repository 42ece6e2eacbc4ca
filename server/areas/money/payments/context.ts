/** Speaking with processors: what they are given, and how what they say is written down. */
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { ProcessorContext } from './processor.ts';
import type { ProcessorRow } from './rows.ts';
import type { Declarations } from '../../../kernel/work/unit/declarations.ts';
import type { Tenant, Work } from '../../../kernel/work/unit/work.ts';

/** What is needed to call the processors of a business while no transaction is open. The call of an `outside` endpoint has it. */
export interface Outside {
  readonly db: Database;
  readonly registry: Declarations;
  readonly installation: Installation;
  readonly tenant: Tenant;
  /** what time it is at the business, epoch ms */
  readonly now: number;
}

/** The sealed secrets of one processor open for it alone. */
export const purposeOf = (provider: number, processor: number): string => `payment_processor:${provider}:${processor}`;

/** @throws NotOpened if the secrets were sealed with a key that is no longer known */
export function contextOf(
  { db, installation, tenant, now }: Outside,
  row: ProcessorRow,
  withinMs?: number,
): ProcessorContext {
  const purpose = purposeOf(tenant.providerId, row.id);
  const secrets = row.sealed === null ? {} : JSON.parse(installation.box.open(purpose, row.sealed));
  return {
    provider: tenant.providerId,
    processor: row.id,
    settings: { ...row.settings, ...secrets },
    now,
    baseUrl: installation.baseUrl,
    outbound: installation.outbound,
    db,
    withinMs,
  };
}

const ACTOR = 'payments';

/** A transaction of the service's own for the business. */
export const ownTransaction = async <T>(outside: Outside, act: (work: Work) => Promise<T>): Promise<T> =>
  (await backgroundWork(
    {
      ...outside,
      // `now` is the time at the business already.
      now: () => outside.now - (outside.tenant.testClock?.aheadMs ?? 0),
      tenants: { of: async () => outside.tenant },
    },
    outside.tenant.providerId,
    ACTOR,
    act,
  )) as T;
