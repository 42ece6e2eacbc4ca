/** What happens because of a feed item is told by the dry run of whatever would lead to the item. */
import type { FeedItemKind } from '../feed/feed-item.ts';
import type { Work } from './work.ts';

/** What an area's reader does about feed items of a kind, said beforehand. */
export interface Consequence {
  /** kind of the feed item */
  readonly of: string;
  /**
   * Adds effects to a work that is undone. The work has done everything that the item tells; `object` is the id of what
   * it happened to.
   */
  readonly previewEffects: (work: Work, object: number) => Promise<void>;
}

/** Adds what all areas would do about such an item to the effects of the work. */
export async function previewEffects(work: Work, kind: FeedItemKind<any>, object: number): Promise<void> {
  for (const consequence of work.registry.consequences.get(kind.kind) ?? [])
    await consequence.previewEffects(work, object);
}
