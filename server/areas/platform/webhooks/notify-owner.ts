/**
 * The reader of the feed that emails the people who run the business when a destination gets nothing any more, or a
 * delivery was parked.
 */
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { dashboardUrl, type StaffNotice } from '../../../kernel/work/unit/notices.ts';
import { webhookDeliveryFeed, webhookDestinationFeed } from './feed.ts';
import { spokenMoment } from '../../../kernel/base/languages/spoken.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { FeedItem } from '../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const OWNER_NOTICES = {
  parked: { type: 'webhook_parked' },
  paused: { type: 'webhook_paused' },
  disabled: { type: 'webhook_disabled' },
};

const TEXTS = Catalog.read('messages', 'webhooks/staff');

/** Shows only the host of the address: the rest may be a secret. */
const named = ({ url, description }: { url: string; description: string | null }): string =>
  description ? `${description} (${new URL(url).host})` : new URL(url).host;

function noticeFor(work: Work, item: FeedItem, destination: string): StaffNotice | null {
  const { zone, words } = work.tenant;
  const { webhook_destination: id, cause } = item.payload as { webhook_destination: number; cause?: string };
  const write =
    (
      subject: 'parked' | 'paused' | 'disabled',
      keys: readonly Parameters<ReturnType<typeof TEXTS.for>>[0][],
      more = '',
    ): StaffNotice['write'] =>
    (reader) => {
      const say = TEXTS.for(reader, words);
      const values = { destination, moment: spokenMoment(reader, item.occurredAt, zone) };
      const screen = dashboardUrl(work, `developers?tab=webhooks&webhook=${id}${more}`);
      return {
        subject: say(`${subject}.subject`),
        text: [...keys.map((key) => say(key, values)), screen].join('\n\n'),
        button: say('see'),
      };
    };
  switch (item.kind) {
    case webhookDeliveryFeed.parked.kind:
      // If a receiver is down, every delivery is parked: one email a day is enough.
      return {
        type: OWNER_NOTICES.parked,
        key: `${id}:${wallAt(item.occurredAt, zone).date}`,
        write: write('parked', ['parked', 'parked.next'], '&status=parked'),
      };
    case webhookDestinationFeed.paused.kind:
      if (cause === 'staff') return null;
      return {
        type: OWNER_NOTICES.paused,
        key: `${item.seq}`,
        write: write('paused', [cause === 'secret' ? 'secret' : 'paused']),
      };
    default:
      return { type: OWNER_NOTICES.disabled, key: `${item.seq}`, write: write('disabled', ['disabled']) };
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
      const notice = destination === undefined ? null : noticeFor(work, item, destination);
      if (!notice || notified.has(`${notice.type.type}:${notice.key}`)) continue;
      notified.add(`${notice.type.type}:${notice.key}`);
      await work.registry.notifier.notifySuperAdmins(work, notice);
    }
  },
};
