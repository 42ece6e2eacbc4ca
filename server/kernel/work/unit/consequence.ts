/**
 * Effects that readers cause because of a feed item, shown in the dry run of an operation that would record the item.
 */
import type { Work } from './work.ts';

/** The effects that an area's reader causes for feed items of a kind. */
export interface Consequence {
  /** kind of the feed item */
  readonly of: string;
  /**
   * Adds effects to a work that is rolled back. The work has already made the changes that the item records; `object`
   * is the id of the main object.
   */
  readonly previewEffects: (work: Work, object: number) => Promise<void>;
}
