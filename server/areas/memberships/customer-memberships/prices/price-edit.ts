/** Changes of the prices that customers have agreed to: decided one by one, written together. */
import { changeAllOwned, item, lockAllOwned, readAllOwned, type Owned } from '../owned.ts';
import { membershipPricesFeed } from './feed.ts';
import { decideHoldsOf } from '../holds/writes.ts';
import { editPrice, type PriceChange, type PriceEdit } from './rules/price-edit.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { PRICE_EDIT } from './prices.ts';
import { todayOf } from '../writes.ts';
import type { BulkKind } from '../../../platform/bulk/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Number of rows that a dry run lists one by one; the totals include all. */
const MAX_LISTED = 100;

interface Decided<O extends Owned = Owned> {
  readonly owned: O;
  /** or the reason why the price stays */
  readonly edit: PriceEdit | string;
}

/**
 * Decides each edit, in the order of the ids. `on`: the day before the first one on which a period has the new price
 */
export function decide<O extends Owned>(
  work: Work,
  all: readonly O[],
  change: PriceChange,
  on = todayOf(work),
): Decided<O>[] {
  const when = { today: on, currency: work.tenant.currency };
  return all.map((owned) => {
    const { status, billed_price_minor: price, cycle, start_date: start, expiration_date: end } = owned;
    return { owned, edit: editPrice({ status, price, cycle, start, end }, change, when) };
  });
}

/**
 * Adds the effects of the price change, in a dry run that is rolled back. Effects on holds are listed only for the rows
 * that are listed one by one.
 */
export async function reportEdits(work: Work, ids: readonly number[], change: PriceChange, on?: string): Promise<void> {
  const decided = decide(work, await readAllOwned(work, ids), change, on);
  for (const { owned, edit } of decided.slice(0, MAX_LISTED)) {
    if (typeof edit === 'string')
      work.effect('price_stays', 'customermembership', owned.id, { customer: owned.customer_id, because: edit });
    else
      work.effect('price_changed', 'customermembership', owned.id, {
        customer: owned.customer_id,
        before_minor: edit.before,
        after_minor: edit.after,
        from: edit.from,
      });
  }
  // A change of a later day has no effects on holds yet.
  if (on === undefined)
    await editAll(
      work,
      decided.slice(0, MAX_LISTED).map(({ owned }) => owned.id),
      change,
    );
  const done = decided.flatMap(({ edit }) => (typeof edit === 'string' ? [] : [edit]));
  const sum = (of: 'before' | 'after') => done.reduce((total, edit) => total + edit[of], 0);
  work.effect('prices_changed', 'customermembership', null, {
    customer_memberships: decided.length,
    changed: done.length,
    refused: decided.length - done.length,
    before_minor: sum('before'),
    after_minor: sum('after'),
    told_one_by_one: Math.min(decided.length, MAX_LISTED),
  });
}

/** The bulk action that changes the prices. */
export const editPrices: BulkKind = { type: PRICE_EDIT, many: editAll };

/**
 * Decides each edit again with its row locked, because the preview may be outdated. Returns the reasons for those that
 * stay, by id.
 */
export async function editAll(work: Work, ids: readonly number[], change: PriceChange): Promise<Map<number, string>> {
  const decided = decide(work, await lockAllOwned(work, ids), change);
  const said = (minor: number) => formatDecimal({ minor, currency: work.tenant.currency });
  const changes = decided.flatMap(({ owned, edit }) => {
    if (typeof edit === 'string' || edit.after === edit.before) return [];
    const prices = { before: said(edit.before), after: said(edit.after), from: edit.from };
    return [
      { owned, to: { billed_price_minor: edit.after }, items: [item(membershipPricesFeed.price_changed, prices)] },
    ];
  });
  await changeAllOwned(work, changes);
  // Credits and charges for future days have changed with the price.
  await decideHoldsOf(
    work,
    changes.map(({ owned }) => owned.id),
  );
  return new Map(decided.flatMap(({ owned, edit }) => (typeof edit === 'string' ? [[owned.id, edit] as const] : [])));
}
