/** Readers of the feed: workflows, notices, webhooks. Declared by an area, called by the worker. */
import type { FeedItem } from '../feed/items.ts';
import type { Work } from './work.ts';

export interface FeedReader {
  /** stored with its position; never renamed */
  readonly name: string;
  /** null: every kind */
  readonly kinds: readonly string[] | null;
  /**
   * Acts on committed items of one business in the order of their numbers, in the transaction that advances the reader:
   * exactly once each, even after a crash. Writes rows and enqueues jobs, and uses nothing outside the transaction. If
   * it throws, all changes of this call are rolled back, and the same items come again, in smaller batches.
   */
  read(work: Work, items: readonly FeedItem[]): Promise<void>;
}
