/**
 * Declarations of areas that affect work. The registry collects them, and requests, jobs and feed readers find them
 * here.
 */
import type { Consequence } from './consequence.ts';
import type { Engine } from './engine.ts';
import type { FeedItemKind } from '../feed/feed-item.ts';
import type { FeedReader } from './feed-reader.ts';
import type { Installation } from './installation.ts';
import type { Job } from './job.ts';
import type { NoticeType, Notifier } from './notices.ts';
import type { Problem } from '../../base/problem.ts';
import type { Speakers } from '../../base/languages/speakers.ts';
import type { Table } from '../../base/db/table.ts';
import type { Transaction } from '../../base/db/database.ts';
import type { Work } from './work.ts';

/** The link of a row about a person to that person's account. */
export interface Claim {
  readonly providerId: number;
  readonly id: number;
  readonly userId: number;
  readonly now: number;
}

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

/** The storage of a resource. */
export interface Stored {
  readonly name: string;
  readonly table: string;
  /** default: `id` */
  readonly idColumn?: string;
  /** columns that the audit leaves out */
  readonly secret?: readonly string[];
}

export interface Declarations {
  readonly areas: readonly (Does & { readonly name: string })[];
  /** each table as its owner declares it, in the order of the areas */
  readonly tables: ReadonlyMap<string, Table>;
  readonly resources: ReadonlyMap<string, Stored>;
  readonly feed: ReadonlyMap<string, FeedItemKind>;
  readonly readers: ReadonlyMap<string, FeedReader>;
  /** by name, in the order of their numbers */
  readonly notices: ReadonlyMap<string, NoticeType>;
  /** for customers who read languages other than English */
  readonly speakers: Speakers;
  /** by kind of feed item, in the order of the areas */
  readonly consequences: ReadonlyMap<string, readonly Consequence[]>;
  readonly jobs: ReadonlyMap<string, Job>;
  /** problems to return when a named constraint of the database is violated */
  readonly constraints: ReadonlyMap<string, () => Problem>;
  /** sends messages to people */
  readonly notifier: Notifier;
  /** Returns how many rows of all areas still need a row of a resource. */
  countUses(resource: string, work: Work, id: number): Promise<number>;
  /** Links a row about a person to their account. Returns false if the row already belongs to an account. */
  claim(resource: string, tx: Transaction, of: Claim): Promise<boolean>;
  /** Lets all areas react to a change of a row before it is written. `values`: the new values, by column name. */
  follow(resource: string, work: Work, id: number, values: Readonly<Record<string, unknown>>): Promise<void>;
}
