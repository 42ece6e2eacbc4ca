/**
 * The reader of the feed that emails the people who run the business when a destination gets nothing any more, or a
 * delivery was parked.
 */
import { webhookDeliveryFeed, webhookDestinationFeed } from './feed.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { FeedItem } from '../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { StaffNotice } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const OWNER_NOTICES = {
  parked: { type: 'webhook_parked', subject: 'A webhook could not be delivered' },
  paused: { type: 'webhook_paused', subject: 'A webhook destination was paused' },
  disabled: { type: 'webhook_disabled', subject: 'A webhook destination was turned off' },
};

/** Shows only the host of the address: the rest may be a secret. */
const named = ({ url, description }: { url: string; description: string | null }): string =>
  description ? `${description} (${new URL(url).host})` : new URL(url).host;

function noticeOf(item: FeedItem, destination: string, zone: string): StaffNotice | null {
  const at = wallAt(item.occurredAt, zone);
  const { webhook_destination: id, cause } = item.payload as { webhook_destination: number; cause?: string };
  switch (item.kind) {
    case webhookDeliveryFeed.parked.kind:
      // If a receiver is down, every delivery is parked: one email a day is enough.
      return {
        type: OWNER_NOTICES.parked,
        key: `${id}:${at.date}`,
        text: `We tried a delivery to ${destination} ten times over about three days, and it was never accepted. We gave up on ${at.date} at ${at.time.slice(0, 5)}. You get at most one email a day about this.\n\nOnce the receiver works again, retry the deliveries or replay a range: GET /webhook_deliveries?destination=${id}&status=parked lists them.`,
      };
    case webhookDestinationFeed.paused.kind:
      if (cause === 'staff') return null;
      return {
        type: OWNER_NOTICES.paused,
        key: `${item.seq}`,
        text:
          cause === 'secret'
            ? `The secret of ${destination} can no longer be read, so nothing is sent there. Rotate the secret, give the new one to the receiver, then resume.`
            : `Nothing could be delivered to ${destination} for five days, so it was paused on ${at.date} at ${at.time.slice(0, 5)}. Events are kept for 30 days in the meantime. Repair the receiver, then resume.`,
      };
    default:
      return {
        type: OWNER_NOTICES.disabled,
        key: `${item.seq}`,
        text: `${destination} answered 410 Gone, so nothing more is sent there. If that was a mistake, resume it and replay what it missed.`,
      };
  }
}

export const ownerReader: FeedReader = {
  name: 'webhook_owner',
  kinds: [webhookDeliveryFeed.parked.kind, webhookDestinationFeed.paused.kind, webhookDestinationFeed.disabled.kind],
  async read(work: Work, items: readonly FeedItem[]) {
    const rows = await work.tx.rows<{ id: number; url: string; description: string | null }>(
      sql`SELECT id, url, description FROM webhook_destination
        WHERE provider_id = ${work.providerId} AND deleted_at IS NULL
          AND id = ANY (${items.map((i) => i.payload.webhook_destination as number)}::bigint[])`,
    );
    const known = new Map(rows.map((row) => [row.id, named(row)]));
    const notified = new Set<string>();
    for (const item of items) {
      // The person who deleted it knows.
      const destination = known.get(item.payload.webhook_destination as number);
      const notice = destination === undefined ? null : noticeOf(item, destination, work.tenant.zone);
      if (!notice || notified.has(`${notice.type.type}:${notice.key}`)) continue;
      notified.add(`${notice.type.type}:${notice.key}`);
      await work.registry.notifier.notifySuperAdmins(work, notice);
    }
  },
};
