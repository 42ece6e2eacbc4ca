/** A feed item as clients see it: the same in lists, in the stream and in webhooks. */
import { feedItemType, idsIn, payloadShown } from './feed-item.ts';
import { formatInstant } from '../../base/values/zone.ts';
import { id, idsByName, instant, map, oneOf } from '../../base/fields/kinds.ts';
import { may, type Viewer } from '../access/viewer.ts';
import type { FeedItem } from './items.ts';
import type { Permission } from '../access/permission.ts';

export interface ResourceName {
  readonly object: string;
  readonly id: number;
}

interface PresentedFeedItem {
  readonly object: 'feed_item';
  /** its number: 1, 2, 3 … at each business, without gaps */
  readonly id: number;
  /** ISO 8601 in the zone of the business */
  readonly timestamp: string;
  /** such as `event.cancelled` */
  readonly type: string;
  /** ids of the objects that it concerns, by the name of each resource, the main object first */
  readonly resources: Readonly<Record<string, number>>;
  readonly payload: Record<string, unknown>;
}

/** Fields with the same properties, for descriptions. */
export const feedItemFields = {
  object: oneOf(['feed_item']),
  id: id().describe('1, 2, 3 … at each business, without gaps, in the order in which the changes were kept.'),
  timestamp: instant(),
  type: feedItemType(),
  resources: idsByName().describe(
    'Objects that the item is about: resource names and ids, for example `{"customer": 159, "attendance": 7}`. If several have the same name, this is the one that it happened to, or else the first. The payload has all of them.',
  ),
  payload: map().describe(
    'Ids and names of properties. Read the resources themselves for their current values. Prices are null for staff without a permission that shows them, and in webhooks.',
  ),
};

/** Returns every object that an item names, the main object first, even for a kind that no area declares any more. */
export function namedBy(item: FeedItem): ResourceName[] {
  const named: ResourceName[] = [{ object: item.object, id: item.objectId }];
  for (const { property, object } of idsIn(item.kind)) {
    for (const id of [item.payload[property]].flat()) {
      if (typeof id === 'number' && !named.some((one) => one.object === object && one.id === id))
        named.push({ object, id });
    }
  }
  return named;
}

/** The reader's view: true if they have any of these permissions. */
export type Reading = (permissions: readonly Permission[]) => boolean;

export const readBy =
  (viewer: Viewer): Reading =>
  (permissions) =>
    may(viewer, ...permissions);

/** Returns the item for a reader. `zone` is that of the business. */
export function presentFeedItem(item: FeedItem, zone: string, reading: Reading): PresentedFeedItem {
  const resources: Record<string, number> = {};
  // The first id of a name is kept, so that another object of the same resource never replaces the main object.
  for (const { object, id } of namedBy(item)) resources[object] ??= id;
  return {
    object: 'feed_item',
    id: item.seq,
    timestamp: formatInstant(item.occurredAt, zone),
    type: item.kind,
    resources,
    payload: payloadShown(item.kind, item.payload, reading),
  };
}
