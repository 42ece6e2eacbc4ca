/** Who acts on what happened: workflows, notices, webhooks. Declared by an area, called by the worker. */
import type { FeedItem } from '../feed/items.ts';
import type { Work } from './work.ts';

export interface FeedReader {
  /** stored with its position; never renamed */
  readonly name: string;
  /** null: every kind */
  readonly kinds: readonly string[] | null;
  /**
   * Acts on committed items of one business in the order of their numbers, in the transaction that moves the reader on:
   * exactly once each, whatever crashes. Writes rows and enqueues jobs, and reaches for nothing outside of the
   * transaction. When it throws, everything of this call is undone, and the same items come again, fewer of them at
   * once.
   */
  read(work: Work, items: readonly FeedItem[]): Promise<void>;
}
