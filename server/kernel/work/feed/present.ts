/** A feed item as the world sees it: in lists, in the stream and in webhooks alike. */
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

export interface PresentedFeedItem {
  readonly object: 'feed_item';
  /** its number: 1, 2, 3 … at each business, without gaps */
  readonly id: number;
  /** ISO 8601 in the zone of the business */
  readonly timestamp: string;
  /** as `event.cancelled` */
  readonly type: string;
  /** what it is about, by the name of each resource: first the object that it happened to */
  readonly resources: Readonly<Record<string, number>>;
  readonly payload: Record<string, unknown>;
}

/** The same as fields, for whoever describes it. */
export const feedItemFields = {
  object: oneOf(['feed_item']),
  id: id().describe('1, 2, 3 … at each business, without gaps, in the order in which the changes were kept.'),
  timestamp: instant(),
  type: feedItemType(),
  resources: idsByName().describe(
    'What the item is about: resource names and ids, for example `{"customer": 159, "attendance": 7}`. If several have the same name, this is the one that it happened to, or else the first. The payload has all of them.',
  ),
  payload: map().describe(
    'Ids and names of properties. Read the resources themselves for their current values. Prices are null for staff without a permission that shows them, and in webhooks.',
  ),
};

/**
 * Every object that an item names: first the one that it happened to, also for a kind that no area declares any more.
 */
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

/** What a reader is shown: whether any of these permissions is among theirs. */
export type Reading = (permissions: readonly Permission[]) => boolean;

export const readBy =
  (viewer: Viewer): Reading =>
  (permissions) =>
    may(viewer, ...permissions);

/** `zone`: that of the business. */
export function presentFeedItem(item: FeedItem, zone: string, reading: Reading): PresentedFeedItem {
  const resources: Record<string, number> = {};
  // The first of a name stays, so what it happened to is never hidden by something else of its kind.
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
