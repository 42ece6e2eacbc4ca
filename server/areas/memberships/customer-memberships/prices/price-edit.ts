/** Changes of the prices that customers have agreed to: decided one by one, written together. */
import { cycleOf } from '../use/facts.ts';
import { PRICE_EDIT } from './prices.ts';
import { todayOf } from '../writes.ts';
import { decideHoldsOf } from '../holds/writes.ts';
import { customerMembershipPriceChanged } from '../sharing/feed.ts';
import { editPrice, type PriceChange, type PriceEdit, type Priced } from './rules/price-edit.ts';
import { formatDecimal } from '../../../../kernel/values/money.ts';
import { instant, raw, sql } from '../../../../kernel/db/sql.ts';
import type { BulkKind } from '../../../platform/bulk/index.ts';
import type { Work } from '../../../../kernel/work.ts';

/** Rows of a dry run that are told one by one; the totals tell of all. */
const TOLD = 100;

interface Row extends Record<string, unknown> {
  readonly id: number;
  readonly customer_id: number;
  readonly status: Priced['status'];
  readonly billed_price_minor: number;
  readonly start_date: string | null;
  readonly expiration_date: string | null;
}

const read = (
  { tx, providerId }: Work,
  ids: readonly number[],
  locked: boolean,
): Promise<(Row & { cycle_: Priced['cycle'] })[]> =>
  tx.rows(sql`SELECT cm.*, ${cycleOf('cm')} AS cycle_ FROM customer_membership cm WHERE cm.provider_id = ${providerId} AND cm.id = ANY(${ids}::bigint[])
    ORDER BY cm.id ${raw(locked ? 'FOR NO KEY UPDATE' : '')}`);

interface Decided {
  readonly row: Row;
  /** or what is against it */
  readonly edit: PriceEdit | string;
}

/** What becomes of each, in the order of their ids. */
async function decide(work: Work, ids: readonly number[], change: PriceChange, locked: boolean): Promise<Decided[]> {
  const when = { today: todayOf(work), currency: work.tenant.currency };
  return (await read(work, ids, locked)).map(({ cycle_: cycle, ...row }) => ({
    row,
    edit: editPrice(
      { status: row.status, price: row.billed_price_minor, cycle, start: row.start_date, end: row.expiration_date },
      change,
      when,
    ),
  }));
}

/**
 * Tells what a change of the prices of all these does: in a dry run, which is undone. What it makes of holds is told of
 * those that are told one by one.
 */
export async function tellEdits(work: Work, ids: readonly number[], change: PriceChange): Promise<void> {
  const decided = await decide(work, ids, change, false);
  for (const { row, edit } of decided.slice(0, TOLD)) {
    if (typeof edit === 'string')
      work.effect('price_stays', 'customermembership', row.id, { customer: row.customer_id, because: edit });
    else
      work.effect('price_changed', 'customermembership', row.id, {
        customer: row.customer_id,
        before_minor: edit.before,
        after_minor: edit.after,
        from: edit.from,
      });
  }
  await write(
    work,
    editsOf(
      await decide(
        work,
        decided.slice(0, TOLD).map(({ row }) => row.id),
        change,
        true,
      ),
    ),
  );
  const done = decided.flatMap(({ edit }) => (typeof edit === 'string' ? [] : [edit]));
  const sum = (of: 'before' | 'after') => done.reduce((total, edit) => total + edit[of], 0);
  work.effect('prices_changed', 'customermembership', null, {
    customer_memberships: decided.length,
    changed: done.length,
    refused: decided.length - done.length,
    before_minor: sum('before'),
    after_minor: sum('after'),
    told_one_by_one: Math.min(decided.length, TOLD),
  });
}

/** The action that does it. */
export const editPrices: BulkKind = { type: PRICE_EDIT, many: editAll };

/**
 * Every row is decided anew, with its row locked: what was told may not be so any more. Returns what is against those
 * that stay, by id.
 */
export async function editAll(work: Work, ids: readonly number[], change: PriceChange): Promise<Map<number, string>> {
  const decided = await decide(work, ids, change, true);
  await write(work, editsOf(decided));
  return new Map(decided.flatMap(({ row, edit }) => (typeof edit === 'string' ? [[row.id, edit] as const] : [])));
}

const editsOf = (decided: readonly Decided[]) =>
  decided.flatMap(({ row, edit }) =>
    typeof edit === 'string' || edit.after === edit.before ? [] : [{ row, ...edit }],
  );

async function write(work: Work, edits: readonly (PriceEdit & { row: Row })[]): Promise<void> {
  if (edits.length === 0) return;
  const { tx, providerId, now, tenant } = work;
  await tx.run(sql`UPDATE customer_membership cm SET billed_price_minor = x.price, updated_at = ${instant(now)}
    FROM unnest(${edits.map((e) => e.row.id)}::bigint[], ${edits.map((e) => e.after)}::bigint[]) x (id, price) WHERE cm.provider_id = ${providerId} AND cm.id = x.id`);
  const said = (minor: number) => formatDecimal({ minor, currency: tenant.currency });
  for (const { row, before, after, from } of edits) {
    work.touch('customer_membership', row.id, row);
    work.record(customerMembershipPriceChanged, row.id, {
      customer_membership: row.id,
      customer: row.customer_id,
      before: said(before),
      after: said(after),
      from,
    });
  }
  // What is paid and given back for days that are still to come is worth something else now.
  await decideHoldsOf(
    work,
    edits.map((e) => e.row.id),
  );
}
