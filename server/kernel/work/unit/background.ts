/** The background work that areas declare: what the worker runs. */
import type { Declarations } from './work.ts';
import type { Engine, EngineContext } from './engine.ts';
import type { FeedReader } from './feed-reader.ts';
import type { Installation } from './installation.ts';
import type { Job } from './job.ts';
import type { Transaction } from '../../base/db/database.ts';

/** The background work of an area. */
export interface Does {
  /** react to feed items of this and other areas */
  readonly readers?: readonly FeedReader[];
  readonly jobs?: readonly Job[];
  /** run continuously in a worker */
  readonly engines?: readonly Engine[];
  /**
   * Deletes expired rows and enqueues work that is due by the calendar. Runs every few minutes, for all businesses in
   * one call. For a test business it runs at the business's own times, in a transaction that sees this business alone.
   */
  readonly sweep?: (tx: Transaction, now: number, installation: Installation) => Promise<void>;
  /**
   * Times of day (`HH:MM`, in the time zone of the business) from which the sweep has something new to do; default:
   * midnight. Empty: the sweep follows the real time even for test businesses, like everything that concerns security.
   */
  readonly sweepTimes?: readonly string[];
}

/** Declarations of the areas, with the background work of all of them. */
export interface WorkerDeclarations extends Declarations {
  readonly areas: readonly (Does & { readonly name: string })[];
  readonly readers: ReadonlyMap<string, FeedReader>;
  readonly jobs: ReadonlyMap<string, Job>;
}

/** The worker's context: that of an engine, with the background work of all areas. */
export interface WorkerContext extends EngineContext {
  readonly registry: WorkerDeclarations;
}
