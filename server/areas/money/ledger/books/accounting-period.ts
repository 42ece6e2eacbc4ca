/** Days whose books are closed. */
import { date, id, instant, integer, money, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import type { Row } from '../../../../kernel/base/db/rows.ts';
import { resource } from '../../../../kernel/api/resource.ts';

export const PERIOD_STATUSES = ['closed', 'reopened'] as const;

export const periodStatus = (t: string) =>
  sql`CASE WHEN ${raw(t)}.reopened_at IS NULL THEN 'closed' ELSE 'reopened' END`;

export const accountingPeriod = resource('accounting_period', {
  description:
    'Days whose books are closed: nothing is posted on them or before them. It begins on the day after the period before it, so no day is left out. If it is reopened, it stays in the list, and the days are closed again by another period.',
  fields: {
    id: id(),
    status: oneOf(PERIOD_STATUSES).from(periodStatus),
    start_date: date().from((t) => raw(`${t}.start_on`)),
    end_date: date().from((t) => raw(`${t}.end_on`)),
    transactions: integer().describe('Number of ledger transactions when it was closed.'),
    debits: money()
      .from((t) => raw(`${t}.debits_minor`))
      .describe('All debits of these days when it was closed. All credits were as much.'),
    closed_at: instant(),
    reopened_at: instant().nullable().describe('When it was reopened. Null if it was not.'),
    reopen_reason: text().nullable().describe('Why it was reopened. Null if it was not.'),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'revenue'), customer: false, unregistered: false },
});

export type PeriodRow = Row<'accounting_period'>;
