/** What a worker does all the time, beside its jobs: declared by an area, started and ended with the worker. */
import type { Database } from '../../base/db/database.ts';
import type { Installation } from './installation.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Declarations } from './declarations.ts';
import type { Sql } from '../../base/db/sql.ts';
import type { Tenant } from './work.ts';
import type { Tenants } from './tenants.ts';

export interface EngineContext {
  /** of the owner of the database, for a connection whose session locks say that this process lives */
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
  /** what it does at a test business by the business's own time; absent: what it does goes by the real time */
  readonly ofTestBusiness?: TestBusinessWork;
}

export interface TestBusinessWork {
  /** When something of the business is due next: scalar subqueries, over the column or value that names the business. */
  due(provider: Sql): readonly Sql[];
  /** Does what is due by now; whether there was anything. `tenant` is the business as it is now, with its clock. */
  act(context: EngineContext, tenant: Tenant): Promise<boolean>;
}

export interface RunningEngine {
  /** resolves when nothing is under way any more */
  stop(): Promise<void>;
}
