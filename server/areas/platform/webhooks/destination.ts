import { feedItemType } from '../../../kernel/work/feed/feed-item.ts';
import { id, instant, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { may, type Viewer } from '../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource, type Policy } from '../../../kernel/api/resource.ts';

export const STATUSES = ['active', 'paused', 'disabled'] as const;

/**
 * Restricts a rule to developers. Deliveries contain data of the whole business, so staff who are limited to venues see
 * none of it.
 */
export const forDevelopers = (rule: (t: string) => ReturnType<typeof sql> | boolean): Policy => ({
  provider: (t: string, viewer: Viewer) => viewer.venues === null && may(viewer, 'developer') && rule(t),
  customer: false,
  unregistered: false,
});

const ofLane = (column: string) => (t: string) =>
  raw(`(SELECT l.${column} FROM webhook_lane l WHERE l.provider_id = ${t}.provider_id AND l.destination_id = ${t}.id)`);

export const destination = resource('webhook_destination', {
  description: 'A URL that gets notified of what happens at the business.',
  fields: {
    id: id(),
    url: text({ max: 2000, format: 'uri' }).describe(
      'URL that requests are sent to, with POST. It must start with https:// and be on the public internet, unless the operator allows otherwise.',
    ),
    description: text({ max: 1000 }).nullable(),
    feed_item_types: listOf(feedItemType(), { min: 1, max: 500 })
      .from((t) => sql`to_jsonb(${raw(t)}.feed_item_types)`)
      .describe('Types of feed items that are sent to it.'),
    status: oneOf(STATUSES).describe(
      '`paused`: what happens is kept until the destination is resumed. `disabled`: the receiver answered that it is gone, and nothing is kept for it.',
    ),
    status_reason: text({ max: 1000 }).nullable().describe('Why the destination is not active.'),
    secret: text({ max: 255 })
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('Secret that requests are signed with. Only in the response that creates it, otherwise null.'),
    failing_since: instant()
      .nullable()
      .from(ofLane('failing_since'))
      .deferred()
      .describe('Time since when deliveries fail. Null if the last delivery succeeded.'),
    not_before: instant()
      .nullable()
      .from(ofLane('not_before'))
      .deferred()
      .describe(
        'Nothing is sent before this time, because several deliveries in a row failed or the receiver asked to wait.',
      ),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: forDevelopers((t) => sql`${raw(t)}.deleted_at IS NULL`),
});
