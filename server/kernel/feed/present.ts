/** A feed item as the world sees it: in lists, in the stream and in webhooks alike. */
import { feedItemType, idsIn, payloadShown } from './feed-item.ts';
import { formatInstant } from '../values/zone.ts';
import { id, instant, listOf, map, object, oneOf, text } from '../api/kinds.ts';
import { may, type Viewer } from '../access/viewer.ts';
import type { FeedItem } from './reader.ts';
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
  /** what it is about: the object that it happened to, then those that its payload names */
  readonly resources: readonly ResourceName[];
  readonly payload: Record<string, unknown>;
}

/** The same as fields, for whoever describes it. */
export const feedItemFields = {
  object: oneOf(['feed_item']),
  id: id().describe('1, 2, 3 … at each business, without gaps, in the order in which the changes were kept.'),
  timestamp: instant(),
  type: feedItemType(),
  resources: listOf(object({ object: text(), id: id() })).describe('What it is about: first what it happened to, then what the payload names.'),
  payload: map().describe('Ids and names of properties; what they are by now is read where they are. Prices are null for staff without a permission that shows them, and in webhooks.'),
};

/** Webhooks lead outside of the business: they tell what the permission that is needed to enter one shows, and no more. */
const OUTSIDE = (permissions: readonly Permission[]): boolean => permissions.includes('developer');

/** An item of a kind that no area declares any more still says what it happened to. `zone`: that of the business; `viewer`: null for webhooks. */
export function presentFeedItem(item: FeedItem, zone: string, viewer: Viewer | null): PresentedFeedItem {
  const resources: ResourceName[] = [{ object: item.object, id: item.objectId }];
  for (const { property, object: named } of idsIn(item.kind)) {
    for (const one of [item.payload[property]].flat()) {
      if (typeof one === 'number' && !resources.some((r) => r.object === named && r.id === one)) resources.push({ object: named, id: one });
    }
  }
  return { object: 'feed_item', id: item.seq, timestamp: formatInstant(item.occurredAt, zone), type: item.kind, resources, payload: payloadShown(item.kind, item.payload, viewer ? (permissions) => may(viewer, ...permissions) : OUTSIDE) };
}
