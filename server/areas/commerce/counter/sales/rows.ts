import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Row } from '../../../../kernel/base/db/rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** A sale as it is stored; amounts are minor units. */
export type SaleRow = Row<'counter_sale'>;

/** Returns the payer: the customer of the invoice. After a merge, two records of one person share it. */
export async function payerOf(work: Work, sale: Pick<SaleRow, 'invoice_id'>): Promise<number> {
  const row = await work.tx.one<{ customer_id: number }>(
    sql`SELECT customer_id FROM invoice WHERE provider_id = ${work.providerId} AND id = ${sale.invoice_id}`,
  );
  return row!.customer_id;
}
