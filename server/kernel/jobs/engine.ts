/** What a worker does all the time, beside its jobs: declared by an area, started and ended with the worker. */
import type { Database } from '../db/database.ts';
import type { Installation } from '../installation.ts';
import type { Metrics } from '../metrics.ts';
import type { Registry } from '../api/registry.ts';
import type { Tenants } from '../access/tenants.ts';

export interface EngineContext {
  /** of the owner of the database, for a connection whose session locks say that this process lives */
  readonly url: string;
  readonly db: Database;
  readonly registry: Registry;
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
}

export interface RunningEngine {
  /** resolves when nothing is under way any more */
  stop(): Promise<void>;
}
