/** The contents of a receipt: the lines of the invoice, the payments, the change, and later refunds. */
import { contentOfInvoice, type Content } from '../../../money/invoices/index.ts';
import { plainDateIn, spokenAmount, spokenTimeOfDay } from '../../../../kernel/base/languages/spoken.ts';
import { receiptSay } from './messages.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface Receipt {
  /** language and words it is written in */
  readonly reader: Reader;
  readonly seller: Content['seller'];
  readonly buyer: string;
  /** `INV-000042` */
  readonly number: string;
  /** `12 July 2026, 18:05` */
  readonly at: string;
  readonly rows: Content['rows'];
  /** subtotal, discount, fees and taxes, total, and what paid it */
  readonly totals: Content['totals'];
  /** amounts handed over and given as change */
  readonly change: readonly { readonly label: string; readonly amount: string }[];
  readonly refunds: readonly { readonly label: string; readonly amount: string }[];
  readonly note: string | null;
}

/** `sale`: id; `invoice`: the sale's invoice */
export async function receiptOf(work: Work, sale: number, invoice: number, reader: Reader): Promise<Receipt> {
  const content = await contentOfInvoice(work, invoice, reader);
  const { tx, providerId, tenant } = work;
  const say = receiptSay(reader);
  const said = (minor: number) => spokenAmount(reader, { minor, currency: tenant.currency });
  const [[made], paid, notes] = (await tx.all([
    sql`SELECT created_at FROM counter_sale WHERE provider_id = ${providerId} AND id = ${sale}`,
    sql`SELECT tendered_minor AS tendered, change_minor AS change FROM counter_payment
        WHERE provider_id = ${providerId} AND counter_sale_id = ${sale} AND tendered_minor IS NOT NULL ORDER BY id`,
    sql`SELECT number, issued_on AS on, to_refund_minor AS amount FROM invoice
        WHERE provider_id = ${providerId} AND credits_invoice_id = ${invoice} AND to_refund_minor > 0 ORDER BY id`,
  ])) as [
    { created_at: number }[],
    { tendered: number; change: number }[],
    { number: string; on: string; amount: number }[],
  ];
  const { date, time } = wallAt(made.created_at, work.tenant.zone);
  return {
    reader,
    seller: content.seller,
    buyer: content.buyer.name,
    number: content.number,
    at: say('at', { day: plainDateIn(reader, date), time: spokenTimeOfDay(reader, time.slice(0, 5)) }),
    rows: content.rows,
    totals: content.totals,
    change: paid.flatMap(({ tendered, change }) => [
      { label: say('tendered'), amount: said(tendered) },
      { label: say('change'), amount: said(change) },
    ]),
    refunds: notes.map(({ number, on, amount }) => ({
      label: say('refunded', { day: plainDateIn(reader, on), number }),
      amount: said(amount),
    })),
    note: content.note,
  };
}
