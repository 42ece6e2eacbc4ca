/** The reader of the feed that emails the people who run the business when stock runs low. */
import { variantFeed } from './feed.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { variantName } from './product.ts';
import type { FeedItem } from '../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { StaffNoticeType } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const LOW_STOCK_NOTICE: StaffNoticeType = { type: 'store_low_stock', subject: 'Stock is running low' };

interface Payload {
  readonly store_product_variant: number;
  readonly stock: number;
}

export const lowStockReader: FeedReader = {
  name: 'store_low_stock',
  kinds: [variantFeed.low_stock.kind],
  async read(work: Work, items: readonly FeedItem[]) {
    const lowStock = items.map((item) => ({ seq: item.seq, ...(item.payload as unknown as Payload) }));
    const names = await work.tx.rows<{ id: number; name: string }>(
      sql`SELECT v.id, ${variantName('v')} AS name FROM store_product_variant v
          WHERE v.provider_id = ${work.providerId}
            AND v.id = ANY(${lowStock.map((t) => t.store_product_variant)}::bigint[])`,
    );
    for (const { seq, store_product_variant: variant, stock } of lowStock) {
      const name = names.find(({ id }) => id === variant)?.name;
      if (name === undefined) continue;
      await work.registry.notifier.notifySuperAdmins(work, {
        type: LOW_STOCK_NOTICE,
        key: String(seq),
        text: `${stock === 0 ? 'Nothing' : `Only ${stock}`} of “${name}” is left in stock (variant ${variant}).\n\nWhen you have received more, record it with POST /store/inventory_adjustments.`,
      });
    }
  },
};
