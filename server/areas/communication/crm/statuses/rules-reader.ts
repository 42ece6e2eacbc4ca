/**
 * Rules of statuses: when a certain thing happens to a customer, the customer gets a certain status. Any area that
 * declares a kind of feed item whose payload names a customer thereby gives businesses such a rule.
 */
import { customerOf } from '../rules/trigger.ts';
import { setStatus } from './writes.ts';
import { whoIs } from '../../../people/customers/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { isImported, type FeedItem } from '../../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../../kernel/work/unit/feed-reader.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Rule {
  readonly id: number;
  readonly set_on: readonly string[];
  readonly set_from: readonly number[];
}

export const statusRules: FeedReader = { name: 'customer_status_rules', kinds: null, read };

async function read(work: Work, items: readonly FeedItem[]): Promise<void> {
  const about = items.filter((item) => item.kind !== 'customer_status.changed' && customerOf(item) !== null);
  if (about.length === 0) return;
  const rules = await work.tx.rows<Rule>(
    sql`SELECT s.id, to_jsonb(s.set_on) AS set_on,
      to_jsonb(ARRAY(SELECT f.from_id FROM customer_status_from f
        WHERE f.provider_id = s.provider_id AND f.customer_status_id = s.id)) AS set_from
        FROM customer_status s WHERE s.provider_id = ${work.providerId}
          AND s.set_on && ${[...new Set(about.map((i) => i.kind))]}::text[] ORDER BY s.position, s.id`,
  );
  if (rules.length === 0) return;
  const present = await whoIs(
    work,
    about.map((item) => customerOf(item)!),
  );
  for (const item of about) {
    const customer = present.get(customerOf(item)!);
    if (customer === undefined) continue;
    for (const rule of rules.filter((r) => r.set_on.includes(item.kind))) {
      const run = typeof item.payload.workflow_run === 'number' ? item.payload.workflow_run : null;
      const own = isImported(item) ? work.importing(item.payload.import as number) : work.beside();
      const isSet = await setStatus(own, customer, rule.id, { by: 'rule', workflowRun: run, onlyFrom: rule.set_from });
      work.take(own);
      if (isSet) break;
    }
  }
}
