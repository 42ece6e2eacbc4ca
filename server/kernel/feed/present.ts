/** A feed item as the world sees it: in lists, in the stream and in webhooks alike. */
import { feedItemType } from './feed-item.ts';
import { formatInstant } from '../values/zone.ts';
import { id, instant, listOf, map, object, text } from '../api/kinds.ts';
import type { FeedItem } from './reader.ts';
import type { FeedItemKind } from './feed-item.ts';
import type { Registry } from '../api/registry.ts';
import type { Shape } from '../api/field.ts';

export interface ResourceName {
  readonly object: string;
  readonly id: number;
}

export interface PresentedFeedItem {
  readonly object: 'feed_item';
  /** its number: 1, 2, 3 … at each business, without gaps */
  readonly id: number;
  /** ISO 8601 in the zone of the business */
  readonly timestamp: string;
  /** as `event.cancelled` */
  readonly type: string;
  /** what it is about: the object that it happened to, then those that its payload names */
  readonly resources: readonly ResourceName[];
  readonly payload: Record<string, unknown>;
}

/** The same as fields, for whoever describes it. `object` is not among them: a resource brings its own. */
export const feedItemFields = {
  id: id().describe('1, 2, 3 … at each business, without gaps, in the order in which the changes were kept.'),
  timestamp: instant(),
  type: feedItemType(),
  resources: listOf(object({ object: text(), id: id() })).describe('What it is about: first what it happened to, then what the payload names.'),
  payload: map().describe('Ids and names of properties; what they are by now is read where they are.'),
};

const named = new WeakMap<FeedItemKind, readonly (readonly [property: string, resource: string])[]>();

/** Properties of a payload that are ids, or lists of ids, with the resource that each is of: by declaration, or by its very name. */
function idsIn(kind: FeedItemKind, registry: Registry): readonly (readonly [string, string])[] {
  let found = named.get(kind);
  if (!found) {
    found = Object.entries(kind.payload as Shape).flatMap(([name, { spec }]) => {
      const target = spec.relation?.target ?? (spec.schema.type === 'integer' && registry.resources.has(name) ? name : undefined);
      return target === undefined ? [] : [[name, target] as const];
    });
    named.set(kind, found);
  }
  return found;
}

/** An item of a kind that no area declares any more still says what it happened to. */
export function presentFeedItem(item: FeedItem, registry: Registry, zone: string): PresentedFeedItem {
  const kind = registry.feed.get(item.kind);
  const resources: ResourceName[] = [{ object: item.object, id: item.objectId }];
  for (const [property, target] of kind ? idsIn(kind, registry) : []) {
    for (const one of [item.payload[property]].flat()) {
      if (typeof one === 'number' && !resources.some((r) => r.object === target && r.id === one)) resources.push({ object: target, id: one });
    }
  }
  return { object: 'feed_item', id: item.seq, timestamp: formatInstant(item.occurredAt, zone), type: item.kind, resources, payload: item.payload };
}
