/** Determines again what a membership lacks, after anything that this depends on has changed. */
import { incompleteReasons, type MembershipType } from './rules/incomplete.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { membershipFeed } from './feed.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Row {
  readonly type: MembershipType;
  readonly duration: number | null;
  readonly expiration_date: string | null;
  readonly allotment_types: string[] | null;
  readonly incomplete_reasons: string[];
  readonly has_total: boolean;
  readonly plans: number;
}

export async function settleIncomplete(work: Work, id: number): Promise<void> {
  // The row is locked before the related rows are counted, so that the later of two concurrent changes sees both. The
  // lock allows key shares: a transaction that adds a plan already holds one, and two of them would deadlock.
  const before = await work.tx.one(
    sql`SELECT * FROM membership WHERE provider_id = ${work.providerId} AND id = ${id} FOR NO KEY UPDATE`,
  );
  const row = (await work.tx.one<Row>(sql`
    SELECT m.type, m.duration, m.expiration_date, m.allotment_types, m.incomplete_reasons,
      EXISTS (SELECT FROM membership_limit l WHERE l.provider_id = m.provider_id AND l.membership_id = m.id
        AND l.period = 'total') AS has_total,
      (SELECT count(*)::int FROM membership_payment_plan p
        WHERE p.provider_id = m.provider_id AND p.membership_id = m.id AND p.status = 'for_sale') AS plans
    FROM membership m WHERE m.provider_id = ${work.providerId} AND m.id = ${id}`))!;
  const reasons = incompleteReasons({
    type: row.type,
    hasDuration: row.duration !== null,
    hasExpirationDate: row.expiration_date !== null,
    hasAllotment: row.allotment_types !== null,
    hasTotalLimit: row.has_total,
    plansForSale: row.plans,
  });
  if (reasons.join() === row.incomplete_reasons.join()) return;
  work.touch('membership', id, before!);
  await work.tx.run(
    sql`UPDATE membership SET incomplete_reasons = ${reasons}::text[], updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ${id}`,
  );
  work.record(membershipFeed.updated, id, { membership: id, changed: ['incomplete_reasons'] });
}
