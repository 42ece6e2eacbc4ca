/** Emails staff members whose calendar can't be read: a reader of the feed. */
import { Catalog } from '../../../../kernel/base/languages/catalog.ts';
import { dashboardUrl, type StaffNoticeType } from '../../../../kernel/work/unit/notices.ts';
import { externalCalendarAccountFeed } from '../feed.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { FeedItem } from '../../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../../kernel/work/unit/feed-reader.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const FAILING_NOTICE: StaffNoticeType = { type: 'external_calendar_failing' };

const TEXTS = Catalog.read('messages', 'calendars/staff');

export const failingReader: FeedReader = {
  name: 'external_calendar_failing',
  kinds: [externalCalendarAccountFeed.failing.kind],
  async read(work: Work, items: readonly FeedItem[]) {
    const failures = items.map(({ seq, payload }) => ({ seq, account: payload.external_calendar_account as number }));
    const rows = await work.tx.rows<{ id: number; staff: number; name: string; error: string | null }>(
      sql`SELECT a.id, a.staff_id AS staff, a.username AS name,
            (SELECT min(c.last_error) FROM external_calendar c
              WHERE c.provider_id = a.provider_id AND c.account_id = a.id) AS error
          FROM external_calendar_account a JOIN staff s ON s.provider_id = a.provider_id AND s.id = a.staff_id
          WHERE a.provider_id = ${work.providerId} AND a.id = ANY(${failures.map((t) => t.account)}::bigint[])
            AND NOT s.archived`,
    );
    for (const { seq, account } of failures) {
      const row = rows.find(({ id }) => id === account);
      // Disconnected, or read successfully in the meantime.
      if (!row || row.error === null) continue;
      await work.registry.notifier.notifyStaff(work, [row.staff], {
        type: FAILING_NOTICE,
        key: String(seq),
        write: (reader) => {
          const say = TEXTS.for(reader, work.tenant.words);
          const { name } = row;
          return {
            subject: say('subject', { name }),
            text: `${say('text', { name })}\n\n${say('next')}\n${dashboardUrl(work, 'mine')}`,
            button: say('see'),
          };
        },
      });
    }
  },
};
