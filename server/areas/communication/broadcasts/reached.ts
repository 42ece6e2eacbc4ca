/** Customers that a broadcast was or wasn't sent to, from the records: the ledger, and the exclusions next to it. */
import { filter, type Filter } from '../../../kernel/api/endpoint.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';

export type Side = 'recipients' | 'non_recipients';

const inLedger = (broadcast: unknown, statuses: string) =>
  sql`SELECT r.customer_id FROM message r WHERE r.provider_id = current_provider_id() AND r.broadcast_id = ${broadcast}
    AND r.status IN (${raw(statuses)})`;

/** Selects ids of customers; `broadcast` is its id, or a param for it. */
export const reached = (broadcast: unknown, side: Side): Sql =>
  side === 'recipients'
    ? inLedger(broadcast, `'queued', 'sending', 'sent', 'kept', 'delivered'`)
    : sql`${inLedger(broadcast, `'bounced', 'failed', 'skipped'`)} UNION ALL
          SELECT x.customer_id FROM broadcast_exclusion x
          WHERE x.provider_id = current_provider_id() AND x.broadcast_message_id = ${broadcast}`;

export const DESCRIPTIONS: Record<Side, string> = {
  recipients: 'The broadcast message whose recipients to find.',
  non_recipients: 'The broadcast message for which to find the people it was meant for but does not reach.',
};

const within = (side: Side): Filter =>
  filter(id().describe(DESCRIPTIONS[side]), (t, broadcast) => sql`${raw(t)}.id IN (${reached(broadcast, side)})`);

/**
 * Within the filters of another broadcast, only records count, so that two broadcasts that name each other don't
 * recurse.
 */
export const reachedFilters: Readonly<Record<string, Filter>> = {
  broadcast_message_recipients: within('recipients'),
  broadcast_message_non_recipients: within('non_recipients'),
};
