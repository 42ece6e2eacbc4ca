/** A loop that a worker runs in addition to its jobs: declared by an area, started and ended with the worker. */
import type { Database } from '../../base/db/database.ts';
import type { Installation } from './installation.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Declarations, Tenant } from './work.ts';
import type { Sql } from '../../base/db/sql.ts';
import type { Tenants } from './tenants.ts';

export interface EngineContext {
  /**
   * connection string of the owner of the database, for a connection whose session locks show that this process is
   * alive
   */
  readonly url: string;
  readonly db: Database;
  readonly registry: Declarations;
  readonly tenants: Tenants;
  readonly installation: Installation;
  readonly metrics: Metrics;
  readonly log: {
    info(o: object, m: string): void;
    warn(o: object, m: string): void;
    error(o: object, m: string): void;
  };
  readonly now: () => number;
}

export interface Engine {
  readonly name: string;
  start(context: EngineContext): Promise<RunningEngine>;
  /**
   * its work for test businesses, which follows the business's own time; absent: all of its work follows the real time
   */
  readonly ofTestBusiness?: TestBusinessWork;
}

export interface TestBusinessWork {
  /**
   * Returns scalar subqueries for when the business has its next work due; `provider` is the column or value of its id.
   */
  due(provider: Sql): readonly Sql[];
  /**
   * Does the work that is due; returns true if there was any. `tenant` is the business as it is now, with its clock.
   */
  act(context: EngineContext, tenant: Tenant): Promise<boolean>;
}

export interface RunningEngine {
  /** resolves when no work is in progress any more */
  stop(): Promise<void>;
}
