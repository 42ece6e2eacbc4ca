/** The reader of the feed that emails the people who run the business when stock runs low. */
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { dashboardUrl, type StaffNoticeType } from '../../../kernel/work/unit/notices.ts';
import { variantFeed } from './feed.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { variantName } from './product.ts';
import type { FeedItem } from '../../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const LOW_STOCK_NOTICE: StaffNoticeType = { type: 'store_low_stock' };

const TEXTS = Catalog.read('messages', 'store/staff');

interface Payload {
  readonly store_product_variant: number;
  readonly stock: number;
}

export const lowStockReader: FeedReader = {
  name: 'store_low_stock',
  kinds: [variantFeed.low_stock.kind],
  async read(work: Work, items: readonly FeedItem[]) {
    const lowStock = items.map((item) => ({ seq: item.seq, ...(item.payload as unknown as Payload) }));
    const names = await work.tx.rows<{ id: number; product: number; name: string }>(
      sql`SELECT v.id, v.store_product_id AS product, ${variantName('v')} AS name FROM store_product_variant v
          WHERE v.provider_id = ${work.providerId}
            AND v.id = ANY(${lowStock.map((t) => t.store_product_variant)}::bigint[])`,
    );
    for (const { seq, store_product_variant: variant, stock } of lowStock) {
      const found = names.find(({ id }) => id === variant);
      if (!found) continue;
      const { name, product } = found;
      await work.registry.notifier.notifySuperAdmins(work, {
        type: LOW_STOCK_NOTICE,
        key: String(seq),
        write: (reader) => {
          const say = TEXTS.for(reader, work.tenant.words);
          const left = stock === 0 ? say('none', { name }) : say('left', { n: stock, name });
          const screen = dashboardUrl(work, `store?tab=products&product=${product}`);
          return {
            subject: say('subject', { name }),
            text: `${left}\n\n${say('next')}\n${screen}`,
            button: say('see'),
          };
        },
      });
    }
  },
};
