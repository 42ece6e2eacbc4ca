/** Emails staff members whose calendar can't be read: a reader of the feed. */
import { externalCalendarAccountFeed } from '../feed.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { FeedItem } from '../../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../../kernel/work/unit/feed-reader.ts';
import type { StaffNoticeType } from '../../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const FAILING_NOTICE: StaffNoticeType = {
  type: 'external_calendar_failing',
  subject: 'Your calendar can’t be read',
};

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
        text: `Your calendar “${row.name}” could not be read for three days, so your free times may be wrong: ${row.error}\n\nWe go on trying. After 30 days, what we know of the calendar no longer counts as busy. If its address has changed, disconnect the calendar and connect it again with the new address.`,
      });
    }
  },
};
