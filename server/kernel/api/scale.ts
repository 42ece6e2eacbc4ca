/**
 * The hooks for what makes several processes or cells one installation: where a transaction is entered, what stands
 * before HTTP, where a business and an account are, and limits that are shared. `server/scale` fills them. Without it, the
 * service is one process on one database.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../base/db/database.ts';
import type { Installation } from '../work/unit/installation.ts';
import type { Limits } from './limits.ts';
import type { Metrics } from '../base/metrics.ts';
import type { MigrateOptions } from '../base/db/migrate.ts';
import type { OtherCells } from '../work/unit/other-cells.ts';
import type { Patience } from '../base/db/patience.ts';
import type { Registry } from './registry.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Sql } from '../base/db/sql.ts';
import type { Streams } from './streams.ts';

export interface Scale {
  /** An expression that fails for a business that lives elsewhere; its one value is the id. Null: all live here */
  readonly fence: Sql | null;
  /** Makes the database ready, after its migrations. @throws Error naming the remedy, when it is another cell's */
  prepare(url: string, log: (line: string) => void): Promise<void>;
  /** Null: the installation has no other cells */
  otherCells(box: SecretBox): OtherCells | null;
  join(service: Joining): Joined;
}

/** A process that joins the installation. */
export interface Joining {
  /** of the owner of the database */
  readonly url: string;
  readonly db: Database;
  readonly registry: Registry;
  readonly installation: Installation;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: FastifyBaseLogger;
  readonly now: () => number;
  readonly patience?: Patience;
  /** the migrations and the release of this process */
  readonly schema: Pick<MigrateOptions, 'dir' | 'release'>;
  /** called when a newer release changed the schema so that this process cannot work on it */
  readonly onTooOld: (why: string) => void;
}

export interface Joined {
  /** what stands before everything that HTTP answers, and says who asked; undefined: nothing does */
  readonly gate: Gate | undefined;
  /** releases that run side by side for too long */
  readonly releases: readonly string[] | null;
  /** other cells that don't answer */
  readonly cellsAway: readonly number[];
  /** Open streams of this process count for the others, and theirs for it. */
  share(streams: Streams): void;
  /** Answers what other cells ask. */
  mount(http: FastifyInstance): void;
  /** Before the process serves. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface Gate {
  /** Before anything else is added to the server. */
  mount(http: FastifyInstance): void;
  /** Whether the business that a request is for may not have been here since it was let in. */
  mayHaveBeenAway(request: FastifyRequest): Promise<boolean>;
}
