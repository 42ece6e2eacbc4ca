/** Tells customers of their invoices, in the words of the business: what they got, and what is printed on paper. */
import { contentOf, type Content, type Printable } from './document/content.ts';
import { invoiceSay, type InvoiceSay } from './document/messages.ts';
import { plainDateIn } from '../../../kernel/base/languages/spoken.ts';
import { INVOICE_NOTICES } from './notice-types.ts';
import { lockInvoices, readInvoices, type InvoiceRow } from './row.ts';
import { readPrintables } from './document/read.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Notice } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Type = (typeof INVOICE_NOTICES)[keyof typeof INVOICE_NOTICES];

/** After a long standstill nobody is flooded with old news. */
const STALE_MS = 24 * 3_600_000;

interface Said {
  readonly row: InvoiceRow;
  readonly type: Type;
}

/** In their order; what they say is read in one round trip. */
async function noticesOf(work: Work, said: readonly Said[]): Promise<Notice[]> {
  if (said.length === 0) return [];
  const printables = await readPrintables(
    work,
    said.map(({ row }) => row),
  );
  return said.map(({ row, type }, n) => noticeOf(row, type, printables[n]));
}

const noticeOf = (row: InvoiceRow, type: Type, printable: Printable): Notice => ({
  type,
  customer: row.customer_id,
  key: String(row.id),
  values: (reader) => {
    const { rows, totals, note } = contentOf(printable, reader);
    const totalAt = totals.findIndex(({ strong }) => strong);
    return {
      'invoice.number': row.number,
      'invoice.date': plainDateIn(reader, printable.issuedOn),
      'invoice.due_date': plainDateIn(reader, printable.dueOn),
      'invoice.lines': linesOf(invoiceSay(reader), rows, totals.slice(1, totalAt)),
      'invoice.total': totals[totalAt].amount,
      'invoice.left': totals.at(-1)!.amount,
      'invoice.note': note,
      'invoice.reason': printable.reason,
    };
  },
});

/** Between the subtotal and the total are discounts, fees and taxes. */
const linesOf = (say: InvoiceSay, rows: Content['rows'], between: Content['totals']): string =>
  [
    ...rows.map(({ description, quantity, price: amount }) => {
      const name = quantity === '1' ? description : say('line.times', { quantity, description });
      return say('line.amount', { name, amount });
    }),
    ...between.map(({ label: name, amount }) => say('line.amount', { name, amount })),
  ].join('\n');

/** What is to be said of an invoice as it is now; null: nothing. */
function typeFor(kind: string, { series, due_minor, total_minor, status }: InvoiceRow): Type | null {
  if (series === 'credit_note') return kind === 'invoice.created' ? INVOICE_NOTICES.credited : null;
  if (kind === 'invoice.paid') return total_minor > 0 ? INVOICE_NOTICES.paid : null;
  // What was paid immediately has a receipt, and a payment that is running will end in one or the other.
  return due_minor > 0 && status !== 'pending' ? INVOICE_NOTICES.issued : null;
}

/** What says everything of an invoice as it is now, for somebody who asks for it. */
function typeAsked(row: InvoiceRow): Type | null {
  if (row.status === 'voided') return null;
  return typeFor('invoice.created', row) ?? (row.due_minor === 0 ? INVOICE_NOTICES.paid : INVOICE_NOTICES.issued);
}

/**
 * Emails it once more, whatever was sent before. Ids of the messages, none if nobody gets one; null: a voided one says
 * nothing.
 */
export async function sendAgain(work: Work, row: InvoiceRow): Promise<number[] | null> {
  const type = typeAsked(row);
  if (type === null) return null;
  const [notice] = await noticesOf(work, [{ row, type }]);
  const messages = await work.registry.notifier.notify(work, [{ ...notice, key: `${row.id}:asked:${work.now}` }]);
  // One that will not be sent has its place in the ledger of messages all the same.
  return work.told.length > 0 ? messages : [];
}

export const invoiceReader: FeedReader = {
  name: 'invoice_notices',
  kinds: ['invoice.created', 'invoice.paid'],
  async read(work, items) {
    const fresh = items.filter(({ occurredAt }) => work.now - occurredAt < STALE_MS);
    const rows = new Map(
      (
        await readInvoices(
          work,
          fresh.map(({ objectId }) => objectId),
        )
      ).map((row) => [row.id, row]),
    );
    const said = fresh.flatMap(({ kind, objectId }): Said[] => {
      const row = rows.get(objectId)!;
      const type = typeFor(kind, row);
      return type ? [{ row, type }] : [];
    });
    await work.registry.notifier.notify(work, await noticesOf(work, said));
  },
};

/** Reminds of invoices that are still not paid, once each; who is reminded now is said to be. */
export async function remindOf(work: Work, ids: readonly number[]): Promise<InvoiceRow[]> {
  const rows = (await lockInvoices(work, ids)).filter(({ due_minor, reminded_at }) => due_minor > 0 && !reminded_at);
  const said = rows.map((row) => ({ row, type: INVOICE_NOTICES.reminder }));
  await work.registry.notifier.notify(work, await noticesOf(work, said));
  return rows;
}
