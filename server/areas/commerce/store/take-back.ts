/**
 * Returns of items of a paid order, or their cancellation before they are handed over: the stock, and the money by a
 * credit note.
 */
import { aboutOrder, type OrderItemRow, type OrderRow } from './order-rows.ts';
import { adjustStock } from './stock.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { issueCreditNote, lockInvoices, refundFrom } from '../../money/invoices/index.ts';
import { storeOrderItemFeed, storeOrderFeed } from './feed.ts';
import { piecesBack } from './rules/pieces.ts';
import { shareOf } from './rules/share.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { OrderStatus } from './order-statuses.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface TakingBack {
  readonly item: OrderItemRow;
  readonly quantity: number;
}

interface How {
  /** true if it can be sold again */
  readonly restock: boolean;
  /** reason, as a sentence for the customer */
  readonly why: string;
  readonly giveBack: 'account_credit' | 'refund';
  readonly as: 'returned' | 'cancelled';
  /** true if the delivery fee is credited too */
  readonly delivery?: boolean;
}

/** Returns how many pieces are returned; if absent, all that have not been returned. Errors are reported under `at`. */
export function piecesOf(
  { quantity, returned_quantity: returned }: OrderItemRow,
  asked: number | undefined,
  at: string,
): number {
  const back = piecesBack({ bought: quantity, returned }, asked);
  if (typeof back === 'string') throw invalid(at, back);
  return back;
}

interface Line {
  readonly id: number;
  /** null for the delivery */
  readonly item: number | null;
  readonly total: number;
  readonly credited: number;
}

/**
 * Takes back items of a locked order. Stock comes before money, as everywhere. Returns the id of the credit note, or
 * null if nothing was paid
 */
export async function takeBack(
  work: Work,
  order: OrderRow,
  parts: readonly TakingBack[],
  how: How,
): Promise<number | null> {
  await comeBack(work, parts, how);
  const note = await credit(work, order, parts, how);
  await cameBack(work, order, parts, { as: how.as, note });
  return note;
}

/** Returns items of locked orders to stock, and marks them as returned. */
export async function comeBack(
  work: Work,
  parts: readonly TakingBack[],
  { restock, as }: Pick<How, 'restock' | 'as'>,
): Promise<void> {
  if (restock)
    await adjustStock(
      work,
      parts.map(({ item, quantity }) => ({
        variant: item.store_product_variant_id,
        quantity,
        reason: as,
        orderItem: item.id,
      })),
    );
  for (const { item } of parts) work.touch('store_order_item', item.id, item);
  await work.tx.run(sql`UPDATE store_order_item i SET returned_quantity = i.returned_quantity + n.quantity,
      updated_at = ${instant(work.now)}
    FROM unnest(${parts.map(({ item }) => item.id)}::bigint[], ${parts.map(({ quantity }) => quantity)}::int[]) AS n
      (id, quantity)
    WHERE i.provider_id = ${work.providerId} AND i.id = n.id`);
}

/** Records the returns in the order. `note`: id of the credit note */
export async function cameBack(
  work: Work,
  order: OrderRow,
  parts: readonly TakingBack[],
  { as, note }: Pick<How, 'as'> & { readonly note: number | null },
): Promise<void> {
  for (const { item, quantity } of parts)
    work.record(storeOrderItemFeed.returned, item.id, {
      ...aboutOrder(order),
      store_order_item: item.id,
      quantity,
      credit_note: note,
    });
  await settleStatus(work, order, as);
}

async function credit(
  work: Work,
  { id: order, invoice_id: invoice }: OrderRow,
  parts: readonly TakingBack[],
  { why, giveBack, delivery = false }: How,
): Promise<number | null> {
  if (invoice === null) return null;
  // The amounts of its lines that other credit notes have left stay the same until this one is issued.
  await lockInvoices(work, [invoice]);
  const billed = await work.tx.rows<Line>(sql`
    SELECT l.id, CASE l.billed_object WHEN 'store_order_item' THEN l.billed_id END AS item, l.total_minor AS total,
      l.credited_minor AS credited
    FROM invoice_line l JOIN invoice v ON v.provider_id = l.provider_id AND v.id = l.invoice_id AND v.status <> 'voided'
    WHERE l.provider_id = ${work.providerId} AND l.invoice_id = ${invoice}
      AND ((l.billed_object = 'store_order_item' AND l.billed_id = ANY(${parts.map(({ item }) => item.id)}::bigint[]))
        OR (${delivery}::boolean AND l.billed_object = 'store_order' AND l.billed_id = ${order})) ORDER BY l.id`);
  const lines = billed.flatMap(({ id: line, item: itemId, total, credited }) => {
    const part = parts.find(({ item }) => item.id === itemId);
    const share = part ? shareOf(total, part.item.quantity, part.item.returned_quantity, part.quantity) : total;
    const amount = Math.min(share, total - credited);
    return amount > 0 ? [{ line, amount }] : [];
  });
  if (lines.length === 0) return null;
  const to = giveBack === 'refund' ? 'unapplied' : 'credit';
  const note = await issueCreditNote(work, { invoice, lines, why, to });
  if (note.toRefund > 0) await refundFrom(work, invoice, note.toRefund, why);
  return note.id;
}

/** Updates the status of an order after something was handed over or returned. */
export async function settleStatus(work: Work, order: OrderRow, as?: How['as']): Promise<void> {
  const left = (await work.tx.one<{ kept: number; waiting: number }>(sql`
    SELECT count(*) FILTER (WHERE returned_quantity < quantity)::int AS kept,
      count(*) FILTER (WHERE returned_quantity < quantity AND delivered_at IS NULL)::int AS waiting
    FROM store_order_item WHERE provider_id = ${work.providerId} AND store_order_id = ${order.id}`))!;
  const status: OrderStatus = left.kept === 0 ? (as ?? 'returned') : left.waiting === 0 ? 'fulfilled' : order.status;
  if (status === order.status) return;
  await updateRow(work, 'store_order', order.id, {
    status,
    fulfilled_at: status === 'fulfilled' ? instant(work.now) : undefined,
    cancelled_at: status === 'cancelled' ? instant(work.now) : undefined,
  });
  const kind = {
    fulfilled: storeOrderFeed.fulfilled,
    cancelled: storeOrderFeed.cancelled,
    returned: storeOrderFeed.returned,
  }[status as 'fulfilled'];
  work.record(kind, order.id, aboutOrder(order));
  work.effect(`store_order_${status}`, 'store_order', order.id, {});
}
