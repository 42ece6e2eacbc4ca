/**
 * Stock: reserved by open checkouts, sold, and returned. Everything happens under the locks of the variants, which come
 * after events and before customers. The database refuses stock below zero, whatever this code decides.
 */
import { storeInventoryAdjustmentFeed, variantFeed } from './feed.ts';
import { availableStock, fellLow, type Reason, type Stock } from './rules/adjustment.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { outOfStock } from './problems.ts';
import { storeSettings } from './settings.ts';
import { variantName } from './product.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type VariantRow = Row<'store_product_variant'>;

const stockOf = ({ track_stock, stock_count, held_count }: VariantRow): Stock => ({
  tracked: track_stock,
  count: stock_count,
  held: held_count,
});

/** Locks variants by id and returns their current rows. Refuses variants that don't exist. */
export async function lockStock(work: Work, variants: readonly number[]): Promise<Map<number, VariantRow>> {
  const ids = [...new Set(variants)];
  if (ids.length === 0) return new Map();
  const rows = await lockRows<VariantRow>(work, 'store_product_variant', ids);
  if (rows.length < ids.length) throw notFound();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The owner of a reservation: an object of a later area. */
export interface HoldFor {
  readonly variant: number;
  readonly quantity: number;
  readonly by: { readonly object: string; readonly id: number };
}

interface HeldBy {
  readonly object: string;
  readonly ids: readonly number[];
}

const heldBy = ({ object, ids }: HeldBy): Sql =>
  sql`h.held_for = ${object} AND h.held_for_id = ANY(${[...ids]}::bigint[])`;

/**
 * Reserves stock, all of it or nothing, and replaces the object's previous reservation. Variants without stock tracking
 * need no reservation.
 * @throws Problem `out_of_stock`
 */
export async function holdStock(
  work: Work,
  wanted: readonly HoldFor[],
  { until, paying = false }: { readonly until: number; readonly paying?: boolean },
): Promise<void> {
  const variants = await lockStock(
    work,
    wanted.map(({ variant }) => variant),
  );
  const asked = wanted.filter(({ variant }) => variants.get(variant)!.track_stock);
  if (asked.length === 0) return;
  for (const [object, ofIt] of Map.groupBy(asked, ({ by }) => by.object))
    await holdFor(work, variants, object, ofIt, { until, paying });
  for (const { variant, quantity } of asked)
    work.effect('stock_held', 'store_product_variant', variant, { quantity, until: new Date(until).toISOString() });
}

async function holdFor(
  work: Work,
  variants: ReadonlyMap<number, VariantRow>,
  object: string,
  asked: readonly HoldFor[],
  { until, paying }: { readonly until: number; readonly paying: boolean },
): Promise<void> {
  const ids = asked.map(({ by }) => by.id);
  const mine = await work.tx.rows<{ variant: number; held: number }>(
    sql`SELECT h.store_product_variant_id AS variant, h.quantity AS held FROM stock_hold h
        WHERE h.provider_id = ${work.providerId} AND ${heldBy({ object, ids })}`,
  );
  const lacks = lacking(variants, asked, mine);
  if (lacks.length > 0) await letGo(work, variants, lacks, { object, ids });
  const now = instant(work.now);
  await work.tx.run(sql`
    INSERT INTO stock_hold AS s (provider_id, store_product_variant_id, quantity, held_for, held_for_id, expires_at,
      paying, created_at, updated_at)
    SELECT ${work.providerId}::bigint, variant, quantity, ${object}, id, ${instant(until)}::timestamptz,
      ${paying}::boolean, ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(${asked.map((a) => a.variant)}::bigint[], ${asked.map((a) => a.quantity)}::int[], ${ids}::bigint[]) AS n
      (variant, quantity, id)
    ORDER BY id
    ON CONFLICT (provider_id, held_for, held_for_id)
    DO UPDATE SET store_product_variant_id = excluded.store_product_variant_id,
      quantity = excluded.quantity, expires_at = greatest(s.expires_at, excluded.expires_at), paying = excluded.paying,
      updated_at = excluded.updated_at`);
}

interface Lacking {
  readonly variant: number;
  /** quantity that is missing */
  readonly missing: number;
  /** quantity that could be reserved at most */
  readonly left: number;
}

function lacking(
  variants: ReadonlyMap<number, VariantRow>,
  asked: readonly HoldFor[],
  mine: readonly { readonly variant: number; readonly held: number }[],
): Lacking[] {
  return [...Map.groupBy(asked, ({ variant }) => variant)].flatMap(([variant, ofIt]) => {
    const own = mine.filter((one) => one.variant === variant).reduce((sum, { held }) => sum + held, 0);
    const left = availableStock(stockOf(variants.get(variant)!))! + own;
    const missing = ofIt.reduce((sum, { quantity }) => sum + quantity, 0) - left;
    return missing > 0 ? [{ variant, missing, left }] : [];
  });
}

/** Releases expired reservations before refusing anybody: the sweep may come later. */
async function letGo(
  work: Work,
  variants: ReadonlyMap<number, VariantRow>,
  lacks: readonly Lacking[],
  but: HeldBy,
): Promise<void> {
  const gone = await work.tx.rows<{ variant: number; quantity: number }>(sql`
    DELETE FROM stock_hold h WHERE h.provider_id = ${work.providerId}
      AND h.store_product_variant_id = ANY(${lacks.map((l) => l.variant)}::bigint[])
      AND h.expires_at <= ${instant(work.now)} AND NOT h.paying AND NOT (${heldBy(but)})
    RETURNING h.store_product_variant_id AS variant, h.quantity`);
  for (const { variant, missing, left } of lacks) {
    const freed = gone.filter((one) => one.variant === variant).reduce((sum, { quantity }) => sum + quantity, 0);
    if (freed < missing) throw outOfStock(await nameOf(work, variants.get(variant)!.id), left + freed);
  }
}

const nameOf = async ({ tx, providerId }: Work, variant: number): Promise<string> =>
  (await tx.one<{ name: string }>(
    sql`SELECT ${variantName('v')} AS name FROM store_product_variant v
      WHERE v.provider_id = ${providerId} AND v.id = ${variant}`,
  ))!.name;

/** Locks the variants of reservations by id, before anything about the reservations. */
const lockHeld = ({ tx, providerId }: Work, by: HeldBy): Promise<VariantRow[]> =>
  tx.rows<VariantRow>(sql`SELECT v.* FROM store_product_variant v WHERE v.provider_id = ${providerId} AND v.id IN (
    SELECT h.store_product_variant_id FROM stock_hold h WHERE h.provider_id = ${providerId} AND ${heldBy(by)})
    ORDER BY v.id FOR NO KEY UPDATE`);

/**
 * Extends reservations to at least this time. Returns the ids of the objects that have no reservation, or no longer
 * have one.
 */
export async function extendStock(
  work: Work,
  by: HeldBy,
  { until, paying }: { readonly until: number; readonly paying?: boolean },
): Promise<number[]> {
  await lockHeld(work, by);
  const rows = await work.tx.rows<{ id: number }>(sql`
    UPDATE stock_hold h SET expires_at = greatest(h.expires_at, ${instant(until)}),
      paying = coalesce(${paying ?? null}, h.paying),
      updated_at = ${instant(work.now)}
    WHERE h.provider_id = ${work.providerId} AND ${heldBy(by)} RETURNING h.held_for_id AS id`);
  const held = new Set(rows.map(({ id }) => id));
  return by.ids.filter((id) => !held.has(id));
}

/** Releases reservations; skips those that no longer exist. */
export async function releaseStock(work: Work, by: HeldBy): Promise<void> {
  await lockHeld(work, by);
  await work.tx.run(sql`DELETE FROM stock_hold h WHERE h.provider_id = ${work.providerId} AND ${heldBy(by)}`);
}

/** A change of stock. */
interface Change {
  readonly variant: number;
  /** negative takes out of stock */
  readonly quantity: number;
  readonly reason: Reason;
  readonly note?: string | null;
  readonly orderItem?: number;
}

/**
 * Writes adjustments for variants with tracked stock, and returns their ids. Locks the variants, so a caller that
 * changes several must pass all of them together.
 */
export async function adjustStock(work: Work, changes: readonly Change[]): Promise<number[]> {
  const variants = await lockStock(
    work,
    changes.map(({ variant }) => variant),
  );
  const kept = changes.filter(({ variant }) => variants.get(variant)!.track_stock);
  if (kept.length === 0) return [];
  const now = instant(work.now);
  const staff = work.viewer.mode === 'provider' ? work.viewer.staffId : null;
  for (const variant of new Set(kept.map((change) => change.variant)))
    work.touch('store_product_variant', variant, variants.get(variant)!);
  const made = await work.tx.rows<{ id: number }>(sql`
    INSERT INTO store_inventory_adjustment (provider_id, store_product_variant_id, quantity, reason, note,
      store_order_item_id, staff_id, created_at, updated_at)
    SELECT ${work.providerId}::bigint, variant, quantity, reason, note, item, ${staff}::bigint, ${now}::timestamptz,
      ${now}::timestamptz
    FROM unnest(${kept.map((c) => c.variant)}::bigint[], ${kept.map((c) => c.quantity)}::int[],
      ${kept.map((c) => c.reason)}::text[],
      ${kept.map((c) => c.note ?? null)}::text[], ${kept.map((c) => c.orderItem ?? null)}::bigint[])
    WITH ORDINALITY AS n (variant, quantity, reason, note, item, nth)
    ORDER BY nth RETURNING id`);
  kept.forEach(({ variant, quantity, reason }, n) => {
    const { id } = made[n];
    work.touch('store_inventory_adjustment', id, null);
    work.record(storeInventoryAdjustmentFeed.created, id, {
      store_inventory_adjustment: id,
      store_product_variant: variant,
      quantity,
      reason,
    });
    work.effect('stock_adjusted', 'store_product_variant', variant, { quantity, reason });
  });
  await tellLow(work, variants, kept);
  return made.map(({ id }) => id);
}

async function tellLow(
  work: Work,
  variants: ReadonlyMap<number, VariantRow>,
  changes: readonly Change[],
): Promise<void> {
  const fallen = [...Map.groupBy(changes, ({ variant }) => variant)].flatMap(([id, ofIt]) => {
    const change = ofIt.reduce((sum, { quantity }) => sum + quantity, 0);
    return change < 0 ? [{ row: variants.get(id)!, change }] : [];
  });
  if (fallen.length === 0) return;
  const ofStore = fallen.some(({ row }) => row.low_stock_threshold === null)
    ? (await storeSettings(work)).low_stock_threshold
    : null;
  for (const { row, change } of fallen) {
    const after = row.stock_count + change;
    if (fellLow(row.stock_count, after, row.low_stock_threshold ?? ofStore))
      work.record(variantFeed.low_stock, row.id, {
        store_product_variant: row.id,
        store_product: row.store_product_id,
        stock: after,
      });
  }
}

/**
 * Takes sold items out of stock: the reserved ones or, if the reservation is gone, any that are left.
 * @throws Problem `out_of_stock`
 */
export async function takeStock(work: Work, sold: HoldFor & { readonly orderItem: number }): Promise<void> {
  const { variant, quantity, by, orderItem } = sold;
  const variants = await lockStock(work, [variant]);
  if (variants.get(variant)!.track_stock) {
    const mine = { object: by.object, ids: [by.id] };
    const held = await work.tx.rows<{ variant: number; held: number }>(
      sql`DELETE FROM stock_hold h WHERE h.provider_id = ${work.providerId} AND ${heldBy(mine)}
          RETURNING h.store_product_variant_id AS variant, h.quantity AS held`,
    );
    const lacks = lacking(variants, [sold], held);
    if (lacks.length > 0) await letGo(work, variants, lacks, mine);
  }
  await adjustStock(work, [{ variant, quantity: -quantity, reason: 'sold', orderItem }]);
}

/** Releases reservations that expired long ago, because the buyer never came back. */
export async function sweepHolds(tx: Transaction, now: number): Promise<void> {
  const over = sql`h.expires_at < ${instant(now - 10 * 60_000)}::timestamptz AND NOT h.paying`;
  await tx.run(sql`SELECT FROM store_product_variant v WHERE (v.provider_id, v.id) IN (
    SELECT h.provider_id, h.store_product_variant_id FROM stock_hold h WHERE ${over})
    ORDER BY v.provider_id, v.id FOR NO KEY UPDATE`);
  await tx.run(sql`DELETE FROM stock_hold h WHERE ${over}`);
}
