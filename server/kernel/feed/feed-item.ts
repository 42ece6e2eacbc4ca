/** A kind of feed item: something that happened, declared next to the area in which it happens. */
import type { Shape, ValueOf } from '../api/field.ts';

export interface FeedItemKind<P extends Shape = Shape> {
  readonly kind: string;
  /** name of the resource that it happened to */
  readonly object: string;
  readonly description: string;
  readonly payload: P;
}

export const feedItemKind = <P extends Shape>(kind: string, declaration: Omit<FeedItemKind<P>, 'kind'>): FeedItemKind<P> => ({
  kind,
  ...declaration,
});

export type PayloadOf<K> = K extends FeedItemKind<infer P> ? ValueOf<P> : never;
