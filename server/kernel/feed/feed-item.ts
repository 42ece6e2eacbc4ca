/** A kind of feed item: something that happened, declared next to the area in which it happens. */
import { Field, type Shape, type ValueOf } from '../api/field.ts';

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

/** The kinds of every area that a registry gathered. An area names them without knowing those that stand after it. */
const declared = new Set<string>();

/** For the registry, which has checked that no two areas declare the same kind. */
export const knowFeedItemTypes = (kinds: Iterable<string>): void => {
  for (const kind of kinds) declared.add(kind);
};

const inOrder = (): string[] => [...declared].toSorted();

/**
 * A kind of feed item of any area, as `event.cancelled`. What may stand here is asked for when a value is read or the
 * interface is described, not when the field is declared: by then every area is known.
 */
export const feedItemType = (): Field<string> =>
  new Field<string>({
    schema: {
      type: 'string',
      get enum() {
        return inOrder();
      },
    },
    read: (input, path, { issues }) =>
      typeof input === 'string' && declared.has(input) ? input : issues.add(path, `Must be one of: ${inOrder().join(', ')}.`),
  });
