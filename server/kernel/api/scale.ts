/**
 * Hooks that make several processes or cells one installation: entering a transaction, a gate in front of HTTP,
 * locating businesses and accounts, and shared limits. `server/scale` implements them. Without it, the service is one
 * process on one database.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../base/db/database.ts';
import type { Engine } from '../work/unit/engine.ts';
import type { Installation } from '../work/unit/installation.ts';
import type { Buckets } from './limits/rate-limit-store.ts';
import type { Metrics } from '../base/metrics.ts';
import type { MigrateOptions } from '../base/db/schema/migrate.ts';
import type { OpenReadServers } from '../base/db/sharing/spot.ts';
import type { OtherCells } from '../work/unit/other-cells.ts';
import type { Patience } from '../base/db/connections/patience.ts';
import type { Registry } from './registry.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Sql } from '../base/db/sql.ts';

export interface Scale {
  /**
   * Expression that fails for a business that lives in another cell; its only value is the id of the business. Null:
   * all live here
   */
  readonly fence: Sql | null;
  /**
   * Prepares the database after its migrations. @throws Error naming the remedy if the database belongs to another cell
   */
  prepare(url: string, log: (line: string) => void): Promise<void>;
  /** Opens the standbys that may serve reads; null: there are none. */
  readonly replicas: OpenReadServers | null;
  /** Returns the buckets of rate limits that all processes share; undefined: there is one process only. */
  buckets(box: SecretBox): Buckets | undefined;
  /** Returns the other cells; null if the installation has none */
  otherCells(box: SecretBox): OtherCells | null;
  join(service: Joining): Joined;
}

/** A process that joins the installation. */
export interface Joining {
  /** database URL of the owner role */
  readonly url: string;
  readonly db: Database;
  readonly registry: Registry;
  readonly installation: Installation;
  readonly metrics: Metrics;
  readonly log: FastifyBaseLogger;
  readonly now: () => number;
  readonly patience?: Patience;
  /** migrations and release of this process */
  readonly schema: Pick<MigrateOptions, 'dir' | 'release'>;
  /** called when a newer release has changed the schema so that this process cannot use it */
  readonly onTooOld: (why: string) => void;
}

export interface Joined {
  /**
   * handler in front of everything that is served over HTTP, which also identifies the client; undefined if there is
   * none
   */
  readonly gate: Gate | undefined;
  /** run continuously in a worker, like those of areas */
  readonly engines: readonly Engine[];
  /** releases that have run side by side for too long */
  readonly releases: readonly string[] | null;
  /** other cells that don't respond */
  readonly cellsAway: readonly number[];
  /** Shares the counts of open streams, so that those of this process count for the others and theirs for it. */
  share(streams: SharedStreams): void;
  /** Adds the endpoints that respond to other cells. */
  mount(http: FastifyInstance): void;
  /** Runs before the process accepts requests. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Numbers of open streams, by caller or business. */
export type StreamCounts = Readonly<Record<string, number>>;

/** Open streams of another process. */
export interface StreamsElsewhere {
  /** id of the process; each process ends its surplus streams only after those of processes with a greater id */
  readonly process: string;
  readonly counts: StreamCounts;
}

/** The open streams of this process. */
export interface SharedStreams {
  readonly counts: StreamCounts;
  /** Receives the counts of the other processes. `process`: the id of this one. */
  hear(others: readonly StreamsElsewhere[], process: string): void;
  /** called when a stream begins */
  onBegin: () => void;
}

export interface Gate {
  /** Runs before anything else is added to the server. */
  mount(http: FastifyInstance): void;
  /** Returns true if the business that a request is for may have left this cell since the request was admitted. */
  mayHaveBeenAway(request: FastifyRequest): Promise<boolean>;
}
