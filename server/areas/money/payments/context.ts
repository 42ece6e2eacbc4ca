/** The context of requests to payment processors, and the transactions that record their responses. */
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import type { ProcessorContext } from './processor.ts';
import type { ProcessorRow } from './rows.ts';
import type { Declarations, Tenant, Work } from '../../../kernel/work/unit/work.ts';

/**
 * Everything needed to call the processors of a business outside of a transaction. The call of an `outside` endpoint
 * has it.
 */
export interface Outside {
  readonly db: Database;
  readonly registry: Declarations;
  readonly installation: Installation;
  readonly tenant: Tenant;
  /** time at the business, in epoch milliseconds */
  readonly now: number;
}

/** Returns the purpose that secrets are sealed for, so that they can be opened for this processor only. */
export const purposeOf = (provider: number, processor: number): string => `payment_processor:${provider}:${processor}`;

/**
 * Returns the context for one processor, with its secrets opened. @throws NotOpened if they were sealed with a key that
 * is no longer known
 */
export function openPaymentContext(
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

/** Runs `act` in a transaction of the service itself for the business. */
export const ownTransaction = async <T>(outside: Outside, act: (work: Work) => Promise<T>): Promise<T> =>
  (await backgroundWork(
    {
      ...outside,
      // `now` already is the time at the business.
      now: () => outside.now - (outside.tenant.testClock?.aheadMs ?? 0),
      tenants: { of: async () => outside.tenant },
    },
    outside.tenant.providerId,
    ACTOR,
    act,
  )) as T;
