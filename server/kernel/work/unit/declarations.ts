/** What areas declare for work: the registry gathers it, and a request, a job and a reader of the feed find it here. */
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

/** A row about a person becomes the one of their account. */
export interface Claim {
  readonly providerId: number;
  readonly id: number;
  readonly userId: number;
  readonly now: number;
}

/** What an area does by itself. */
export interface Does {
  /** act on what happened in this and in other areas */
  readonly readers?: readonly FeedReader[];
  readonly jobs?: readonly Job[];
  /** what a worker does all the time */
  readonly engines?: readonly Engine[];
  /**
   * Deletes what has served its time, and queues what the calendar brings; runs every few minutes, for all businesses at
   * once. For a test business it runs at its own times, in a transaction that sees this business alone.
   */
  readonly sweep?: (tx: Transaction, now: number, installation: Installation) => Promise<void>;
  /**
   * From which times of a day (`HH:MM`, by the clock of the business) the sweep has something new to do; default: from
   * midnight. None: it goes by the real time, also of test businesses, as everything does that has to do with security.
   */
  readonly sweepTimes?: readonly string[];
}

/** A resource, as far as its rows are stored. */
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
  /** what its owner says of each table, in the order of the areas */
  readonly tables: ReadonlyMap<string, Table>;
  readonly resources: ReadonlyMap<string, Stored>;
  readonly feed: ReadonlyMap<string, FeedItemKind>;
  readonly readers: ReadonlyMap<string, FeedReader>;
  /** by their names, in the order of their numbers */
  readonly notices: ReadonlyMap<string, NoticeType>;
  /** for customers who read other languages than English */
  readonly speakers: Speakers;
  /** by the kind of the feed item, in the order of the areas */
  readonly consequences: ReadonlyMap<string, readonly Consequence[]>;
  readonly jobs: ReadonlyMap<string, Job>;
  /** what to say when a named constraint of the database refuses */
  readonly constraints: ReadonlyMap<string, () => Problem>;
  /** sends messages to people */
  readonly notifier: Notifier;
  /** How many rows of all areas still need a row of a resource. */
  countUses(resource: string, work: Work, id: number): Promise<number>;
  /** Makes a row about a person the one of their account. False: somebody has it. */
  claim(resource: string, tx: Transaction, of: Claim): Promise<boolean>;
  /** Lets all areas follow a change of a row, by the names and new values of its columns. Before it is written. */
  follow(resource: string, work: Work, id: number, values: Readonly<Record<string, unknown>>): Promise<void>;
}
